"""Answers that are spans of a context, or that there is none.

`main` of google-research/albert run_squad_v1.py and run_squad_v2.py; paper section 4.1 (SQuAD).
"""

import json
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from keras_albert.finetuning.kinds.answer_tables import answer_table, official_predictions
from keras_albert.finetuning.kinds.held_out import split_groups
from keras_albert.finetuning.kinds.kind import Kind
from keras_albert.finetuning.metrics.answers import (
    ANSWER_FIGURES,
    Normalization,
    answer_metrics,
    answer_scores,
    optimistic_best,
)
from keras_albert.finetuning.metrics.metrics import Metrics
from keras_albert.finetuning.metrics.null_threshold import best_null_threshold
from keras_albert.finetuning.readers.questions import QuestionExamples
from keras_albert.tasks.question_answering import AlbertQuestionAnswerer, QuestionAnswer

Head = Literal["span", "verifier"]
Answers = Sequence[QuestionAnswer]

# The part of the training rows that the null threshold is chosen on: fewer rows say little.
_HELD_OUT_SHARE, _HELD_OUT_ROWS = 0.05, 20
_LONGEST_CHINESE_ANSWER = 100
# Drawn by articles where each is a small part of them, else by contexts.
_MANY_ARTICLES = 40


@dataclass(frozen=True)
class QuestionAnswering(Kind):
    """Questions on contexts, each answered by a span of its context or by none.

    Where training rows have unanswerable questions, about 5 % of the training rows (by article or by context) are held
    out, and the null threshold is chosen on them. Google's code chooses it on the rows that it reports.

    Args:
        main_metric: "f1", as by default, or "exact".
        head: "span" (a start and an end; SQuAD v1.1), or "verifier" (ends given starts, and whether there is an answer;
            SQuAD v2.0).
        normalization: the rules of the figures: "squad", or "cmrc" for Chinese.
        null_threshold: null odds from which on a question is left without an answer; None chooses it on held-out rows
            where there are unanswerable questions (until then it is 0), and else every question is answered.

    Raises:
        ValueError: no such figure, head or normalization.
    """

    head: Head = "span"
    normalization: Normalization = "squad"
    null_threshold: float | None = None

    name: ClassVar[str] = "question-answering"
    task_class: ClassVar[type[AlbertQuestionAnswerer]] = AlbertQuestionAnswerer
    rows_class: ClassVar[type[QuestionExamples]] = QuestionExamples
    dropout_option: ClassVar[str] = "answerability_dropout"

    def __post_init__(self) -> None:
        """Check the options before anything is trained."""
        for name, known in (
            ("main_metric", (None, *ANSWER_FIGURES)),
            ("head", get_args(Head)),
            ("normalization", get_args(Normalization)),
        ):
            value = getattr(self, name)
            if value not in known:
                there = ", ".join(repr(option) for option in known if option is not None)
                raise ValueError(f"Expected {name} among {there}. Received: {name}={value!r}")

    @property
    def main(self) -> str:
        """The name of the main figure."""
        return self.main_metric or "f1"

    def task_options(self, train: QuestionExamples) -> dict[str, Any]:
        """Return the head, and the null threshold: None, which always answers, where every question has an answer.

        For Chinese also the most tokens in an answer.
        """
        start = None if all(train.answerable) else 0.0
        options = {"head": self.head, "null_threshold": start if self.null_threshold is None else self.null_threshold}
        # Chinese has a token for each character: in CMRC 2018's dev file 5 % of the questions have no answer of 30
        # tokens, as for SQuAD, and every one has an answer of 100.
        return options | ({"max_answer_length": _LONGEST_CHINESE_ANSWER} if self.normalization == "cmrc" else {})

    def training_data(
        self, rows: QuestionExamples, model: AlbertQuestionAnswerer
    ) -> tuple[tuple[list[str], list[str]], list[list[dict[str, Any]]]]:
        """Return questions and contexts, and the answers of each.

        A question whose answers occur nowhere in its context is left out: it is not unanswerable.

        Raises:
            ValueError: rows whose answers are not known, or none that can be learnt from.
        """
        answers = [
            [{"text": answer.text, "answer_start": answer.start} for answer in answers if answer.start is not None]
            for answers in rows.labelled
        ]
        kept = [row for row, golds in enumerate(rows.labelled) if answers[row] or not golds]
        if not kept:
            raise ValueError(f"Expected answers that their contexts hold in {rows.source}. Received: not one")
        return rows.take(kept).inputs, [answers[row] for row in kept]

    def answer(
        self, model: AlbertQuestionAnswerer, rows: QuestionExamples, batch_size: int, verbose: str | int = 0
    ) -> list[QuestionAnswer]:
        """Answer the questions."""
        return model.predict(rows.inputs, batch_size=batch_size, verbose=verbose)

    def score(self, rows: QuestionExamples, answers: Answers) -> Metrics:
        """Compare answers with those of the rows; see `answer_metrics`.

        Where some questions are unanswerable, the details have `optimistic_best_on_these_rows` (`optimistic_best`).

        Raises:
            ValueError: rows whose answers are not known.
        """
        golds = rows.gold_texts
        metrics = answer_metrics(
            [answer.text for answer in answers], golds, rows.contexts, self.normalization, self.main
        )
        if all(golds):
            return metrics
        best = optimistic_best(_best_spans(answers), _null_odds(answers), golds, self.normalization)
        return replace(metrics, details={**metrics.details, "optimistic_best_on_these_rows": best})

    def table(self, rows: QuestionExamples, answers: Answers) -> dict[str, list[Any]]:
        """Return the questions and their answers; see `answer_table`."""
        return answer_table(rows, answers)

    def official_file(self, rows: QuestionExamples, answers: Answers) -> str:
        """Return the JSON of SQuAD's evaluation scripts: each question's id and the text of its answer."""
        return json.dumps(official_predictions(rows, answers), ensure_ascii=False, indent=2) + "\n"

    def errors(self, rows: QuestionExamples, answers: Answers) -> np.ndarray:
        """Return 1 - F1 of each answer, float64 (N,)."""
        return 1 - answer_scores([answer.text for answer in answers], rows.gold_texts, self.normalization).f1

    def hold_out(self, train: QuestionExamples, seed: int) -> tuple[QuestionExamples, QuestionExamples | None]:
        """Split rows for `tune` off the training rows, where there is a null threshold to choose.

        Whole articles, or whole contexts where there are few articles: about 5 % of the rows, at least 20 if that is
        not more than half of them.
        """
        if self.null_threshold is not None or all(train.answerable):
            return train, None
        many = train.titles is not None and len(set(train.titles)) >= _MANY_ARTICLES
        groups = train.titles if many and train.titles is not None else train.contexts
        kept, held_out = split_groups(groups, _HELD_OUT_SHARE, _HELD_OUT_ROWS, seed)
        if not held_out:
            warnings.warn(
                f"Most questions of {train.source} have the same context: none can be held out to choose the null "
                "threshold on, and the model keeps its own. Pass `null_threshold`.",
                stacklevel=2,
            )
            return train, None
        return train.take(kept), train.take(held_out)

    def tune(self, model: AlbertQuestionAnswerer, rows: QuestionExamples, batch_size: int) -> dict[str, Any]:
        """Give the model the null threshold that is best for the main figure of these rows.

        Returns:
            `null_threshold`, `held_out_rows`, and `held_out_f1` (or `held_out_exact`) with it, in [0, 1].
        """
        answerable = np.array(rows.answerable)
        if answerable.all() or not answerable.any():
            there = "answerable" if answerable.all() else "unanswerable"
            warnings.warn(
                f"All {len(rows)} questions held out are {there}: the model keeps its null threshold of "
                f"{model.null_threshold}. Train with more questions, or pass `null_threshold`.",
                stacklevel=2,
            )
            return {"null_threshold": model.null_threshold, "held_out_rows": len(rows)}
        answers = self.answer(model, rows, batch_size)
        null_odds, spans = _null_odds(answers), _best_spans(answers)
        scores = getattr(answer_scores(spans, rows.gold_texts, self.normalization), self.main)
        # A span of which the rules leave nothing is as right as no answer.
        best = best_null_threshold(scores, null_odds, answerable, answered=scores == 0)
        if best.score <= 1 - answerable.mean():
            model.null_threshold = float(null_odds.min()) - 1
        else:
            # Midway to the next question, since the heads differ in what they make of equality.
            above = null_odds[null_odds > best.threshold]
            model.null_threshold = float(best.threshold + above.min()) / 2 if above.size else best.threshold + 1
        return {
            "null_threshold": model.null_threshold,
            "held_out_rows": len(rows),
            f"held_out_{self.main}": best.score,
        }


def _best_spans(answers: Answers) -> list[str]:
    return [answer.n_best[0].text if answer.n_best else "" for answer in answers]


def _null_odds(answers: Answers) -> np.ndarray:
    return np.array([answer.null_odds for answer in answers], "float64")

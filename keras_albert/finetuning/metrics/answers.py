"""How well questions on contexts were answered: exact match, F1, and what no model would reach.

`evaluate_v1` and `evaluate_v2` of google-research/albert squad_utils.py.
"""

import re
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from keras_albert.finetuning.metrics.cmrc import cmrc_scores
from keras_albert.finetuning.metrics.metrics import Metrics
from keras_albert.finetuning.metrics.null_threshold import best_null_threshold
from keras_albert.finetuning.metrics.squad import AnswerScores, squad_scores

Normalization = Literal["squad", "cmrc"]
ANSWER_FIGURES = ("f1", "exact")

# A full stop ends a sentence before white space only: "3.5" and "U.S.-based" go on.
_SENTENCE_END = re.compile(r"[.!?][\"'”’)]*(?=\s)|[。！？][”’」』）]*")


def answer_scores(
    predictions: Sequence[str | None], gold_texts: Sequence[Sequence[str]], normalization: Normalization = "squad"
) -> AnswerScores:
    """Compare answers with the right ones by the rules that belong to them.

    Args:
        predictions: N answers, "" for none; None for one that is missing, which scores 0.
        gold_texts: the right answers of each question; `[]` for an unanswerable one.
        normalization: "squad", by the rules of v2.0 where a question is unanswerable and of v1.1 where none is, or
            "cmrc" for Chinese, of which SQuAD's rules make one word.

    Raises:
        ValueError: another number of predictions than of questions.

    Example:
        >>> answer_scores(["北京市"], [["北京"]], "cmrc").f1, answer_scores(["北京市"], [["北京"]]).f1
        (array([0.8]), array([0.]))
    """
    if normalization == "cmrc":
        return cmrc_scores(predictions, gold_texts)
    return squad_scores(predictions, gold_texts, "v1.1" if all(gold_texts) else "v2.0")


def answer_metrics(
    predictions: Sequence[str | None],
    gold_texts: Sequence[Sequence[str]],
    contexts: Sequence[str],
    normalization: Normalization = "squad",
    main: str = "f1",
) -> Metrics:
    """Compare answers with the right ones.

    The baseline is "no answer" throughout where a question is unanswerable; otherwise, since that scores 0, the first
    sentence of each context.

    Args:
        predictions: N answers, "" for none; None for one that is missing, which scores 0.
        gold_texts: the right answers of each question; `[]` for an unanswerable one.
        contexts: the context of each question.
        normalization: as for `answer_scores`.
        main: the main figure, "f1" or "exact".

    Returns:
        `exact` and `f1`. With "cmrc" also `average`, the mean of both by which CMRC 2018 ranks. Where some questions
        are unanswerable also `HasAns_exact`, `HasAns_f1` and `NoAns_exact`, of the answerable and of the others alone.

    Raises:
        ValueError: no row, another number of predictions or contexts than of questions, or no such figure.

    Example:
        >>> metrics = answer_metrics(["Ada", "Bob"], [["Ada Lovelace"], []], ["It was Ada Lovelace.", "Who knows?"])
        >>> round(metrics.value, 3), metrics.baseline, metrics.baseline_name
        (0.333, 0.5, 'always no answer')
    """
    if not len(predictions) == len(gold_texts) == len(contexts) > 0:
        counts = f"{len(predictions)} predictions, {len(gold_texts)} questions, {len(contexts)} contexts"
        raise ValueError(f"Expected one prediction and one context for each question. Received: {counts}")
    if main not in ANSWER_FIGURES:
        raise ValueError(f"Expected the main figure among {', '.join(ANSWER_FIGURES)}. Received: main={main!r}")
    scores = answer_scores(predictions, gold_texts, normalization)
    figures = {"f1": float(scores.f1.mean()), "exact": float(scores.exact.mean())}
    if normalization == "cmrc":
        figures["average"] = (figures["f1"] + figures["exact"]) / 2
    answerable = np.array([bool(texts) for texts in gold_texts])
    details: dict[str, Any] = {
        "normalization": normalization,
        "answered_rows": sum(bool(text) for text in predictions),
        "answerable_rows": int(answerable.sum()),
    }
    if answerable.all():
        constant, name = [first_sentence(context) for context in contexts], "always the context's first sentence"
    else:
        constant, name = [""] * len(contexts), "always no answer"
        if answerable.any():
            figures |= {"HasAns_exact": float(scores.exact[answerable].mean())}
            figures |= {"HasAns_f1": float(scores.f1[answerable].mean())}
        figures |= {"NoAns_exact": float(scores.exact[~answerable].mean())}
    baseline = getattr(answer_scores(constant, gold_texts, normalization), main)
    return Metrics(figures, main, len(answerable), float(baseline.mean()), name, details=details)


def optimistic_best(
    spans: Sequence[str],
    null_odds: np.ndarray,
    gold_texts: Sequence[Sequence[str]],
    normalization: Normalization = "squad",
) -> dict[str, float]:
    """Return what the best threshold of these very rows would give, as SQuAD v2.0's evaluation reports it.

    Nobody who does not know the answers reaches it: `best_null_threshold` on other rows is the honest way.

    Args:
        spans: the best span of each of the N questions, whether or not it was given as the answer.
        null_odds: float (N,), how much each question seems unanswerable.
        gold_texts: the right answers of each question; `[]` for an unanswerable one.
        normalization: as for `answer_scores`.

    Returns:
        `best_exact`, `best_exact_thresh`, `best_f1` and `best_f1_thresh`.

    Example:
        >>> optimistic_best(["Ada", "Bob"], np.array([-1.0, 2.0]), [["Ada"], []])
        {'best_exact': 1.0, 'best_exact_thresh': -1.0, 'best_f1': 1.0, 'best_f1_thresh': -1.0}
    """
    scores = answer_scores(spans, gold_texts, normalization)
    answerable, answered = (np.array([bool(part) for part in parts]) for parts in (gold_texts, spans))
    result: dict[str, float] = {}
    for name in ("exact", "f1"):
        best = best_null_threshold(getattr(scores, name), np.asarray(null_odds), answerable, answered)
        result |= {f"best_{name}": best.score, f"best_{name}_thresh": best.threshold}
    return result


def first_sentence(context: str) -> str:
    """Return a text's first sentence; all of it where none ends.

    Example:
        >>> first_sentence("It has 3.5 m. They said so."), first_sentence("他说：“好。”后来走了。")
        ('It has 3.5 m.', '他说：“好。”')
    """
    text = context.lstrip()
    end = _SENTENCE_END.search(text)
    return text[: end.end()] if end else text

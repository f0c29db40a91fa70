"""From the outputs of all windows to an answer for each question."""

from dataclasses import dataclass

import numpy as np

from keras_albert.tasks.question_answering import verifier_decoding
from keras_albert.tasks.question_answering.answers import (
    NO_ANSWER_ODDS,
    NO_SPAN_SCORE,
    AnswerSpan,
    QuestionAnswer,
)
from keras_albert.tasks.question_answering.decoding import best_spans, every_span, span_candidates
from keras_albert.tasks.question_answering.encoding import EncodedQuestions
from keras_albert.tasks.question_answering.locating import TokenizedContext
from keras_albert.tasks.question_answering.windows import QuestionWindows


@dataclass(frozen=True)
class AnswerSettings:
    """How spans are searched and when a question counts as unanswerable; see `AlbertQuestionAnswerer`."""

    null_threshold: float | None = None
    n_best_size: int = 20
    max_answer_length: int = 30


def answers_of(
    outputs: dict[str, np.ndarray], encoded: EncodedQuestions, settings: AnswerSettings
) -> list[QuestionAnswer]:
    """Answer every question.

    Args:
        outputs: outputs of the model for the rows of `encoded`; with a beam (`top_starts` and so on) they are the
            verifier head's.
        encoded: questions, contexts and windows.
        settings: how to search and to decide.
    """
    answer = _verified_answer if "top_starts" in outputs else _span_answer
    return [
        answer({name: array[rows] for name, array in outputs.items()}, context, windows, settings)
        for (rows, windows), context in zip(encoded.windows(), encoded.contexts, strict=True)
    ]


def _span_answer(
    outputs: dict[str, np.ndarray], context: TokenizedContext, windows: QuestionWindows, settings: AnswerSettings
) -> QuestionAnswer:
    start, end = outputs["start"], outputs["end"]
    n_best_size, longest = settings.n_best_size, settings.max_answer_length
    candidates = span_candidates(start, end, windows, n_best_size, longest)
    spans = best_spans(candidates, context.text, context.starts, context.ends, n_best_size)
    if not spans:
        candidates = every_span(start, end, windows, longest)
        spans = best_spans(candidates, context.text, context.starts, context.ends, 1)
    null_score = float((start[:, 0].astype("float64") + end[:, 0]).min())
    odds = null_score - spans[0].score if spans else NO_ANSWER_ODDS
    threshold = settings.null_threshold
    return _question_answer(spans, null_score, odds, threshold is None or odds <= threshold)


def _verified_answer(
    outputs: dict[str, np.ndarray], context: TokenizedContext, windows: QuestionWindows, settings: AnswerSettings
) -> QuestionAnswer:
    candidates = verifier_decoding.beam_candidates(
        outputs["top_starts"],
        outputs["top_start_log_probs"],
        outputs["top_ends"],
        outputs["top_end_log_probs"],
        windows,
        outputs["start"].shape[-1],
        settings.max_answer_length,
    )
    spans = best_spans(candidates, context.text, context.starts, context.ends, settings.n_best_size)
    if not spans:
        candidates = verifier_decoding.every_token(outputs["start"], outputs["top_end_log_probs"], windows)
        spans = best_spans(candidates, context.text, context.starts, context.ends, 1)
    null_score = verifier_decoding.null_score(outputs["unanswerable"][:, 0])
    odds = null_score if spans else NO_ANSWER_ODDS
    threshold = settings.null_threshold
    return _question_answer(spans, null_score, odds, threshold is None or odds < threshold)


def _question_answer(
    spans: tuple[AnswerSpan, ...], null_score: float, null_odds: float, is_answered: bool
) -> QuestionAnswer:
    if not spans:
        return QuestionAnswer("", 0, 0, NO_SPAN_SCORE, null_score, null_odds, ())
    best = spans[0]
    text, start, end = (best.text, best.start, best.end) if is_answered else ("", 0, 0)
    return QuestionAnswer(text, start, end, best.score, null_score, null_odds, spans)

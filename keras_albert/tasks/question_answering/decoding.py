"""From the scores of starts and ends to the best spans of a question.

`accumulate_predictions_v1` and `write_predictions_v1` of google-research/albert squad_utils.py, in NumPy.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from keras_albert.tasks.question_answering.answers import AnswerSpan
from keras_albert.tasks.question_answering.windows import QuestionWindows


@dataclass(frozen=True)
class SpanCandidates:
    """Spans of one question's context that may be its answer, in the order in which they were found.

    Args:
        window: int (C,), the window that each was found in.
        first: int (C,), index of the first token in the context.
        last: int (C,), index of the last token in the context.
        first_score: float64 (C,), score of the first token as a start.
        last_score: float64 (C,), score of the last token as an end.
    """

    window: np.ndarray
    first: np.ndarray
    last: np.ndarray
    first_score: np.ndarray
    last_score: np.ndarray

    def __len__(self) -> int:
        return len(self.window)

    @property
    def score(self) -> np.ndarray:
        """Sum of both scores, float64 (C,)."""
        return self.first_score + self.last_score


def best_indices(scores: np.ndarray, size: int) -> np.ndarray:
    """Return the indices of the `size` largest scores along the last axis, best first; equal scores keep their order.

    Example:
        >>> best_indices(np.array([1.0, 3.0, 2.0, 3.0]), 3).tolist()
        [1, 3, 2]
    """
    return np.argsort(-scores, axis=-1, kind="stable")[..., :size]


def span_candidates(
    start_logits: np.ndarray, end_logits: np.ndarray, windows: QuestionWindows, n_best_size: int, max_answer_length: int
) -> SpanCandidates:
    """Pair the best starts of each window with its best ends.

    Args:
        start_logits: float (w, S).
        end_logits: float (w, S).
        windows: the question's windows.
        n_best_size: number of starts, and of ends, that are looked at.
        max_answer_length: the most tokens in a span.

    Returns:
        The pairs that are spans of the context.
    """
    starts = best_indices(start_logits, n_best_size)
    ends = best_indices(end_logits, n_best_size)
    return valid_candidates(
        starts[:, :, None],
        np.take_along_axis(start_logits, starts, axis=-1)[:, :, None],
        ends[:, None, :],
        np.take_along_axis(end_logits, ends, axis=-1)[:, None, :],
        windows,
        start_logits.shape[-1],
        max_answer_length,
    )


def valid_candidates(
    starts: np.ndarray,
    start_scores: np.ndarray,
    ends: np.ndarray,
    end_scores: np.ndarray,
    windows: QuestionWindows,
    length: int,
    max_answer_length: int,
) -> SpanCandidates:
    """Keep the pairs that are spans of the context: in order, not too long, found where the start has most context.

    Args:
        starts, ends: int positions in the rows, and `start_scores`, `end_scores` as many floats; they broadcast to
            (w, n, m).
        windows: the question's windows.
        length: length S of the rows.
        max_answer_length: the most tokens in a span.
    """
    starts, start_scores, ends, end_scores = np.broadcast_arrays(starts, start_scores, ends, end_scores)
    window = np.broadcast_to(np.arange(len(starts))[:, None, None], starts.shape)
    past_the_context = windows.offset + windows.spans[:, 1][:, None, None]
    keep = windows.starts_that_count(length)[window, starts]
    keep &= (ends >= starts) & (ends < past_the_context) & (ends - starts < max_answer_length)
    to_context = windows.spans[:, 0][window[keep]] - windows.offset
    return SpanCandidates(
        window[keep],
        starts[keep] + to_context,
        ends[keep] + to_context,
        start_scores[keep].astype("float64"),
        end_scores[keep].astype("float64"),
    )


def every_span(
    start_logits: np.ndarray,
    end_logits: np.ndarray,
    windows: QuestionWindows,
    max_answer_length: int,
) -> SpanCandidates:
    """Return the best end of every start, for the case that no pair of the best starts and ends is a span."""
    length = start_logits.shape[-1]
    starts = np.arange(length)[None, :, None]
    ends = starts + np.arange(max_answer_length)[None, None, :]
    within = np.minimum(ends, length - 1)
    end_scores = np.take_along_axis(end_logits[:, None, :], within.repeat(len(end_logits), 0), axis=-1)
    return valid_candidates(starts, start_logits[:, :, None], ends, end_scores, windows, length, max_answer_length)


def accumulate(runs: Sequence[SpanCandidates]) -> SpanCandidates:
    """Join the candidates of several runs (models, for example) on the same windows; each span's scores are averaged.

    A span that only some runs found has the average of these.
    """
    if len(runs) == 1:
        return runs[0]
    sums: dict[tuple[int, int, int], list[float]] = {}
    for run in runs:
        for key_and_scores in zip(
            run.window.tolist(),
            run.first.tolist(),
            run.last.tolist(),
            run.first_score.tolist(),
            run.last_score.tolist(),
            strict=True,
        ):
            found = sums.setdefault(key_and_scores[:3], [0.0, 0.0, 0.0])
            for index, value in enumerate((*key_and_scores[3:], 1.0)):
                found[index] += value
    # Windows one after the other, in each the spans as they were found.
    keys = sorted(sums, key=lambda key: key[0])
    window, first, last = np.array(keys, "int64").reshape(-1, 3).T
    start_sum, end_sum, count = np.array([sums[key] for key in keys]).reshape(-1, 3).T
    return SpanCandidates(window, first, last, start_sum / count, end_sum / count)


def best_spans(
    candidates: SpanCandidates,
    context: str,
    token_starts: np.ndarray,
    token_ends: np.ndarray,
    n_best_size: int,
    keep_blank: bool = False,
) -> tuple[AnswerSpan, ...]:
    """Return the best candidates whose texts differ, best first.

    Args:
        candidates: spans of tokens.
        context: the question's context.
        token_starts: int (tokens,), where each token begins in the context.
        token_ends: int (tokens,), where it ends.
        n_best_size: the most spans to return.
        keep_blank: whether a span of white space alone counts, as in Google's code, with the text "".

    Returns:
        Spans whose text is `context[start:end]`, without white space around it.
    """
    order = best_indices(candidates.score, len(candidates))
    found: dict[str, tuple[int, int, float]] = {}
    for index in order.tolist():
        if len(found) == n_best_size:
            break
        span = _visible(context, int(token_starts[candidates.first[index]]), int(token_ends[candidates.last[index]]))
        text = context[span[0] : span[1]]
        if text not in found and (text or keep_blank):
            found[text] = (*span, float(candidates.score[index]))
    probabilities = softmax([score for _, _, score in found.values()])
    return tuple(
        AnswerSpan(text, start, end, score, probability)
        for (text, (start, end, score)), probability in zip(found.items(), probabilities, strict=True)
    )


def _visible(context: str, start: int, end: int) -> tuple[int, int]:
    """Return the span without the white space at its ends."""
    text = context[start:end]
    start += len(text) - len(text.lstrip())
    return start, start + len(text.strip())


def softmax(scores: Sequence[float]) -> list[float]:
    """Return probabilities that sum to 1; of no scores, none."""
    exponentials = [math.exp(score - max(scores)) for score in scores]
    total = sum(exponentials)
    return [value / total for value in exponentials]

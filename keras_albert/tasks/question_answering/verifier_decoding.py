"""From the verifier head's beam to the best spans of a question.

`accumulate_predictions_v2` and `write_predictions_v2` of google-research/albert squad_utils.py, in NumPy.
"""

import numpy as np

from keras_albert.tasks.question_answering.decoding import SpanCandidates, valid_candidates
from keras_albert.tasks.question_answering.windows import QuestionWindows


def beam_candidates(
    top_starts: np.ndarray,
    top_start_log_probs: np.ndarray,
    top_ends: np.ndarray,
    top_end_log_probs: np.ndarray,
    windows: QuestionWindows,
    length: int,
    max_answer_length: int,
) -> SpanCandidates:
    """Pair each of the best starts with the best ends given that start.

    Args:
        top_starts: int (w, k), positions in the rows.
        top_start_log_probs: float (w, k).
        top_ends: int (w, k, m).
        top_end_log_probs: float (w, k, m).
        windows: the question's windows.
        length: length S of the rows.
        max_answer_length: the most tokens in a span.

    Returns:
        The pairs that are spans of the context.
    """
    return valid_candidates(
        top_starts[:, :, None],
        top_start_log_probs[:, :, None],
        top_ends,
        top_end_log_probs,
        windows,
        length,
        max_answer_length,
    )


def every_token(start_logits: np.ndarray, top_end_log_probs: np.ndarray, windows: QuestionWindows) -> SpanCandidates:
    """Return every token as a span of its own, for the case that the beam holds no span of the context.

    Args:
        start_logits: float (w, S).
        top_end_log_probs: float (w, k, m). Ends outside of the beam are less likely than its last: that one's
            log-probability stands for theirs.
        windows: the question's windows.
    """
    largest = start_logits.max(axis=-1, keepdims=True)
    log_sum = np.log(np.exp(start_logits - largest).sum(axis=-1, keepdims=True))
    positions = np.arange(start_logits.shape[-1])[None, :, None]
    return valid_candidates(
        positions,
        (start_logits - largest - log_sum)[:, :, None],
        positions,
        top_end_log_probs.min(axis=(1, 2))[:, None, None],
        windows,
        start_logits.shape[-1],
        max_answer_length=1,
    )


def null_score(unanswerable_logits: np.ndarray) -> float:
    """Return a question's score of having no answer.

    Args:
        unanswerable_logits: float (w,) of its windows, or (runs, w) of several runs.

    Returns:
        The least of the windows, averaged over runs.
    """
    return float(np.asarray(unanswerable_logits, "float64").min(axis=-1).mean())

"""The threshold from which on a question counts as unanswerable.

`find_best_thresh_v2` and `apply_no_ans_threshold` of google-research/albert squad_utils.py.
"""

from typing import NamedTuple

import numpy as np


class BestThreshold(NamedTuple):
    """A threshold and what it is worth.

    Args:
        score: mean score with it, in [0, 1].
        threshold: questions of null odds up to it are answered.
    """

    score: float
    threshold: float


def best_null_threshold(
    scores: np.ndarray, null_odds: np.ndarray, answerable: np.ndarray, answered: np.ndarray
) -> BestThreshold:
    """Find the threshold with the best mean score.

    It is optimistic on the rows that it was found on: look for it on others than those reported.

    Args:
        scores: float (N,), the score of each question's span, exact match or F1, in [0, 1].
        null_odds: float (N,), how much each question seems unanswerable.
        answerable: bool (N,), whether it has an answer.
        answered: bool (N,), whether its span is a text at all: leaving an unanswerable question empty is right.

    Returns:
        The null odds of one of the questions; 0 where answering nothing is best. Google's code means "nothing" by this
        0 but answers what is below it: compare `score` with the share of unanswerable questions.

    Example:
        >>> scores, odds = np.array([1.0, 0.5, 0.0]), np.array([-2.0, 1.0, 3.0])
        >>> best_null_threshold(scores, odds, np.array([True, True, False]), np.array([True, True, True]))
        BestThreshold(score=0.8333333333333334, threshold=1.0)
    """
    order = np.argsort(null_odds, kind="stable")
    odds = np.asarray(null_odds)[order]
    unanswerable = ~np.asarray(answerable, bool)
    # What changes when a question is answered instead of left empty.
    gains = np.where(unanswerable, -np.asarray(answered, "float64"), scores)[order]
    totals = unanswerable.sum() + np.cumsum(gains)
    totals[:-1][odds[1:] == odds[:-1]] = -np.inf  # no threshold lies between equal odds; Google's code tries there too
    best = int(np.argmax(totals))
    nothing, score = float(unanswerable.mean()), float(totals[best]) / len(totals)
    return BestThreshold(score, float(odds[best])) if score > nothing else BestThreshold(nothing, 0.0)


def with_threshold(scores: np.ndarray, null_odds: np.ndarray, answerable: np.ndarray, threshold: float) -> np.ndarray:
    """Return the scores with each question above the threshold left empty, float (N,).

    Args:
        scores: float (N,), the score of each question's span.
        null_odds: float (N,), how much each question seems unanswerable.
        answerable: bool (N,), whether it has an answer.
        threshold: questions of greater null odds are left empty, which is right where there is no answer.

    Example:
        >>> with_threshold(np.array([1.0, 0.5]), np.array([0.0, 2.0]), np.array([True, False]), threshold=1.0)
        array([1., 1.])
    """
    return np.where(null_odds > threshold, 1.0 - answerable, scores)

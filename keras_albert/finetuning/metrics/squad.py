"""Exact match and F1 of answers by SQuAD's rules, v1.1 and v2.0.

`evaluate_v1` and `get_raw_scores` of google-research/albert squad_utils.py; Rajpurkar et al. 2016 and 2018.
"""

import re
import string
from collections import Counter
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


class AnswerScores(NamedTuple):
    """The scores of N answers.

    Args:
        exact: exact match, float64 (N,), 0 or 1.
        f1: overlap, float64 (N,), in [0, 1].
    """

    exact: np.ndarray
    f1: np.ndarray


def normalize_answer(text: str) -> str:
    """Return the words that count, with one blank between them.

    Lower case; ASCII punctuation goes, other punctuation stays; then `a`, `an` and `the` go where they are whole words.

    Example:
        >>> normalize_answer("The  U.S.A, “a” la carte")
        'usa “ ” la carte'
    """
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_NO_PUNCTUATION)).split())


def squad_scores(
    predictions: Sequence[str | None], gold_texts: Sequence[Sequence[str]], rules: Literal["v1.1", "v2.0"] = "v2.0"
) -> AnswerScores:
    """Compare answers with the right ones; the best of these counts, for each score alone.

    The rules differ where nothing is left of an answer after `normalize_answer`. v1.1: two such answers match, with an
    F1 of 0. v2.0: they match, with an F1 of 1, and right answers without anything left are dropped where others remain;
    a question without right answers wants "".

    Args:
        predictions: N answers, "" for none; None for one that is missing, which scores 0 (Google's v2.0 leaves such
            questions out of its averages).
        gold_texts: the right answers of each question; `[]` for an unanswerable one, which v1.1 does not have.
        rules: "v1.1" or "v2.0".

    Raises:
        ValueError: other rules, another number of predictions than of questions, or a question without right answers
            under v1.1.

    Example:
        >>> scores = squad_scores(["the big cat", ""], [["big black cat", "dog"], []])
        >>> scores.exact, scores.f1
        (array([0., 1.]), array([0.8, 1. ]))
    """
    if rules not in ("v1.1", "v2.0"):
        raise ValueError(f'Expected rules to be "v1.1" or "v2.0". Received: rules={rules!r}')
    if len(predictions) != len(gold_texts):
        raise ValueError(f"Expected one prediction a question. Received: {len(predictions)} for {len(gold_texts)}")
    if rules == "v1.1" and not all(gold_texts):
        raise ValueError('Expected a right answer for every question under rules="v1.1"; v2.0 knows unanswerable ones.')
    pairs = zip(predictions, gold_texts, strict=True)
    scores = [(0.0, 0.0) if text is None else _score(text, golds, rules == "v2.0") for text, golds in pairs]
    exact, f1 = np.array(scores, "float64").reshape(-1, 2).T
    return AnswerScores(exact, f1)


def _score(prediction: str, gold_texts: Sequence[str], version_2: bool) -> tuple[float, float]:
    golds = [normalize_answer(text) for text in gold_texts]
    if version_2:
        golds = [gold for gold in golds if gold] or [""]
    text = normalize_answer(prediction)
    return float(text in golds), max(_overlap(text.split(), gold.split(), version_2) for gold in golds)


def _overlap(prediction: list[str], gold: list[str], version_2: bool) -> float:
    if version_2 and not (prediction and gold):
        return float(prediction == gold)
    common = (Counter(prediction) & Counter(gold)).total()
    # Twice the product over the sum of both shares; with no common word, 0 by definition.
    return 2 * common / (len(prediction) + len(gold)) if common else 0.0

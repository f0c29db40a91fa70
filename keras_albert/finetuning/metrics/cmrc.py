"""Exact match and F1 of answers by the rules of CMRC 2018.

`cmrc2018_evaluate.py` of ymcui/cmrc2018; Cui et al. 2019, section 3.1. F1 there is over the longest common SUBSTRING of
segments, not over common words as in SQuAD.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from keras_albert.finetuning.metrics.squad import AnswerScores

# Of the script's list `……` is left out: it has two characters and is compared with single ones.
_PUNCTUATION = frozenset("-:_*^/\\~`+=，。：？！“”；’《》·、「」（）－～『』")


def cmrc_scores(predictions: Sequence[str | None], gold_texts: Sequence[Sequence[str]]) -> AnswerScores:
    """Compare answers with the right ones; the best of these counts, for each score alone.

    Exact match wants the same characters but for case, punctuation of a fixed list, and blanks at both ends; blanks
    inside count. F1 cuts both into segments (`segments`); answers of nothing but punctuation match, with an F1 of 0.

    Args:
        predictions: N answers; None for one that is missing, which scores 0 (the script's SKIP).
        gold_texts: the right answers of each question; `[]` for an unanswerable one, which wants "" as in SQuAD v2.0
            (CMRC 2018 has none).

    Raises:
        ValueError: another number of predictions than of questions.

    Example:
        >>> scores = cmrc_scores(["中国北京"], [["北京", "中国首都北京"]])
        >>> scores.exact, scores.f1.round(3)
        (array([0.]), array([0.667]))
    """
    if len(predictions) != len(gold_texts):
        raise ValueError(f"Expected one prediction a question. Received: {len(predictions)} for {len(gold_texts)}")
    pairs = zip(predictions, gold_texts, strict=True)
    scores = [(0.0, 0.0) if text is None else _score(text, golds) for text, golds in pairs]
    exact, f1 = np.array(scores, "float64").reshape(-1, 2).T
    return AnswerScores(exact, f1)


def segments(text: str, keep_punctuation: bool = False) -> list[str]:
    """Cut a text into segments: Chinese characters one by one, what stands between them by NLTK's word tokenizer.

    NLTK's rules changed since the script was written: since 3.5 `–` and `—` are segments of their own, a run of full
    stops is one, and an opening `'` is cut off. The script itself follows whatever version is installed.

    Args:
        text: an answer; case does not count.
        keep_punctuation: whether the punctuation that the figures leave out comes along, a segment each.

    Example:
        >>> segments("2010年《iPhone 手机》50%")
        ['2010', '年', 'iphone', '手', '机', '50', '%']
    """
    result: list[str] = []
    run = ""
    for character in text.lower().strip():
        if character in _PUNCTUATION and not keep_punctuation:
            continue
        if character in _PUNCTUATION or "\u4e00" <= character <= "\u9fa5":
            result += [*_words(run), character]
            run = ""
        else:
            run += character
    return result + _words(run)


def _words(run: str) -> list[str]:
    return _word_tokenizer().tokenize(run) if run else []


@cache
def _word_tokenizer() -> Any:
    from nltk.tokenize import NLTKWordTokenizer  # 440 modules, which nothing else needs

    return NLTKWordTokenizer()


def _score(prediction: str, gold_texts: Sequence[str]) -> tuple[float, float]:
    if not gold_texts:
        return float(not prediction), float(not prediction)
    exact = _bare(prediction) in map(_bare, gold_texts)
    found = segments(prediction)
    return float(exact), max(_overlap(found, segments(gold)) for gold in gold_texts)


def _bare(text: str) -> str:
    return "".join(character for character in text.lower().strip() if character not in _PUNCTUATION)


def _overlap(prediction: list[str], gold: list[str]) -> float:
    common = longest_common_run(prediction, gold)
    return 2 * common / (len(prediction) + len(gold)) if common else 0.0


def longest_common_run(first: Sequence[str], second: Sequence[str]) -> int:
    """Return the length of the longest run of segments that stands in both.

    Example:
        >>> longest_common_run("北 上 京 海".split(), "北 京 上 海".split())
        1
    """
    longest = 0
    ending_before = [0] * (len(second) + 1)  # per place in `second`: length of the common run that ends there
    for segment in first:
        ending = [0]
        for place, other in enumerate(second):
            ending.append(ending_before[place] + 1 if segment == other else 0)
        longest = max(longest, *ending)
        ending_before = ending
    return longest

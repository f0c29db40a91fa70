"""Words of raw texts and where they stand: what a token classifier gives one tag each.

White space ends a word, and punctuation, symbols, Chinese and Japanese characters are words of their own, as in
`BasicTokenizer` of google-research/albert tokenization.py; here no character is lost and every word has its place.
"""

import unicodedata
from dataclasses import dataclass
from typing import Any

import numpy as np

from keras_albert.text.basic_tokenization import is_cjk

Span = tuple[int, int]

# Besides `is_cjk`, which leaves kana to longer words: Japanese is written without blanks too.
_JAPANESE = ((0x3005, 0x3007), (0x3040, 0x30FF), (0x31F0, 0x31FF), (0xFF66, 0xFF9F))
_LATER_IDEOGRAPHS = (0x30000, 0x3FFFF)  # Unicode's third ideographic plane, younger than BERT's list
_EXPECTED = "Expected a list of texts (strings), or a list of lists of words."


@dataclass(frozen=True)
class WordedTexts:
    """Texts and their words.

    Args:
        texts: N strings.
        spans: for each text the [start, end) of each of its words, in order.
    """

    texts: list[str]
    spans: list[list[Span]]

    @property
    def words(self) -> list[list[str]]:
        """The words themselves, a list for each text."""
        return [[text[start:end] for start, end in spans] for text, spans in zip(self.texts, self.spans, strict=True)]

    @property
    def word_counts(self) -> np.ndarray:
        """Number of words of each text, int64 (N,)."""
        return np.array([len(spans) for spans in self.spans], "int64")


class _CharacterKinds(dict[str, str]):
    """What each character does to words, worked out when it is first met."""

    def __missing__(self, character: str) -> str:
        category = unicodedata.category(character)
        code_point = ord(character)
        if character.isspace():
            kind = "blank"
        elif category[0] == "M" or category == "Cf":
            kind = "mark"  # an accent, a variation selector, a joiner: part of what stands before it
        elif category[0] in "PS" or _is_ideographic(code_point):
            kind = "alone"
        else:
            kind = "part"
        self[character] = kind
        return kind


def _is_ideographic(code_point: int) -> bool:
    ranges = (*_JAPANESE, _LATER_IDEOGRAPHS)
    return is_cjk(code_point) or any(first <= code_point <= last for first, last in ranges)


_KINDS = _CharacterKinds()


def split_words(text: str) -> list[Span]:
    """Return the [start, end) of each word of a text.

    White space is between words and in none. Each punctuation mark and symbol (an emoji too) and each Chinese or
    Japanese character is a word, together with the accents, variation selectors and joiners that follow it. All else is
    a word up to the next of these; Thai, which is written without blanks, is hardly split.

    Example:
        >>> text = "Don't  panic, 我爱 🎉"
        >>> [text[start:end] for start, end in split_words(text)]
        ['Don', "'", 't', 'panic', ',', '我', '爱', '🎉']
    """
    spans: list[Span] = []
    start = 0
    previous = "blank"
    for position, character in enumerate(text):
        kind = _KINDS[character]
        if kind == "mark" and previous != "blank":
            continue
        if kind == "mark":
            kind = "part"  # nothing stands before it
        if kind == previous == "part":
            continue
        if previous != "blank":
            spans.append((start, position))
        start, previous = position, kind
    if previous != "blank":
        spans.append((start, len(text)))
    return spans


def split_characters(text: str) -> list[Span]:
    """Return the [start, end) of each character that is not white space, as data with a tag a character need it.

    Example:
        >>> split_characters("我 am")
        [(0, 1), (2, 3), (3, 4)]
    """
    return [(position, position + 1) for position, character in enumerate(text) if not character.isspace()]


SPLITS = {"words": split_words, "characters": split_characters}


def join_words(words: list[str]) -> tuple[str, list[Span]]:
    """Put words into one text, a blank between them, and return it with their places.

    Example:
        >>> join_words(["New York", "!"])
        ('New York !', [(0, 8), (9, 10)])
    """
    spans: list[Span] = []
    start = 0
    for word in words:
        spans.append((start, start + len(word)))
        start += len(word) + 1
    return " ".join(words), spans


def as_worded_texts(x: Any, split: str) -> WordedTexts:
    """Bring raw input to texts and words.

    Args:
        x: a list, array or data-frame column of N texts, which are split; or of N lists of words, which are kept as
            they are and joined by blanks.
        split: "words" (`split_words`) or "characters" (`split_characters`).

    Raises:
        ValueError: anything else, a missing value, or nothing at all.
    """
    rows = _rows(x)
    texts: list[str] = []
    spans: list[list[Span]] = []
    holds_texts = isinstance(rows[0], str | bytes)
    for row, value in enumerate(rows):
        if isinstance(value, str | bytes) != holds_texts:
            raise ValueError(f"{_EXPECTED} Received: {_described(value)} in row {row}{_advice(value)}")
        text = _text(value, f"row {row}") if holds_texts else ""
        if holds_texts:
            places = SPLITS[split](text)
        else:
            text, places = join_words(_words(value, row))
        texts.append(text)
        spans.append(places)
    return WordedTexts(texts, spans)


def _rows(x: Any) -> list[Any]:
    if isinstance(x, str | bytes):
        raise ValueError(f"{_EXPECTED} Received: one text, {x!r:.100}; put it in a list")
    if isinstance(x, tuple) or not (isinstance(x, list) or hasattr(x, "__array__")):
        raise ValueError(f"{_EXPECTED} Received: a {type(x).__name__}")
    rows = x if isinstance(x, list) else list(np.asarray(x))
    if not rows:
        raise ValueError(f"{_EXPECTED} Received: no text at all")
    return rows


def _words(value: Any, row: int) -> list[str]:
    if not isinstance(value, list | tuple | np.ndarray):
        raise ValueError(f"{_EXPECTED} Received: {_described(value)} in row {row}{_advice(value)}")
    return [_text(word, f"row {row}, word {place}") for place, word in enumerate(value)]


def _text(value: Any, place: str) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if not isinstance(value, str):
        raise ValueError(f"{_EXPECTED} Received: {_described(value)} in {place}{_advice(value)}")
    return str(value)  # a NumPy string becomes a plain one


def _described(value: Any) -> str:
    return f"{value!r:.100} ({type(value).__name__})"


def _advice(value: Any) -> str:
    is_missing = value is None or (isinstance(value, float) and value != value)  # a NaN differs from itself
    return ". Drop missing values, or replace them by an empty string." if is_missing else ""

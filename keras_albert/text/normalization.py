"""Google's text normalization before SentencePiece, plain and with the source span of each character.

Follows `preprocess_text` of google-research/albert `tokenization.py`; case and accents are separate options here.
"""

import re
import unicodedata
from collections.abc import Sequence

_SURROGATE = re.compile("[\ud800-\udfff]")
_WORD = re.compile(r"\S+")
_FIRST_COMBINING_MARK = "\u0300"


def replace_surrogates(text: str) -> str:
    """Return `text` with each lone surrogate replaced by U+FFFD, as it has no UTF-8 form; the length stays."""
    if text.isascii():
        return text
    return _SURROGATE.sub("\ufffd", text)


def normalize(text: str, lowercase: bool = True, strip_accents: bool = True) -> str:
    r"""Normalize a text as Google's ALBERT does before SentencePiece.

    White space is collapsed first, so that a blank which NFKD makes (of U+00A8, for example) stays. Lone surrogates
    become U+FFFD.

    Args:
        text: any string.
        lowercase: whether to lower-case, with the final sigma of a whole text.
        strip_accents: whether to apply NFKD and then drop every character of a non-zero combining class. Without it
            the accents stay, for a vocabulary that has them.

    Returns:
        The normalized text.

    >>> normalize("  São\tPaulo, ﬁn… ")
    'sao paulo, fin...'
    >>> normalize("ÇOCUK", strip_accents=False)
    'çocuk'
    """
    collapsed = " ".join(text.split())
    if collapsed.isascii():
        return collapsed.lower() if lowercase else collapsed
    collapsed = replace_surrogates(collapsed)
    if strip_accents:
        collapsed = _drop_combining(unicodedata.normalize("NFKD", collapsed))
    return collapsed.lower() if lowercase else collapsed


def normalize_with_alignment(
    text: str, lowercase: bool = True, strip_accents: bool = True
) -> tuple[str, Sequence[int], Sequence[int]]:
    r"""Normalize a text and say for each character of the result which characters of the source it stands for.

    A character that becomes several gives each of them its own span. A combining mark that is dropped belongs to the
    character before it; a run of white space is the span of its one blank.

    Args:
        text: any string.
        lowercase: as in `normalize`.
        strip_accents: as in `normalize`.

    Returns:
        The normalized text of length N, and two sequences of length N: `starts` and `ends` such that
        `text[starts[i]:ends[i]]` is the source of character i.

    >>> normalize_with_alignment("Cafe\u0301 …")
    ('cafe ...', [0, 1, 2, 3, 5, 6, 6, 6], [1, 2, 3, 5, 6, 7, 7, 7])
    """
    normalized = normalize(text, lowercase, strip_accents)
    if text.isascii() and len(normalized) == len(text):
        # ASCII text changes its length by collapsed white space only.
        return normalized, range(len(text)), range(1, len(text) + 1)
    starts: list[int] = []
    ends: list[int] = []
    previous_end = 0
    for word in _WORD.finditer(text):
        if starts or previous_end:
            starts.append(previous_end)
            ends.append(word.start())
        previous_end = word.end()
        if word.group().isascii():
            starts.extend(range(word.start(), word.end()))
            ends.extend(range(word.start() + 1, word.end() + 1))
        else:
            _align_word(word, lowercase, strip_accents, starts, ends)
    return normalized, starts, ends


def _align_word(word: re.Match[str], lowercase: bool, strip_accents: bool, starts: list[int], ends: list[int]) -> None:
    # One character at a time is enough for the lengths: NFKD reorders dropped marks only, and the final sigma, the one
    # case mapping that looks at its neighbours, has the length of the other.
    for position, character in enumerate(word.group(), start=word.start()):
        length = len(_normalize_character(character, lowercase, strip_accents))
        if length:
            starts.extend([position] * length)
            ends.extend([position + 1] * length)
        elif ends:
            ends[-1] = position + 1


def _normalize_character(character: str, lowercase: bool, strip_accents: bool) -> str:
    if strip_accents:
        character = _drop_combining(unicodedata.normalize("NFKD", character))
    return character.lower() if lowercase else character


def _drop_combining(text: str) -> str:
    # The set of distinct characters is small and made at C speed; a test of every character is not.
    marks = [mark for mark in set(text) if mark >= _FIRST_COMBINING_MARK and unicodedata.combining(mark)]
    return text.translate(dict.fromkeys(map(ord, marks))) if marks else text

"""Steps of Hugging Face's `tokenizer.json` that change and split a text as this package does.

The format is that of huggingface/tokenizers (`normalizers` and `pre_tokenizers`). Sets of characters are written out
from this Python's Unicode tables: that library's own steps take other characters, from older tables. Its decompositions
(NFD, NFKD) lack the 73 characters that came after Unicode 11.
"""

import functools
import itertools
from collections.abc import Callable, Iterable
from typing import Any

__all__ = ["Step", "any_of", "any_where", "lowercase_steps", "replace", "sequence", "split"]

Step = dict[str, Any]

# Of the planes, 4 to 13 are empty and the last two are private. Surrogates have no UTF-8 form.
_CODE_POINTS = (range(0xD800), range(0xE000, 0x40000), range(0xE0000, 0xF0000))
_MOST_PASSED_OVER = 3


def replace(pattern: str, content: str) -> Step:
    """Return the step that puts a text in place of each match of a regular expression."""
    return {"type": "Replace", "pattern": {"Regex": pattern}, "content": content}


def split(pattern: str, behavior: str) -> Step:
    """Return the step that splits a text at each match of a regular expression.

    Args:
        pattern: a regular expression.
        behavior: where the match goes: `Isolated`, `MergedWithPrevious`, `MergedWithNext` or `Removed`.
    """
    return {"type": "Split", "pattern": {"Regex": pattern}, "behavior": behavior, "invert": False}


def sequence(kind: str, steps: list[Step]) -> Step:
    """Return steps as one; `kind` is the name of their list, `normalizers` or `pretokenizers`."""
    return {"type": "Sequence", kind: steps}


def lowercase_steps() -> list[Step]:
    """Return the steps that lower-case as Python does, which makes the last sigma of a word another letter.

    The Unicode Standard, table 3-17 (`Final_Sigma`). A look back has a fixed length there, so that at most three
    marks and apostrophes before the sigma are passed over.
    """
    letter, passed_over = any_where(_is_letter_before_sigma), any_where(_is_passed_over_before_sigma)
    before = "|".join(letter + passed_over * count for count in range(_MOST_PASSED_OVER + 1))
    return [replace(f"(?<={before})Σ(?!{passed_over}*{letter})", "ς"), {"type": "Lowercase"}]


def _is_letter_before_sigma(character: str) -> bool:
    return f"{character}Σ".lower().endswith("ς")


def _is_passed_over_before_sigma(character: str) -> bool:
    return not _is_letter_before_sigma(character) and f"a{character}Σ".lower().endswith("ς")


def any_of(characters: Iterable[str]) -> str:
    r"""Return a regular expression for one of several characters.

    >>> any_of("dcab]")
    '[\\]a-d]'
    """
    spans: list[list[int]] = []
    for code_point in sorted(map(ord, characters)):
        if spans and spans[-1][1] == code_point - 1:
            spans[-1][1] = code_point
        else:
            spans.append([code_point, code_point])
    return "[" + "".join(_span(chr(first), chr(last)) for first, last in spans) + "]"


@functools.cache
def any_where(is_wanted: Callable[[str], bool]) -> str:
    """Return a regular expression for one character of those that a function of a module says yes to."""
    return any_of(filter(is_wanted, map(chr, itertools.chain(*_CODE_POINTS))))


def _span(first: str, last: str) -> str:
    if first == last:
        return _escaped(first)
    return f"{_escaped(first)}-{_escaped(last)}"


def _escaped(character: str) -> str:
    return "\\" + character if character in "\\[]^-" else character

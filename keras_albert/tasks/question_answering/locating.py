"""Where an answer lies in its context, by characters and by tokens.

Stands in for the character alignment of google-research/albert squad_utils.py: here the tokenizer says where each token
comes from, so that no context is dropped, and any tokenizer with offsets will do.
"""

import re
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class TokenizedContext:
    """A context and its tokens.

    Args:
        text: the context.
        ids: int32 (tokens,).
        starts: int64 (tokens,), where each token begins in the text; never goes back.
        ends: int64 (tokens,), where each token ends in the text; never goes back.
    """

    text: str
    ids: np.ndarray
    starts: np.ndarray
    ends: np.ndarray

    def __len__(self) -> int:
        return len(self.ids)


def locate(answer: str, start: int, context: str) -> int | None:
    """Return where an answer begins: at `start` if it stands there, else at its nearest occurrence, None without one.

    Args:
        answer: not empty.
        start: where it is said to begin.
        context: the text that it is taken from.

    Example:
        >>> locate("Rome", 0, "  Rome is old"), locate("Oslo", 2, "  Rome is old")
        (2, None)
    """
    if start >= 0 and context.startswith(answer, start):
        return start
    occurrences = [match.start() for match in re.finditer(f"(?={re.escape(answer)})", context)]
    return min(occurrences, key=lambda position: abs(position - start), default=None)


def covering_tokens(context: TokenizedContext, start: int, end: int) -> tuple[int, int] | None:
    """Return the first and the last token of a span of characters, both whole; None where no token lies in it.

    Args:
        context: the tokens.
        start: index of the span's first character.
        end: index behind its last character.

    Example:
        >>> tokens = TokenizedContext("a fox", np.array([5, 6]), np.array([0, 2]), np.array([1, 5]))
        >>> covering_tokens(tokens, 3, 5)
        (1, 1)
    """
    first = int(np.searchsorted(context.ends, start, side="right"))
    last = int(np.searchsorted(context.starts, end, side="left")) - 1
    return (first, last) if first <= last else None

"""Packing of token ids into `[CLS] a [SEP]` or `[CLS] a [SEP] b [SEP]`, padded to a common length.

Follows `convert_single_example` and `_truncate_seq_pair` of google-research/albert classifier_utils.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import SupportsIndex

import numpy as np

# Padding follows the longest row, rounded up to one of these, so that few shapes are compiled: powers of two and their
# halfway points, multiples of 8 as matrix units like them.
ALLOWED_LENGTHS = (16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024)


@dataclass(frozen=True)
class SpecialIds:
    """The ids that packing adds: `[CLS]`, `[SEP]` and padding."""

    start: int
    end: int
    pad: int


@dataclass(frozen=True)
class TokenRows:
    """Rows of token ids of different lengths, in one flat int32 array.

    Row `i` is `flat[offsets[i] : offsets[i + 1]]`.
    """

    flat: np.ndarray
    offsets: np.ndarray

    @classmethod
    def from_lists(cls, rows: Sequence[Sequence[int]]) -> "TokenRows":
        """Copy rows of ids."""
        offsets = np.zeros(len(rows) + 1, "int64")
        np.cumsum([len(row) for row in rows], out=offsets[1:])
        return cls(np.fromiter(chain.from_iterable(rows), "int32", count=int(offsets[-1])), offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, index: SupportsIndex) -> np.ndarray:
        row = range(len(self))[index]  # a negative index counts from the end, one too large is an IndexError
        return self.flat[self.offsets[row] : self.offsets[row + 1]]

    @property
    def lengths(self) -> np.ndarray:
        """Number of ids in each row, int64 (rows,)."""
        return np.diff(self.offsets)


def allowed_length(longest: int, max_sequence_length: int) -> int:
    """Return the length to which a batch is padded whose longest row has that many tokens.

    Example:
        >>> allowed_length(33, max_sequence_length=512), allowed_length(33, max_sequence_length=40)
        (48, 40)
    """
    fitting = (length for length in ALLOWED_LENGTHS if length >= longest)
    return min(next(fitting, max_sequence_length), max_sequence_length)


def truncate_pair(first_length: int, second_length: int, budget: int) -> tuple[int, int]:
    """Return how many tokens each segment keeps: one by one the longer loses its last, on a tie the second does.

    Example:
        >>> truncate_pair(9, 4, budget=10)
        (6, 4)
        >>> truncate_pair(9, 8, budget=9)
        (5, 4)
    """
    excess = first_length + second_length - budget
    if excess <= 0:
        return first_length, second_length
    longer_by = abs(first_length - second_length)
    if excess <= longer_by:
        cut = (excess, 0) if first_length > second_length else (0, excess)
    else:
        # Once both are equally long the second goes first, so that it loses the odd token.
        level = min(first_length, second_length)
        rest = excess - longer_by
        return level - rest // 2, level - (rest + 1) // 2
    return first_length - cut[0], second_length - cut[1]


def packed_lengths(first: TokenRows, second: TokenRows | None) -> np.ndarray:
    """Return each row's length with its special tokens, before truncation, int64 (rows,)."""
    if second is None:
        return first.lengths + 2
    return first.lengths + second.lengths + 3


def pack(
    first: Sequence[np.ndarray], second: Sequence[np.ndarray] | None, special: SpecialIds, length: int
) -> dict[str, np.ndarray]:
    """Pack rows of ids, truncated and padded to one length.

    Args:
        first: ids of each row's first segment.
        second: ids of each row's second segment, or None where there is one segment.
        special: the ids of `[CLS]`, `[SEP]` and padding.
        length: the length S of every packed row, at least 3 for one segment and 5 for two.

    Returns:
        `token_ids`, `segment_ids` (1 on the second segment and its `[SEP]`) and `padding_mask` (1 on tokens), each
        int32 (rows, S).

    Example:
        >>> packed = pack([np.array([7, 8])], [np.array([9])], SpecialIds(start=2, end=3, pad=0), length=8)
        >>> packed["token_ids"].tolist(), packed["segment_ids"].tolist()
        ([[2, 7, 8, 3, 9, 3, 0, 0]], [[0, 0, 0, 0, 1, 1, 0, 0]])
    """
    rows = len(first)
    token_ids = np.full((rows, length), special.pad, "int32")
    segment_ids = np.zeros((rows, length), "int32")
    padding_mask = np.zeros((rows, length), "int32")
    for row in range(rows):
        a, b = first[row], None if second is None else second[row]
        if b is None:
            a = a[: length - 2]
        else:
            keep_a, keep_b = truncate_pair(len(a), len(b), length - 3)
            a, b = a[:keep_a], b[:keep_b]
        token_ids[row, 0] = special.start
        token_ids[row, 1 : len(a) + 1] = a
        token_ids[row, len(a) + 1] = special.end
        end = len(a) + 2
        if b is not None:
            token_ids[row, end : end + len(b)] = b
            token_ids[row, end + len(b)] = special.end
            segment_ids[row, end : end + len(b) + 1] = 1
            end += len(b) + 1
        padding_mask[row, :end] = 1
    return {"token_ids": token_ids, "segment_ids": segment_ids, "padding_mask": padding_mask}

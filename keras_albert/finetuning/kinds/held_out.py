"""Splitting off a part of the training rows without tearing groups apart."""

from collections.abc import Hashable, Sequence

import numpy as np


def split_groups(groups: Sequence[Hashable], share: float, least: int, seed: int) -> tuple[list[int], list[int]]:
    """Draw whole groups of rows until there are enough rows, and at most half of them all.

    Args:
        groups: the group of each of N rows, such as its article.
        share: the share of the rows to draw, in (0, 1).
        least: how many rows at least, if half of them are as many.
        seed: the same seed draws the same groups.

    Returns:
        The indices of the rows that stay and of those drawn, both in order; none are drawn where each group holds more
        than half of the rows.

    Example:
        >>> split_groups(["a", "a", "b", "c", "c"], share=0.2, least=1, seed=1)
        ([2, 3, 4], [0, 1])
    """
    rows_of: dict[Hashable, list[int]] = {}
    for row, group in enumerate(groups):
        rows_of.setdefault(group, []).append(row)
    most = len(groups) // 2
    wanted = min(max(round(share * len(groups)), least), most)
    drawn: list[int] = []
    members = list(rows_of.values())
    for number in np.random.default_rng(seed).permutation(len(members)).tolist():
        if len(drawn) < wanted and len(drawn) + len(members[number]) <= most:
            drawn += members[number]
    held_out = set(drawn)
    return [row for row in range(len(groups)) if row not in held_out], sorted(drawn)

"""Telling a training that learns nothing while it still runs: its loss stays at that of guessing.

Large models do so at rates that smaller ones take: table 14 of the paper (appendix A.4) has lower rates for them.
"""

from collections.abc import Mapping, Sequence

import numpy as np

LEAST_STEPS = 100
_POINTS = 10
_NEARNESS = 0.03  # of the loss of guessing


def is_stuck(curve: Sequence[Mapping[str, float]], guessing_loss: float | None) -> bool:
    """Say whether the last points of a curve all lie at the loss of guessing, or above it.

    Args:
        curve: points with `step` and `loss`.
        guessing_loss: the loss of equal scores, such as ln(classes); None where there is none.

    Example:
        >>> flat = [{"step": 10 * number, "loss": 0.693} for number in range(1, 21)]
        >>> is_stuck(flat, 0.6931), is_stuck(flat[:5], 0.6931), is_stuck(flat, 1.0986)
        (True, False, False)
    """
    if guessing_loss is None or not curve or curve[-1]["step"] < LEAST_STEPS:
        return False
    last = np.array([point["loss"] for point in curve[-_POINTS:]])
    return bool((last > (1 - _NEARNESS) * guessing_loss).all())

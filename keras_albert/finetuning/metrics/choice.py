"""The accuracy of chosen options.

The evaluation of google-research/albert run_race.py (`metric_fn`), over a whole split and for each level.
"""

from collections.abc import Sequence
from string import ascii_uppercase
from typing import Any

import numpy as np

from keras_albert.finetuning.metrics.metrics import Metrics


def choice_metrics(labels: np.ndarray, predictions: np.ndarray, levels: Sequence[str] | None = None) -> Metrics:
    """Return the accuracy, and that of each level where there are several.

    The baseline is the accuracy of the position that is right most often (the first of several such).

    Args:
        labels: positions of the right options, int (N,).
        predictions: positions of the chosen options, int (N,).
        levels: the part of the data of each question, such as RACE's middle and high; None for one part.

    Returns:
        The figures `accuracy` and, of several levels, `accuracy_LEVEL` of each; `details` holds the rows of each level.

    Example:
        >>> metrics = choice_metrics(np.array([0, 1, 1]), np.array([0, 1, 0]), ["middle", "high", "high"])
        >>> metrics.figures["accuracy_high"], metrics.baseline_name
        (0.5, 'always option B')
    """
    is_right = np.asarray(labels) == np.asarray(predictions)
    figures = {"accuracy": float(is_right.mean())}
    details: dict[str, Any] = {}
    names = list(dict.fromkeys(levels or ()))
    if len(names) > 1:
        of_level = {name: is_right[[level == name for level in levels or ()]] for name in names}
        figures |= {f"accuracy_{name}": float(right.mean()) for name, right in of_level.items()}
        details["rows_of_level"] = {name: len(right) for name, right in of_level.items()}
    counts = np.bincount(labels)
    position = int(counts.argmax())
    return Metrics(
        figures,
        main="accuracy",
        rows=len(is_right),
        baseline=float(counts[position] / len(is_right)),
        baseline_name=f"always option {option_name(position)}",
        details=details,
    )


def option_name(position: int) -> str:
    """Return what a table calls an option: its letter, and behind Z its number from 1.

    Example:
        >>> option_name(0), option_name(25), option_name(26)
        ('A', 'Z', '27')
    """
    return ascii_uppercase[position] if position < len(ascii_uppercase) else str(position + 1)

"""From a classifier's logits to labels with their probabilities."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np


class ClassPrediction(NamedTuple):
    """A class and how probable the model takes it to be.

    Attributes:
        label: the class's name, or its number where the model has no names.
        probability: in [0, 1].
    """

    label: str | int
    probability: float


def best_classes(logits: Any, class_names: Sequence[str] | None) -> list[ClassPrediction]:
    """Return the most probable class of each row, by softmax.

    Args:
        logits: float (N, C).
        class_names: a name for each class, or None.

    Example:
        >>> best_classes([[0.0, 0.0], [-np.inf, 2.0]], ["no", "yes"])[1]
        ClassPrediction(label='yes', probability=1.0)
    """
    x = np.asarray(logits, "float64")
    x = np.exp(x - x.max(axis=-1, keepdims=True))
    probabilities = x / x.sum(axis=-1, keepdims=True)
    return [_prediction(row, int(row.argmax()), class_names) for row in probabilities]


def classes_above(logits: Any, threshold: float, class_names: Sequence[str] | None) -> list[list[ClassPrediction]]:
    """Return the classes of each row that are at least so probable, each by its own sigmoid, most probable first.

    Args:
        logits: float (N, C).
        threshold: the least probability, in [0, 1].
        class_names: a name for each class, or None.

    Example:
        >>> classes_above([[0.0, -9.0, 0.0], [-9.0, -9.0, -9.0]], 0.5, None)
        [[ClassPrediction(label=0, probability=0.5), ClassPrediction(label=2, probability=0.5)], []]
    """
    if not 0 <= threshold <= 1:
        raise ValueError(f"Expected a threshold in [0, 1]. Received: threshold={threshold}")
    # 1 / (1 + exp(-x)) in a form that never overflows.
    probabilities = 0.5 * (1.0 + np.tanh(0.5 * np.asarray(logits, "float64")))
    return [
        [
            _prediction(row, int(number), class_names)
            for number in np.argsort(-row, kind="stable")
            if row[number] >= threshold
        ]
        for row in probabilities
    ]


def _prediction(row: np.ndarray, number: int, class_names: Sequence[str] | None) -> ClassPrediction:
    return ClassPrediction(number if class_names is None else class_names[number], float(row[number]))

"""Predicted classes and their probabilities.

`probabilities` of google-research/albert run_classifier.py (`create_model`).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

_THRESHOLD = 0.5


@dataclass(frozen=True)
class ClassAnswers:
    """The classes of N texts: one each, or with `multi_label` any number.

    Args:
        probabilities: float64 (N, C); each row sums to 1, or with `multi_label` each number is of its class alone.
        class_names: the C names.
        multi_label: whether a text has every class that is at least as probable as not.

    Example:
        >>> predictions = ClassAnswers(np.array([[0.25, 0.75]]), ("no", "yes"))
        >>> predictions.labels, predictions.confidences
        (['yes'], [0.75])
        >>> ClassAnswers(np.array([[0.6, 0.2, 0.9]]), ("a", "b", "c"), multi_label=True).labels
        [['a', 'c']]
    """

    probabilities: np.ndarray
    class_names: tuple[str, ...]
    multi_label: bool = False

    @classmethod
    def from_logits(cls, logits: Any, class_names: tuple[str, ...], multi_label: bool = False) -> "ClassAnswers":
        """Turn a model's outputs into probabilities.

        Args:
            logits: float (N, C).
            class_names: the C names.
            multi_label: whether each class is a question of its own.

        Raises:
            ValueError: outputs that are no numbers.
        """
        logits = finite(logits)
        probabilities = 0.5 * (1 + np.tanh(logits / 2)) if multi_label else softmax(logits)
        return cls(probabilities, class_names, multi_label)

    @property
    def numbers(self) -> np.ndarray:
        """The number of each text's most probable class, int (N,); with `multi_label` 1 or 0 of each class, (N, C)."""
        if self.multi_label:
            return (self.probabilities >= _THRESHOLD).astype("int64")
        return self.probabilities.argmax(axis=-1)

    @property
    def labels(self) -> list[Any]:
        """The name of each text's class; with `multi_label` the list of its names."""
        if self.multi_label:
            return [[self.class_names[number] for number in np.flatnonzero(row)] for row in self.numbers]
        return [self.class_names[number] for number in self.numbers]

    @property
    def confidences(self) -> list[float]:
        """The probability of the predicted class; with `multi_label` that of the answer about which least is sure."""
        if self.multi_label:
            return np.maximum(self.probabilities, 1 - self.probabilities).min(axis=-1).tolist()
        return self.probabilities.max(axis=-1).tolist()


def softmax(logits: np.ndarray) -> np.ndarray:
    """Return probabilities, float (N, C), without overflow.

    Example:
        >>> softmax(np.array([[1000.0, 1000.0]]))
        array([[0.5, 0.5]])
    """
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def finite(outputs: Any) -> np.ndarray:
    """Return a model's outputs as float64; a ValueError where they are no numbers.

    Example:
        >>> finite([[float("nan")]])
        Traceback (most recent call last):
        ValueError: The model's outputs are infinite or no numbers: its weights are damaged, or overflow their dtype.
    """
    array = np.asarray(outputs, "float64")
    if not np.isfinite(array).all():
        raise ValueError(
            "The model's outputs are infinite or no numbers: its weights are damaged, or overflow their dtype."
        )
    return array

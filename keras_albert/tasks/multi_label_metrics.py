"""A metric of a classifier with several classes for a text."""

from typing import Any

import keras
from keras import ops


@keras.saving.register_keras_serializable(package="keras_albert")
class MicroF1(keras.metrics.Metric):
    """F1 over all pairs of text and class: 2 TP / (2 TP + FP + FN), in [0, 1]; 0 where nothing is true or predicted.

    A class is predicted where its logit is above 0, and true where its label is above one half.
    """

    def __init__(self, name: str = "f1", **kwargs: Any) -> None:
        super().__init__(name=name, **kwargs)
        self.hits = self.add_weight(name="hits", initializer="zeros")
        self.marked = self.add_weight(name="marked", initializer="zeros")

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Count a batch.

        Args:
            y_true: (B, C) of any type, 0 or 1.
            y_pred: float (B, C), logits.
            sample_weight: float (B,), or None.
        """
        is_true = ops.cast(ops.cast(y_true, self.dtype) > 0.5, self.dtype)
        is_predicted = ops.cast(ops.convert_to_tensor(y_pred) > 0, self.dtype)
        weight = ops.ones((), self.dtype)
        if sample_weight is not None:
            weight = ops.reshape(ops.cast(sample_weight, self.dtype), (-1, 1))
        self.hits.assign_add(ops.sum(weight * is_true * is_predicted))
        self.marked.assign_add(ops.sum(weight * (is_true + is_predicted)))  # 2 TP + FP + FN

    def result(self) -> Any:
        """Return the F1 of all batches so far."""
        return ops.divide_no_nan(2.0 * self.hits, self.marked)

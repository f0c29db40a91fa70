"""The loss of masked language modelling."""

from typing import Any

import keras
from keras import ops


@keras.saving.register_keras_serializable(package="keras_albert")
class MaskedLMLoss(keras.losses.Loss):
    """Mean cross-entropy over the masked positions: sum(weight * entropy) / (sum(weight) + 1e-5).

    Called with `y_true` int (B, P), `y_pred` logits (B, P, V) and `sample_weight` (B, P), as Google's
    `get_masked_lm_output` (run_pretraining.py). Unused slots (weight 0) count for nothing, and a batch without masks has
    loss 0. Computed in float32.
    """

    def __init__(self, name: str = "masked_lm_loss", **kwargs: Any) -> None:
        super().__init__(name=name, **kwargs)

    def __call__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Return the loss, a scalar."""
        entropy = self.call(y_true, y_pred)
        weight = ops.ones_like(entropy) if sample_weight is None else ops.cast(sample_weight, entropy.dtype)
        return ops.sum(weight * entropy) / (ops.sum(weight) + 1e-5)

    def call(self, y_true: Any, y_pred: Any) -> Any:
        """Return the cross-entropy of each slot, float32 (B, P)."""
        return keras.losses.sparse_categorical_crossentropy(y_true, ops.cast(y_pred, "float32"), from_logits=True)

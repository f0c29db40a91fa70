"""The loss of masked language modelling."""

from typing import Any

import keras
from keras import ops


@keras.saving.register_keras_serializable(package="keras_albert")
class MaskedLMLoss(keras.losses.Loss):
    """Mean cross-entropy over the masked positions: sum(weight * entropy) / (sum(weight) + 1e-5).

    Called with `y_true` int (B, P), `y_pred` logits (B, P, V) and `sample_weight` (B, P), as Google's
    `get_masked_lm_output` (run_pretraining.py). Unused slots (weight 0) count for nothing, and a batch without masks
    has loss 0. Computed in float32.
    """

    def __init__(self, name: str = "masked_lm_loss") -> None:
        super().__init__(name=name)

    def __call__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Return the loss, a scalar.

        Raises:
            ValueError: weights of another shape than the slots'.
        """
        entropy = self.call(y_true, y_pred)
        if sample_weight is None:
            weight = ops.ones_like(entropy)
        else:
            weight = ops.cast(sample_weight, entropy.dtype)
            _check_weight_shape(weight.shape, entropy.shape)
        return ops.sum(weight * entropy) / (ops.sum(weight) + 1e-5)

    def call(self, y_true: Any, y_pred: Any) -> Any:
        """Return the cross-entropy of each slot, float32 (B, P)."""
        return keras.losses.sparse_categorical_crossentropy(y_true, ops.cast(y_pred, "float32"), from_logits=True)

    def get_config(self) -> dict[str, Any]:
        """Return the constructor's arguments; the reduction is not one of them."""
        return {"name": self.name}


def _check_weight_shape(weight_shape: Any, slots_shape: Any) -> None:
    # Weights of another shape might broadcast, and then the sum of the weights would be a wrong denominator.
    if getattr(weight_shape, "rank", 0) is None:  # TensorFlow may leave even the number of axes open
        return
    fits = len(weight_shape) == len(slots_shape) and all(
        None in sizes or sizes[0] == sizes[1] for sizes in zip(weight_shape, slots_shape, strict=True)
    )
    if not fits:
        raise ValueError(
            f"Expected one weight for each slot, of shape {tuple(slots_shape)}. "
            f"Received: sample_weight.shape={tuple(weight_shape)}"
        )

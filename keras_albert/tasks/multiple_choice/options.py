"""The two layers that take the axis of options out of a batch and bring it back.

`create_model` of google-research/albert race_utils.py, where they are two reshapes of a fixed number of options.
"""

from typing import Any

import keras
from keras import ops

# The logit of an option that an example lacks: no probability beside any logit that a model gives, and finite, so that
# no loss or gradient becomes NaN. It fits in float16.
ABSENT_LOGIT = -10000.0


@keras.saving.register_keras_serializable(package="keras_albert")
class MergeOptions(keras.layers.Layer):
    """Makes one row of each option: int (B, C, S) to int (B * C, S)."""

    def call(self, x: Any) -> Any:
        """Return the rows of `x`, those of one example one after the other."""
        return ops.reshape(x, (-1, ops.shape(x)[2]))

    def compute_output_spec(self, x: Any) -> keras.KerasTensor:
        """Return the spec of (B * C, S)."""
        return keras.KerasTensor((None, x.shape[2]), dtype=x.dtype)


@keras.saving.register_keras_serializable(package="keras_albert")
class SplitOptions(keras.layers.Layer):
    """Gathers the scores of each example's options, float (B * C, 1) to logits (B, C).

    An option whose row is padding only is absent: its logit is `ABSENT_LOGIT`, without a gradient.
    """

    def call(self, scores: Any, padding_mask: Any) -> Any:
        """Return the logits.

        Args:
            scores: float (B * C, 1).
            padding_mask: int (B, C, S), 1 on tokens.
        """
        is_present = ops.max(padding_mask, axis=-1) > 0  # (B, C)
        logits = ops.reshape(scores, ops.shape(is_present))
        return ops.where(is_present, logits, ops.cast(ABSENT_LOGIT, logits.dtype))

    def compute_output_spec(self, scores: Any, padding_mask: Any) -> keras.KerasTensor:
        """Return the spec of (B, C)."""
        return keras.KerasTensor(padding_mask.shape[:2], dtype=self.compute_dtype)

"""AdamW as Google's: `AdamWeightDecayOptimizer` of google-research/albert optimization.py."""

import math
from typing import Any

import keras
from keras import ops

from keras_albert.training.google_optimizer import GoogleOptimizer


@keras.saving.register_keras_serializable(package="keras_albert")
class AdamW(GoogleOptimizer):
    """Adam's update plus decay, times the rate; `GoogleOptimizer` tells the rest.

    Args:
        learning_rate: a number, or a schedule over updates.
        bias_correction: whether the update makes up for slots that start at zero, as Adam's paper and
            `keras.optimizers.AdamW` do; Google's does not, and takes large steps at first where nothing warms up.
        **kwargs: as of `GoogleOptimizer`.

    Raises:
        ValueError: as `GoogleOptimizer`.

    Example:
        >>> weight = keras.Variable([3.0, 4.0])
        >>> AdamW(0.1, weight_decay=0.5, bias_correction=True).apply([keras.ops.array([0.1, -0.1])], [weight])
        >>> [round(float(x), 4) for x in weight.numpy()]  # 3 - 0.1 * (1 + 1.5), 4 - 0.1 * (-1 + 2)
        [2.75, 3.9]
    """

    def __init__(
        self,
        learning_rate: float | keras.optimizers.schedules.LearningRateSchedule,
        *args: Any,
        bias_correction: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate, *args, **kwargs)
        self.bias_correction = bool(bias_correction)

    def correction(self) -> Any:
        """Return sqrt(1 - beta_2^t) / (1 - beta_1^t) at update t, from 1, or None."""
        if not self.bias_correction:
            return None
        updates = ops.cast(self.iterations + 1, "float32")
        return ops.sqrt(_one_minus_power(self.beta_2, updates)) / _one_minus_power(self.beta_1, updates)

    def get_config(self) -> dict[str, Any]:
        """Return the constructor's arguments."""
        return super().get_config() | {"bias_correction": self.bias_correction}


def _one_minus_power(base: float, exponent: Any) -> Any:
    # Spelled out, 1 - 0.999 ** 1 loses five digits in float32.
    return -ops.expm1(exponent * math.log(base)) if base else ops.ones(())

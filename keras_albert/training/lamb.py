"""LAMB as Google pretrains ALBERT with it: lamb_optimizer.py of google-research/albert (its paper: 1904.00962)."""

from collections.abc import Sequence
from typing import Any

import keras
from keras import ops

from keras_albert.training.google_optimizer import GoogleOptimizer
from keras_albert.training.path_patterns import checked_patterns, is_matched


@keras.saving.register_keras_serializable(package="keras_albert")
class Lamb(GoogleOptimizer):
    """Adam's update, decay included, scaled by the norm of the weight over its own norm.

    `GoogleOptimizer` tells the update. The ratio `|w| / |update|` is of whole tensors, without bounds, and 1 where
    either norm is 0. `keras.optimizers.Lamb` is another: it corrects for slots that start at zero, decays outside of
    the ratio, and adapts layer norms and biases.

    Args:
        learning_rate: a number, or a schedule over updates.
        exclude_from_layer_adaptation: regular expressions; a variable with one of them in its path has ratio 1. None
            takes those of `exclude_from_weight_decay`; a list stands in their place, an empty one adapts all.
        **kwargs: as of `GoogleOptimizer`.

    Raises:
        ValueError: as `GoogleOptimizer`.

    Example:
        >>> weight = keras.Variable([3.0, 4.0])
        >>> Lamb(0.1, weight_decay=0.0).apply([keras.ops.array([0.1, 0.1])], [weight])
        >>> [round(float(x), 4) for x in weight.numpy()]  # both steps are 0.1 * 5 / sqrt(2)
        [2.6464, 3.6464]
    """

    def __init__(
        self,
        learning_rate: float | keras.optimizers.schedules.LearningRateSchedule,
        *args: Any,
        exclude_from_layer_adaptation: Sequence[str] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate, *args, **kwargs)
        self.exclude_from_layer_adaptation = exclude_from_layer_adaptation
        self.without_adaptation = (
            self.without_weight_decay
            if exclude_from_layer_adaptation is None
            else checked_patterns("exclude_from_layer_adaptation", exclude_from_layer_adaptation)
        )

    def build(self, variables: list[keras.Variable]) -> None:
        """Create the slots, both zero, of a model's trainable variables."""
        if self.built:
            return
        super().build(variables)
        self.is_adapted = tuple(not is_matched(self.without_adaptation, variable) for variable in variables)

    def ratio(self, update: Any, weight: Any, index: int) -> Any:
        """Return the norm of the weight over that of the update, or None for a variable that is not adapted."""
        if not self.is_adapted[index]:
            return None
        weight_norm, update_norm = ops.norm(weight), ops.norm(update)
        is_positive = ops.logical_and(weight_norm > 0, update_norm > 0)
        return ops.where(is_positive, weight_norm / update_norm, 1.0)

    def get_config(self) -> dict[str, Any]:
        """Return the constructor's arguments."""
        given = self.exclude_from_layer_adaptation
        return super().get_config() | {"exclude_from_layer_adaptation": given if given is None else list(given)}

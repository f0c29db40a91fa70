"""The optimizer that a task compiles with where none is given."""

from collections.abc import Sequence
from typing import Any

import keras

from keras_albert.training.schedules import LinearWarmup, WarmupPolynomialDecay

# Google's weight decay spares layer norms and biases (`exclude_from_weight_decay` of optimization.py).
WITHOUT_WEIGHT_DECAY = ["bias", "gamma", "beta"]
WEIGHT_DECAY = 0.01
CLIP_NORM = 1.0
EPSILON = 1e-6


@keras.saving.register_keras_serializable(package="keras_albert")
class AdamW(keras.optimizers.AdamW):
    """Keras's AdamW whose config says which variables it does not decay, so that a saved one goes on as it was.

    Args:
        *args: as of `keras.optimizers.AdamW`.
        without_weight_decay: variables with one of these in their name are not decayed.
        **kwargs: as of `keras.optimizers.AdamW`.
    """

    def __init__(self, *args: Any, without_weight_decay: Sequence[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.without_weight_decay = list(without_weight_decay)
        self.exclude_from_weight_decay(var_names=self.without_weight_decay)

    def get_config(self) -> dict[str, Any]:
        """Return the constructor's arguments."""
        return super().get_config() | {"without_weight_decay": self.without_weight_decay}


def adamw(learning_rate: float | LinearWarmup | WarmupPolynomialDecay) -> AdamW:
    """Return AdamW with Google's weight decay, epsilon and clipping of the global norm at 1."""
    return AdamW(
        learning_rate,
        weight_decay=WEIGHT_DECAY,
        epsilon=EPSILON,
        global_clipnorm=CLIP_NORM,
        without_weight_decay=WITHOUT_WEIGHT_DECAY,
    )


def default_learning_rate(hidden_dim: int) -> float:
    """Return a rate at which a model of that width fine-tunes without collapse: 2e-5 at 768, inverse to the width.

    Never below 1e-5, which Google's GLUE recipes use for its widest model.

    Example:
        >>> default_learning_rate(768), default_learning_rate(4096), default_learning_rate(96)
        (2e-05, 1e-05, 0.00016)
    """
    return max(1e-5, 2e-5 * 768 / hidden_dim)


def default_optimizer(hidden_dim: int) -> AdamW:
    """Return AdamW at `default_learning_rate`, warmed up over 100 steps, with the global norm clipped at 1."""
    return adamw(LinearWarmup(default_learning_rate(hidden_dim), warmup_steps=100))

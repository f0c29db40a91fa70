"""Learning rates over steps: linear warm-up, then constant or polynomial decay.

Follows `create_optimizer` of google-research/albert optimization.py.
"""

from typing import Any

import keras
from keras import ops


@keras.saving.register_keras_serializable(package="keras_albert")
class LinearWarmup(keras.optimizers.schedules.LearningRateSchedule):
    """Rises linearly from 0 to a rate, then stays there; for training whose length is not known beforehand.

    Args:
        learning_rate: the rate after the warm-up.
        warmup_steps: steps of the rise, at least 1.

    Raises:
        ValueError: no steps of warm-up.
    """

    def __init__(self, learning_rate: float, warmup_steps: int, name: str = "linear_warmup") -> None:
        super().__init__()
        if warmup_steps < 1:
            raise ValueError(f"Expected warmup_steps to be at least 1. Received: warmup_steps={warmup_steps}")
        self.learning_rate = learning_rate
        self.warmup_steps = warmup_steps
        self.name = name

    def __call__(self, step: Any) -> Any:
        """Return the rate at a step (0 is the first)."""
        step = ops.cast(step, "float32")
        return self.learning_rate * ops.minimum(1.0, step / self.warmup_steps)

    def get_config(self) -> dict[str, Any]:
        """Return the constructor's arguments."""
        return {"learning_rate": self.learning_rate, "warmup_steps": self.warmup_steps, "name": self.name}


@keras.saving.register_keras_serializable(package="keras_albert")
class WarmupPolynomialDecay(keras.optimizers.schedules.LearningRateSchedule):
    """Google's schedule: polynomial decay over all steps, with a linear warm-up laid over its beginning.

    The decay counts from step 0, so that the rate drops a little where the warm-up ends: after `w` of `N` steps it goes
    on at `learning_rate * (1 - w / N)`.

    Args:
        learning_rate: the rate that the warm-up rises to.
        total_steps: steps until the rate is 0.
        warmup_steps: steps of the rise, fewer than `total_steps`.
        power: exponent of the decay; 1 is linear.

    Raises:
        ValueError: a warm-up that is negative or not shorter than the training (Google's code then keeps rising).

    Example:
        >>> schedule = WarmupPolynomialDecay(1.0, total_steps=100, warmup_steps=10)
        >>> [round(float(schedule(step)), 2) for step in (0, 5, 9, 10, 55, 100)]
        [0.0, 0.5, 0.9, 0.9, 0.45, 0.0]
    """

    def __init__(
        self,
        learning_rate: float,
        total_steps: int,
        warmup_steps: int = 0,
        power: float = 1.0,
        name: str = "warmup_polynomial_decay",
    ) -> None:
        super().__init__()
        if not 0 <= warmup_steps < total_steps:
            raise ValueError(
                "Expected the warm-up to be shorter than the training. "
                f"Received: warmup_steps={warmup_steps}, total_steps={total_steps}"
            )
        self.learning_rate = learning_rate
        self.total_steps = total_steps
        self.warmup_steps = warmup_steps
        self.power = power
        self.name = name

    def __call__(self, step: Any) -> Any:
        """Return the rate at a step (0 is the first)."""
        step = ops.cast(step, "float32")
        remaining = 1.0 - ops.minimum(step, float(self.total_steps)) / self.total_steps
        decayed = self.learning_rate * remaining**self.power
        if not self.warmup_steps:
            return decayed
        warming = self.learning_rate * step / self.warmup_steps
        return ops.where(step < self.warmup_steps, warming, decayed)

    def get_config(self) -> dict[str, Any]:
        """Return the constructor's arguments."""
        return {
            "learning_rate": self.learning_rate,
            "total_steps": self.total_steps,
            "warmup_steps": self.warmup_steps,
            "power": self.power,
            "name": self.name,
        }

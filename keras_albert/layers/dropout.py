"""Dropout whose random seed can be drawn before the call.

A function that is run twice (rematerialization) must drop the same units both times, so the seed is drawn outside.
"""

from typing import Any

import keras


class _DrawnSeed(keras.random.SeedGenerator):
    """Hands out one seed that was drawn earlier; it has no state of its own."""

    def __init__(self, seed: Any) -> None:
        self._seed = seed
        # Without an initial seed PyTorch's dropout takes its global generator, which recomputation restores.
        self._initial_seed = None

    def next(self, ordered: bool = True) -> Any:
        return self._seed


@keras.saving.register_keras_serializable(package="keras_albert")
class Dropout(keras.layers.Dropout):
    """`keras.layers.Dropout` that also accepts a seed drawn by `draw_seed`."""

    def draw_seed(self) -> Any:
        """Draw the next seed, shape (2,); None where nothing is dropped."""
        return self.seed_generator.next() if self.rate > 0 else None

    def call(self, inputs: Any, training: bool | None = None, seed: Any = None) -> Any:
        """Drop units of `inputs` while training; the result has the same shape and dtype."""
        if seed is None or not training:
            return super().call(inputs, training=training)
        return keras.random.dropout(inputs, self.rate, seed=_DrawnSeed(seed))

"""What a run does while Keras trains: records the curve, ends a training that diverged, shows progress."""

from collections.abc import Callable, Mapping
from typing import Any

import keras
import numpy as np

# Points of a training curve: enough to see its shape, few enough that each is a mean over many batches.
_POINTS = 60


class CurveRecorder(keras.callbacks.Callback):
    """Records loss and training metrics over the steps, as means over the batches since the last point.

    Keras reports the mean since the epoch began, which hides what happened last; this takes the difference of two.

    Args:
        rows: the curve so far, which is continued: dicts with `step`, `epoch`, `loss` and other means.
        total_steps: steps of the whole run.
        steps_in_epoch: steps of a pass over the training rows.
        on_point: called with a new point, to show it.
    """

    def __init__(
        self,
        rows: list[dict[str, Any]],
        total_steps: int,
        steps_in_epoch: int,
        on_point: Callable[[int, Mapping[str, float]], None] = lambda step, point: None,
    ) -> None:
        super().__init__()
        self.rows = rows
        self.step = 0
        self._interval = max(1, total_steps // _POINTS)
        self._steps_in_epoch = steps_in_epoch
        self._on_point = on_point

    def on_epoch_begin(self, epoch: int, logs: dict[str, float] | None = None) -> None:
        """Start anew with the means, as Keras does."""
        self._batches = self._recorded_batches = 0
        self._means: dict[str, float] = {}
        self._recorded_means: dict[str, float] = {}

    def on_train_batch_end(self, batch: int, logs: dict[str, float] | None = None) -> None:
        """Record a point from time to time."""
        self.step += 1
        self._batches += 1
        self._means = {name: float(value) for name, value in (logs or {}).items()}
        if self.step % self._interval == 0:
            self._record()
        else:
            self._on_point(self.step, {})

    def on_epoch_end(self, epoch: int, logs: dict[str, float] | None = None) -> None:
        """Record the rest, and what Keras found on validation rows, where it has some."""
        if self._batches > self._recorded_batches:
            self._record()
        validated = {name: value for name, value in (logs or {}).items() if name.startswith("val_")}
        self.rows[-1] |= {f"dev_{name.removeprefix('val_')}": float(value) for name, value in validated.items()}

    def _record(self) -> None:
        batches = self._batches - self._recorded_batches
        point = {
            name: (mean * self._batches - self._recorded_means.get(name, 0.0) * self._recorded_batches) / batches
            for name, mean in self._means.items()
        }
        self.rows.append({"step": self.step, "epoch": self.step / self._steps_in_epoch, **point})
        self._recorded_batches, self._recorded_means = self._batches, self._means
        self._on_point(self.step, point)


class StopAtNoNumber(keras.callbacks.Callback):
    """Ends a training whose loss is no number: no later step brings it back.

    Attributes:
        step: the step of this `fit`, from 1, at which that happened; None where it did not.
    """

    def __init__(self) -> None:
        super().__init__()
        self.step: int | None = None

    def on_train_batch_end(self, batch: int, logs: dict[str, float] | None = None) -> None:
        """Look at the loss."""
        if self.step is None and not np.isfinite((logs or {})["loss"]):
            self.step = batch + 1
            self.model.stop_training = True


class Reseed(keras.callbacks.Callback):
    """Seeds the global generators once training begins: PyTorch's dropout draws from one.

    What a round drops then follows from its number alone, not from what ran before. Keras itself draws from them while
    it builds the training step, so that seeding before `fit` is too early.

    Args:
        seed: the seed, in [0, 2**32).
    """

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._seed = seed

    def on_epoch_begin(self, epoch: int, logs: dict[str, float] | None = None) -> None:
        """Seed."""
        keras.utils.set_random_seed(self._seed)

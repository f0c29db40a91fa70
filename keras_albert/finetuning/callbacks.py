"""What a run records while Keras trains: the curves, and the weights of the best epoch."""

import keras
import numpy as np

# Points of a training curve: enough to see its shape, few enough that each is a mean over many batches.
_POINTS = 60


class CurveRecorder(keras.callbacks.Callback):
    """Records loss and accuracy over the steps: means over the training batches since the last point, and of dev rows.

    Keras reports the mean since the epoch began, which hides what happened last; this takes the difference of two.

    Args:
        total_steps: steps of the whole run.

    Attributes:
        rows: dicts with `epoch`, `step`, `loss`, `accuracy`, and at the end of each epoch `val_loss`, `val_accuracy`.
    """

    def __init__(self, total_steps: int) -> None:
        super().__init__()
        self.rows: list[dict[str, float]] = []
        self._interval = max(1, total_steps // _POINTS)
        self._step = self._epoch = 0

    def on_epoch_begin(self, epoch: int, logs: dict[str, float] | None = None) -> None:
        """Start anew with the means."""
        self._epoch = epoch + 1
        self._batches = self._recorded_batches = 0
        self._means: dict[str, float] = {}
        self._recorded_means = {"loss": 0.0, "accuracy": 0.0}

    def on_train_batch_end(self, batch: int, logs: dict[str, float] | None = None) -> None:
        """Record a point from time to time."""
        self._step += 1
        self._batches += 1
        self._means = {name: float((logs or {})[name]) for name in self._recorded_means}
        if self._step % self._interval == 0:
            self._record()

    def on_epoch_end(self, epoch: int, logs: dict[str, float] | None = None) -> None:
        """Record the rest of the epoch, and the figures on the dev rows."""
        if self._batches > self._recorded_batches:
            self._record()
        self.rows[-1] |= {name: float(value) for name, value in (logs or {}).items() if name.startswith("val_")}

    def _record(self) -> None:
        batches = self._batches - self._recorded_batches
        point = {
            name: (mean * self._batches - self._recorded_means[name] * self._recorded_batches) / batches
            for name, mean in self._means.items()
        }
        self.rows.append({"epoch": self._epoch, "step": self._step, **point})
        self._recorded_batches, self._recorded_means = self._batches, self._means


class BestWeights(keras.callbacks.Callback):
    """Keeps the weights of the epoch with the best `val_accuracy`, and ends a training whose loss is no number.

    Keras's `EarlyStopping` would keep weights that are no numbers too, where these happen to guess best.

    Attributes:
        epoch: the best epoch, from 1; None where no epoch ended with a finite loss.
        diverged_step: the step at which the loss was no number; None where that did not happen.
    """

    def __init__(self) -> None:
        super().__init__()
        self.epoch: int | None = None
        self.diverged_step: int | None = None
        self._step = 0
        self._accuracy = -1.0
        self._weights: list[np.ndarray] = []

    def on_train_batch_end(self, batch: int, logs: dict[str, float] | None = None) -> None:
        """Stop where the loss is no number: no later step brings it back."""
        self._step += 1
        if self.diverged_step is None and not np.isfinite((logs or {})["loss"]):
            self.diverged_step = self._step
            self.model.stop_training = True

    def on_epoch_end(self, epoch: int, logs: dict[str, float] | None = None) -> None:
        """Copy the weights where the epoch is better than all before."""
        figures = logs or {}
        is_sound = self.diverged_step is None and np.isfinite(figures["val_loss"])
        if is_sound and figures["val_accuracy"] > self._accuracy:
            self._accuracy = float(figures["val_accuracy"])
            self.epoch = epoch + 1
            self._weights = [np.array(weight) for weight in self.model.get_weights()]

    def restore(self) -> int:
        """Give the model the weights of the best epoch, and return its number, from 1.

        Raises:
            ValueError: no epoch ended with a finite loss.
        """
        if self.epoch is None:
            raise ValueError(
                f"The loss became infinite or no number at step {self.diverged_step or self._step}, before the first "
                "epoch had ended: there is no trained model to keep. Lower the learning rate, or warm up longer."
            )
        self.model.set_weights(self._weights)
        return self.epoch

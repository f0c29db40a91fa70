"""The steps of a pretraining: micro-batches, figures, evaluation, and the saving of states."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import keras
import numpy as np

from keras_albert.pretraining.batches import Instances, Prefetched, model_inputs
from keras_albert.pretraining.checkpoints import Checkpoints, Progress
from keras_albert.pretraining.curves import ExactMeans
from keras_albert.pretraining.settings import HELD_OUT, Pretraining
from keras_albert.tasks.pretrainer import AlbertPretrainer
from keras_albert.training.interrupts import remembering_interrupts


class Trainer:
    """Trains a compiled model step by step.

    A step is one update of the weights: `gradient_accumulation_steps` batches.

    Args:
        settings: the run's settings.
        model: the compiled model.
        checkpoints: where states are saved.
        progress: how far the run has come; it is kept up to date.
        held_out: rows to evaluate on; None for no evaluation.
    """

    def __init__(
        self,
        settings: Pretraining,
        model: AlbertPretrainer,
        checkpoints: Checkpoints,
        progress: Progress,
        held_out: Instances | None,
    ) -> None:
        self._settings = settings
        self._model = model
        self._checkpoints = checkpoints
        self._progress = progress
        self._held_out = held_out
        self._has_pairs = settings.pairs != "none"

    def train(self, batches: Prefetched, on_step: Callable[[int], None]) -> Iterator[dict[str, Any]]:
        """Train to the last step, and yield each point of the curve once it is recorded and the state is saved.

        Args:
            batches: batches with the positions after them.
            on_step: called after each step.

        Raises:
            ValueError: the loss or the gradient is no number; the last state that was saved is from before.
        """
        progress, settings = self._progress, self._settings
        waited_before, seconds_before = progress.waited, progress.seconds
        began = point_began = time.monotonic()
        point_step, means = progress.step, ExactMeans()
        with remembering_interrupts() as interrupts:
            while progress.step < settings.train_steps:
                self._step(batches, means)
                on_step(progress.step)
                interrupts.on_train_batch_end(progress.step)
                is_round = progress.step % settings.eval_steps == 0 or progress.step == settings.train_steps
                if not is_round and progress.step % settings.log_steps:
                    continue
                point = self._point(means)
                point["steps_per_second"] = (progress.step - point_step) / (time.monotonic() - point_began)
                if is_round:
                    point |= self.evaluate()
                progress.waited = waited_before + batches.waited
                progress.seconds = seconds_before + time.monotonic() - began
                progress.curve.append(point)
                if is_round:
                    self._save(point)
                yield point
                point_began, point_step, means = time.monotonic(), progress.step, ExactMeans()

    def evaluate(self) -> dict[str, float]:
        """Return the figures on the held-out rows; none where there are no such rows."""
        if self._held_out is None:
            return {}
        size, means = self._settings.batch_size, ExactMeans()
        for start in range(0, len(self._held_out["token_ids"]), size):
            batch = {name: array[start : start + size] for name, array in self._held_out.items()}
            x, labels, weights = model_inputs(batch, self._has_pairs)
            # Of keras.Model: that of the task takes raw text.
            means.add(keras.Model.test_on_batch(self._model, x, labels, weights, return_dict=True), weights)
        return means.figures(HELD_OUT)

    def _step(self, batches: Prefetched, means: ExactMeans) -> None:
        progress = self._progress
        # PyTorch's dropout draws from a global generator: what a step drops follows from its number alone. The other
        # backends draw from seeds that are saved with the model; TensorFlow prepares every function anew after this.
        if keras.backend.backend() == "torch":
            keras.utils.set_random_seed((self._settings.seed + progress.step) % 2**32)
        losses = []
        for _ in range(self._settings.gradient_accumulation_steps):
            rows, progress.position = next(batches)
            x, labels, weights = model_inputs(rows, self._has_pairs)
            logs = keras.Model.train_on_batch(self._model, x, labels, weights, return_dict=True)
            means.add(logs, weights)
            losses.append(logs["loss"])
            progress.tokens += int(rows["padding_mask"].sum())
        progress.step += 1
        if not np.isfinite([*losses, self._gradient_norm()]).all():
            saved = self._checkpoints.last_file()
            kept = "No state was saved before." if saved is None else f"The last good state is {saved}."
            raise ValueError(
                f"The loss or its gradient became infinite or no number at step {progress.step:,}. {kept} Lower the "
                "learning rate, or warm up longer, in a new run; `init_from` goes on from a model."
            )

    def _point(self, means: ExactMeans) -> dict[str, Any]:
        return {
            "step": self._progress.step,
            "epoch": self._progress.position.epoch,
            **means.figures(),
            "learning_rate": float(self._optimizer().learning_rate),
            "gradient_norm": self._gradient_norm(),
        }

    def _gradient_norm(self) -> float:
        return float(self._optimizer().gradient_norm)

    def _optimizer(self) -> Any:
        return getattr(self._model.optimizer, "inner_optimizer", self._model.optimizer)

    def _save(self, point: dict[str, Any]) -> None:
        progress = self._progress
        # Of the held-out rows, where there are some.
        accuracy = point.get(f"{HELD_OUT}masked_lm_accuracy", point["masked_lm_accuracy"])
        is_best = progress.best_accuracy is None or accuracy > progress.best_accuracy
        if is_best:
            progress.best_step, progress.best_accuracy = progress.step, accuracy
        self._checkpoints.save(self._model, progress, is_best)

from typing import Any

import numpy as np
import pytest

from keras_albert.finetuning.callbacks import CurveRecorder, StopAtNoNumber


class FakeModel:
    """A model that is told to stop."""

    stop_training = False


def train(callback: Any, epochs: list[tuple[list[float], dict[str, float]]]) -> FakeModel:
    """Run epochs of given losses; a batch's accuracy is its loss plus 1."""
    model = FakeModel()
    callback.set_model(model)
    for epoch, (losses, figures) in enumerate(epochs):
        callback.on_epoch_begin(epoch)
        for batch in range(len(losses)):
            mean = float(np.mean(losses[: batch + 1]))
            callback.on_train_batch_end(batch, {"loss": mean, "accuracy": mean + 1})
        callback.on_epoch_end(epoch, {"loss": mean, "accuracy": mean + 1, **figures})
    return model


def test_the_curve_holds_means_since_the_last_point() -> None:
    recorder = CurveRecorder([], total_steps=120, steps_in_epoch=5)  # a point every second step
    dev = {"val_loss": 9.0, "val_accuracy": 0.9}
    train(recorder, [([1, 3, 5, 7, 10], dev), ([2, 4, 6], dev)])
    assert [(row["epoch"], row["step"], pytest.approx(row["loss"])) for row in recorder.rows] == [
        (0.4, 2, 2.0),
        (0.8, 4, 6.0),
        (1.0, 5, 10.0),
        (1.2, 6, 2.0),
        (1.6, 8, 5.0),
    ]
    assert recorder.rows[1]["accuracy"] == pytest.approx(7.0)
    assert [row.get("dev_accuracy") for row in recorder.rows] == [None, None, 0.9, None, 0.9]


def test_a_curve_is_continued_where_a_run_was_taken_up() -> None:
    before = [{"step": 4, "epoch": 0.8, "loss": 1.0}]
    shown: list[Any] = []
    recorder = CurveRecorder(before, 60, 5, lambda step, point: shown.append((step, dict(point))))
    recorder.step = 4
    train(recorder, [([3.0], {})])
    assert recorder.rows == [
        {"step": 4, "epoch": 0.8, "loss": 1.0},
        {"step": 5, "epoch": 1.0, "loss": 3.0, "accuracy": 4.0},
    ]
    assert shown == [(5, {"loss": 3.0, "accuracy": 4.0})]


def test_a_loss_that_is_no_number_ends_the_training() -> None:
    stop = StopAtNoNumber()
    assert train(stop, [([1.0, float("inf"), 1.0], {})]).stop_training
    assert stop.step == 2
    assert not train(StopAtNoNumber(), [([1.0, 2.0], {})]).stop_training

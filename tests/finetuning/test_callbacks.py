from typing import Any

import numpy as np
import pytest

from keras_albert.finetuning.callbacks import BestWeights, CurveRecorder


class FakeModel:
    """A model whose weights are one number."""

    def __init__(self) -> None:
        self.weights = [np.zeros(1)]
        self.stop_training = False

    def get_weights(self) -> list[np.ndarray]:
        return self.weights  # not copies: PyTorch's share memory with the model where Keras does not copy

    def set_weights(self, weights: list[np.ndarray]) -> None:
        self.weights = weights


def train(callback: Any, epochs: list[tuple[list[float], dict[str, float]]]) -> FakeModel:
    """Run epochs of given losses; a batch's accuracy is its loss plus 1."""
    model = FakeModel()
    callback.set_model(model)
    for epoch, (losses, figures) in enumerate(epochs):
        callback.on_epoch_begin(epoch)
        for batch in range(len(losses)):
            mean = float(np.mean(losses[: batch + 1]))
            callback.on_train_batch_end(batch, {"loss": mean, "accuracy": mean + 1})
            model.weights[0] += 1
        callback.on_epoch_end(epoch, {"loss": mean, "accuracy": mean + 1, **figures})
    return model


def test_the_curve_holds_means_since_the_last_point() -> None:
    recorder = CurveRecorder(total_steps=120)  # a point every second step
    dev = {"val_loss": 9.0, "val_accuracy": 0.9}
    train(recorder, [([1, 3, 5, 7, 10], dev), ([2, 4, 6], dev)])
    assert [(row["epoch"], row["step"], pytest.approx(row["loss"])) for row in recorder.rows] == [
        (1, 2, 2.0),
        (1, 4, 6.0),
        (1, 5, 10.0),
        (2, 6, 2.0),
        (2, 8, 5.0),
    ]
    assert recorder.rows[1]["accuracy"] == pytest.approx(7.0)
    assert [row.get("val_accuracy") for row in recorder.rows] == [None, None, 0.9, None, 0.9]


def test_the_best_epoch_is_kept_and_not_the_last() -> None:
    best = BestWeights()
    figures = [{"val_loss": 1.0, "val_accuracy": accuracy} for accuracy in (0.5, 0.8, 0.8, 0.7)]
    model = train(best, [([1.0], epoch) for epoch in figures])
    assert model.weights[0] == 4
    assert best.restore() == 2
    assert model.weights[0] == 2


def test_a_loss_that_is_no_number_ends_the_training_and_is_never_best() -> None:
    best = BestWeights()
    good, bad = {"val_loss": 1.0, "val_accuracy": 0.6}, {"val_loss": float("nan"), "val_accuracy": 0.9}
    model = train(best, [([1.0, 1.0], good), ([1.0, float("nan")], bad)])
    assert model.stop_training
    assert best.diverged_step == 4
    assert best.restore() == 1
    assert model.weights[0] == 2


def test_no_untrained_or_broken_model_is_kept() -> None:
    best = BestWeights()
    train(best, [([float("inf")], {"val_loss": 1.0, "val_accuracy": 0.9})])
    with pytest.raises(ValueError, match=r"at step 1.*Lower the learning rate"):
        best.restore()

import json
from collections.abc import Callable
from typing import Any

import keras
import numpy as np
import pytest
from keras import ops

from keras_albert.tasks.losses import MaskedLMLoss


@pytest.fixture
def slots(rng) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Labels (3, 4), logits (3, 4, 7) and weights (3, 4), of which five are 0."""
    labels = rng.integers(0, 7, (3, 4)).astype("int32")
    weights = np.array([[1, 1, 1, 0], [1, 1, 0, 0], [1, 1, 0, 0]], "float32")
    return labels, rng.normal(scale=3, size=(3, 4, 7)).astype("float32"), weights


def value_and_gradient(logits: np.ndarray, compute: Callable[[Any], Any]) -> tuple[float, np.ndarray]:
    """The value of `compute(logits)`, a scalar, and its gradient, by the backend's own means."""
    if keras.backend.backend() == "tensorflow":
        import tensorflow as tf

        x = tf.constant(logits)
        with tf.GradientTape() as tape:
            tape.watch(x)
            value = compute(x)
        slope = tape.gradient(value, x)
    elif keras.backend.backend() == "jax":
        import jax

        value, slope = jax.value_and_grad(compute)(logits)
    else:
        x = ops.convert_to_tensor(logits).requires_grad_()
        value = compute(x)
        value.backward()
        slope = x.grad
    return float(ops.convert_to_numpy(value)), ops.convert_to_numpy(slope)


def loss_by_hand(labels: np.ndarray, logits: np.ndarray, weights: np.ndarray) -> float:
    """Computed slot by slot, in float64."""
    total = 0.0
    for slot in np.ndindex(labels.shape):
        scores = logits[slot].astype("float64")
        total += weights[slot] * (np.log(np.exp(scores).sum()) - scores[labels[slot]])
    return total / (weights.sum() + 1e-5)


def loss(*arguments: np.ndarray | None) -> float:
    return float(ops.convert_to_numpy(MaskedLMLoss()(*arguments)))


def test_loss_is_the_mean_entropy_of_the_weighted_slots(slots):
    assert loss(*slots) == pytest.approx(loss_by_hand(*slots), rel=1e-6)


def test_loss_of_equal_scores_is_the_logarithm_of_the_vocabulary():
    labels, weights = np.zeros((2, 3), "int32"), np.ones((2, 3), "float32")
    assert loss(labels, np.zeros((2, 3, 7), "float32"), weights) == pytest.approx(np.log(7) * 6 / (6 + 1e-5), rel=1e-6)


def test_fractional_weights_weigh(slots, rng):
    labels, logits, _ = slots
    weights = rng.random((3, 4)).astype("float32")
    assert loss(labels, logits, weights) == pytest.approx(loss_by_hand(labels, logits, weights), rel=1e-6)


def test_without_weights_every_slot_counts(slots):
    labels, logits, _ = slots
    assert loss(labels, logits) == pytest.approx(loss_by_hand(labels, logits, np.ones((3, 4))), rel=1e-6)


def test_labels_and_logits_of_unused_slots_do_not_count(slots):
    labels, logits, weights = slots
    other_labels = np.where(weights == 0, (labels + 3) % 7, labels)
    other_logits = np.where(weights[..., None] == 0, -logits, logits)
    assert loss(other_labels, other_logits, weights) == loss(labels, logits, weights)
    assert loss(np.where(weights == 1, (labels + 3) % 7, labels), logits, weights) != loss(labels, logits, weights)


def test_added_empty_slots_change_nothing(slots, rng):
    labels, logits, weights = slots
    more = [np.concatenate([array, np.zeros((3, 10), array.dtype)], axis=1) for array in (labels, weights)]
    more_logits = np.concatenate([logits, rng.normal(size=(3, 10, 7)).astype("float32")], axis=1)
    assert loss(more[0], more_logits, more[1]) == pytest.approx(loss(labels, logits, weights), abs=1e-6)


def test_without_any_weight_loss_and_gradient_are_zero(slots):
    labels, logits, weights = slots
    value, slope = value_and_gradient(logits, lambda x: MaskedLMLoss()(labels, x, np.zeros_like(weights)))
    assert value == 0
    np.testing.assert_array_equal(slope, np.zeros_like(logits))


def test_gradient_is_that_of_the_weighted_mean(slots):
    labels, logits, weights = slots
    _, slope = value_and_gradient(logits, lambda x: MaskedLMLoss()(labels, x, weights))
    odds = np.exp(logits.astype("float64"))
    shares = odds / odds.sum(axis=-1, keepdims=True)
    expected = (shares - np.eye(7)[labels]) * weights[..., None] / (weights.sum() + 1e-5)
    np.testing.assert_allclose(slope, expected, atol=1e-6)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_half_precision_logits_are_computed_in_float32(slots, dtype):
    labels, logits, weights = slots
    # So large that the sum of entropies, and e to the logits, are beyond float16.
    half = ops.cast(logits * 3000, dtype)
    value = MaskedLMLoss()(labels, half, weights)
    assert keras.backend.standardize_dtype(value.dtype) == "float32"
    rounded = ops.convert_to_numpy(ops.cast(half, "float32")).astype("float64")
    entropy = rounded.max(axis=-1) - np.take_along_axis(rounded, labels[..., None], axis=-1)[..., 0]
    expected = (weights * entropy).sum() / (weights.sum() + 1e-5)
    assert expected * weights.sum() > 65504
    assert float(ops.convert_to_numpy(value)) == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("dtype", ["bool", "int32"])
def test_weights_of_other_dtypes_weigh_the_same(slots, dtype):
    labels, logits, weights = slots
    assert loss(labels, logits, weights.astype(dtype)) == loss(labels, logits, weights)


@pytest.mark.parametrize("shape", [(4,), (4, 1), (1, 4), (4, 4, 1), (3, 4), ()])
def test_weights_of_another_shape_are_refused(rng, shape):
    # With as many rows as slots, weights (B,) would broadcast along the wrong axis, and (B, 1) give a wrong mean.
    labels, logits = np.zeros((4, 4), "int32"), rng.normal(size=(4, 4, 7)).astype("float32")
    with pytest.raises(ValueError, match=r"of shape \(4, 4\). Received: sample_weight.shape="):
        MaskedLMLoss()(labels, logits, np.ones(shape, "float32"))


def test_compiled_loss_takes_the_sample_weights(slots):
    labels, logits, weights = slots
    inputs = keras.Input((None, 7))
    model = keras.Model(inputs, keras.layers.Dense(7, use_bias=False, kernel_initializer="identity")(inputs))
    model.compile(keras.optimizers.SGD(0.1), MaskedLMLoss())
    expected = loss_by_hand(labels, logits, weights)
    assert model.evaluate(logits, labels, sample_weight=weights, verbose=0) == pytest.approx(expected, rel=1e-6)
    losses = model.fit(logits, labels, sample_weight=weights, epochs=2, verbose=0).history["loss"]
    assert losses[0] == pytest.approx(expected, rel=1e-6)
    assert losses[1] < losses[0]
    before = model.get_weights()
    model.fit(logits, labels, sample_weight=np.zeros_like(weights), verbose=0)
    np.testing.assert_array_equal(model.get_weights()[0], before[0])


def test_compiled_loss_is_weighted_with_the_other_losses(slots):
    labels, logits, weights = slots
    inputs = keras.Input((4, 7))
    model = keras.Model(inputs, {"masked_lm": keras.layers.Identity()(inputs), "mean": ops.mean(inputs, axis=(1, 2))})
    model.compile("sgd", {"masked_lm": MaskedLMLoss(), "mean": "mse"}, loss_weights={"masked_lm": 2.0, "mean": 0.5})
    total, *_ = model.evaluate(
        logits,
        {"masked_lm": labels, "mean": np.zeros(3)},
        sample_weight={"masked_lm": weights, "mean": np.ones(3)},
        verbose=0,
    )
    expected = 2 * loss_by_hand(labels, logits, weights) + 0.5 * np.mean(logits.mean(axis=(1, 2)) ** 2)
    assert total == pytest.approx(expected, rel=1e-5)


def test_loss_survives_serialization(slots):
    stored = json.loads(json.dumps(keras.saving.serialize_keras_object(MaskedLMLoss(name="words"))))
    twin = keras.saving.deserialize_keras_object(stored)
    assert (type(twin), twin.name) == (MaskedLMLoss, "words")
    assert float(ops.convert_to_numpy(twin(*slots))) == loss(*slots)


def test_loss_has_no_other_reduction():
    with pytest.raises(TypeError, match="reduction"):
        MaskedLMLoss(reduction="sum")

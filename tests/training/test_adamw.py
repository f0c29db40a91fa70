import keras
import numpy as np
import pytest
from keras import ops

from keras_albert.training import AdamW, WarmupPolynomialDecay

RATE = 0.05


def gradients_of(model: keras.Model, rng: np.random.Generator, scale: float) -> list[np.ndarray]:
    return [scale * rng.normal(size=weight.shape).astype("float32") for weight in model.trainable_variables]


def test_without_correction_the_first_update_is_over_three_times_as_long(variable):
    kernels = [variable("kernel", [1.0]) for _ in range(2)]
    for kernel, corrected in zip(kernels, (False, True), strict=True):
        AdamW(RATE, weight_decay=0.0, bias_correction=corrected).apply([ops.ones(1)], [kernel])
    # m / sqrt(v) = 0.1 / sqrt(0.001), and with the correction 1, but for epsilon.
    steps = [1.0 - float(kernel.numpy()[0]) for kernel in kernels]
    update = 0.1 / (np.sqrt(0.001) + 1e-6)
    assert steps == pytest.approx([RATE * update, RATE * update * np.sqrt(0.001) / 0.1], rel=1e-5)


def test_decay_is_of_the_weight_times_the_rate(variable):
    kernel, bias = variable("dense/kernel", [2.0, -4.0]), variable("dense/bias", [2.0, -4.0])
    AdamW(RATE, weight_decay=0.5).apply([ops.zeros(2)] * 2, [kernel, bias])
    np.testing.assert_allclose(kernel.numpy(), np.array([2.0, -4.0]) * (1 - RATE * 0.5), rtol=1e-6)
    assert bias.numpy().tolist() == [2.0, -4.0]


@pytest.mark.parametrize("scale", [0.01, 10.0], ids=["below_the_norm", "clipped"])
def test_with_correction_it_is_keras_adamw(block, rng, scale):
    ours, theirs = block(), block()
    schedule = WarmupPolynomialDecay(RATE, total_steps=10, warmup_steps=3)
    reference = keras.optimizers.AdamW(schedule, weight_decay=0.01, epsilon=1e-6, global_clipnorm=1.0)
    reference.exclude_from_weight_decay(var_names=["bias", "gamma", "beta"])
    optimizer = AdamW(schedule, bias_correction=True)
    for _ in range(8):
        gradients = gradients_of(ours, rng, scale)
        for each, model in ((optimizer, ours), (reference, theirs)):
            each.apply([ops.convert_to_tensor(gradient) for gradient in gradients], model.trainable_variables)
    moved = [np.abs(new - old).max() for new, old in zip(ours.get_weights(), block().get_weights(), strict=True)]
    assert min(moved) > 0.05
    # Keras takes 1 - 0.999 ** t in float32, which is 1e-5 off at the first updates.
    for one, other in zip(ours.get_weights(), theirs.get_weights(), strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=2e-6)


def test_correction_counts_updates_where_gradients_are_accumulated(variable):
    kernel = variable("kernel", [1.0])
    optimizer = AdamW(RATE, weight_decay=0.0, bias_correction=True, gradient_accumulation_steps=3)
    for _ in range(6):
        optimizer.apply([ops.full((1,), 0.5)], [kernel])
    # Two updates, each of length 1 but for epsilon.
    assert float(kernel.numpy()[0]) == pytest.approx(1.0 - 2 * RATE, abs=2e-5)


def test_correction_of_beta_1_zero_is_that_of_beta_2_alone(variable):
    kernel = variable("kernel", [1.0])
    AdamW(RATE, weight_decay=0.0, beta_1=0.0, bias_correction=True, epsilon=1e-12).apply([ops.ones(1)], [kernel])
    assert float(kernel.numpy()[0]) == pytest.approx(1.0 - RATE, rel=1e-6)

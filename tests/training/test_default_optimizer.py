import json

import keras
import numpy as np
import pytest
from keras import ops

from keras_albert import AlbertBackbone, AlbertPretrainer
from keras_albert.training import LinearWarmup, adamw, default_learning_rate, default_optimizer

RATE, DECAY = 0.25, 0.01


def arrays(variables: list[keras.Variable]) -> dict[str, np.ndarray]:
    return {variable.path: variable.numpy() for variable in variables}


def step(optimizer: keras.optimizers.Optimizer, model: keras.Model, gradient: float) -> None:
    variables = model.trainable_variables
    optimizer.apply([ops.full(variable.shape, gradient) for variable in variables], variables)


def round_trip(optimizer: keras.optimizers.Optimizer) -> keras.optimizers.Optimizer:
    return keras.saving.deserialize_keras_object(json.loads(json.dumps(keras.saving.serialize_keras_object(optimizer))))


@pytest.mark.parametrize("make", [adamw, lambda rate: round_trip(adamw(rate))], ids=["new", "stored"])
def test_without_gradient_kernels_shrink_by_the_decay_and_nothing_else_moves(block, make):
    model, optimizer = block(), make(RATE)
    before = arrays(model.weights)
    step(optimizer, model, 0.0)
    after = arrays(model.weights)
    kernels = {path for path in before if path.endswith("kernel")}
    assert {path.rsplit("/")[-1] for path in before} == {"kernel", "bias", "gamma", "beta"}
    assert len(kernels) == 2
    for path, old in before.items():
        expected = old * np.float32(1 - RATE * DECAY) if path in kernels else old
        np.testing.assert_allclose(after[path], expected, rtol=1e-6 if path in kernels else 0, err_msg=path)


def test_of_all_pretraining_weights_only_kernels_and_tables_decay():
    backbone = AlbertBackbone(
        vocabulary_size=10, num_layers=1, num_heads=1, hidden_dim=4, intermediate_dim=6, embedding_dim=2, num_segments=3
    )
    task = AlbertPretrainer(backbone)
    variables = task.trainable_variables
    for variable in variables:
        variable.assign(ops.ones(variable.shape))
    adamw(RATE).apply([ops.zeros(variable.shape) for variable in variables], variables)
    decayed = {variable.path for variable in variables if not np.array_equal(variable.numpy(), np.ones(variable.shape))}
    spared = {variable.path for variable in variables} - decayed
    assert {path.rsplit("/")[-1] for path in spared} == {"bias", "gamma", "beta", "output_bias"}
    assert decayed == {variable.path for variable in variables if len(variable.shape) > 1}


def test_a_step_is_the_decay_and_adams(block):
    model, optimizer = block(), adamw(RATE)
    before = arrays(model.weights)
    step(optimizer, model, 0.01)  # the global norm, 0.01 * sqrt(66), is below 1
    # The first step of Adam: after the correction m / sqrt(v) is the sign of the gradient, but for epsilon, which is
    # added to sqrt(v) before the correction by sqrt(1 - 0.999).
    update = RATE * 0.01 / (0.01 + 1e-6 / np.sqrt(0.001))
    for path, new in arrays(model.weights).items():
        shrunk = before[path] * (1 - RATE * DECAY) if path.endswith("kernel") else before[path]
        np.testing.assert_allclose(new, shrunk - update, atol=2e-6, err_msg=path)


@pytest.mark.parametrize(("gradient", "clipped"), [(100.0, 1 / np.sqrt(66)), (0.01, 0.01)])
def test_the_norm_of_all_gradients_is_clipped_at_one(block, gradient, clipped):
    # 66 weights: kernels 24 + 24, biases 6 + 4, layer norm 4 + 4.
    model, optimizer = block(), adamw(RATE)
    assert model.count_params() == 66
    step(optimizer, model, gradient)
    assert len(optimizer.first_moments) == 6
    for moment in optimizer.first_moments:
        np.testing.assert_allclose(moment.numpy(), 0.1 * clipped, rtol=1e-5)


def test_constants_are_googles():
    config = default_optimizer(768).get_config()
    expected = {"weight_decay": 0.01, "epsilon": 1e-6, "global_clipnorm": 1.0, "beta_1": 0.9, "beta_2": 0.999}
    expected["bias_correction"] = True  # Google's has none: rows are few where one fine-tunes, and so is the warm-up
    assert {name: config[name] for name in expected} == expected


def test_stored_optimizer_equals_the_first():
    optimizer = default_optimizer(96)
    twin = round_trip(optimizer)
    assert type(twin) is type(optimizer)
    assert twin.get_config() == optimizer.get_config()


@pytest.mark.parametrize("policy", ["float32", "mixed_float16"])
def test_training_goes_on_after_a_reload_as_without_it(block, tmp_path, rng, policy):
    x, y = rng.normal(size=(8, 3, 4)), rng.normal(size=(8, 3, 4))
    model = block(policy)
    model.compile(adamw(LinearWarmup(0.05, warmup_steps=3)), "mse")
    model.fit(x, y, epochs=3, verbose=0, batch_size=8, shuffle=False)
    model.save(tmp_path / "model.keras")
    twin = keras.saving.load_model(tmp_path / "model.keras")
    for each in (model, twin):
        each.fit(x, y, verbose=0, batch_size=8, shuffle=False)
    for kept, reloaded in zip(model.get_weights(), twin.get_weights(), strict=True):
        np.testing.assert_array_equal(reloaded, kept)


def test_default_rate_falls_with_the_width_down_to_googles():
    assert default_learning_rate(768) == pytest.approx(2e-5)
    assert default_learning_rate(1024) == pytest.approx(1.5e-5)
    assert default_learning_rate(2048) == default_learning_rate(4096) == 1e-5
    assert default_learning_rate(96) == pytest.approx(1.6e-4)


def test_default_optimizer_warms_up_over_100_steps():
    optimizer = default_optimizer(768)
    for steps, share in ((0, 0), (50, 0.5), (100, 1), (5000, 1)):
        optimizer.iterations.assign(steps)
        assert float(ops.convert_to_numpy(optimizer.learning_rate)) == pytest.approx(share * 2e-5, rel=1e-6)

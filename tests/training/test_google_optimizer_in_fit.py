"""What Keras's training loop lays around an optimizer: restored states, scaled losses, accumulated gradients."""

import keras
import numpy as np
import pytest

from keras_albert.training import AdamW, Lamb, WarmupPolynomialDecay

SCHEDULE = WarmupPolynomialDecay(0.05, total_steps=40, warmup_steps=2)


@pytest.fixture
def batches(rng) -> tuple[np.ndarray, np.ndarray]:
    """Rows for four batches of eight."""
    x = rng.normal(size=(32, 3, 4)).astype("float32")
    return x, np.roll(x, 1, axis=-1)


def fit(model: keras.Model, x: np.ndarray, y: np.ndarray, batch_size: int = 8) -> None:
    model.fit(x, y, batch_size=batch_size, shuffle=False, verbose=0)


def compile_(model: keras.Model, optimizer: keras.optimizers.Optimizer, policy: str, **kwargs) -> None:
    # Keras wraps by itself where the whole model has the policy; here only its block has.
    model.compile(
        keras.optimizers.LossScaleOptimizer(optimizer) if policy == "mixed_float16" else optimizer, "mse", **kwargs
    )


def inner(model: keras.Model) -> keras.optimizers.Optimizer:
    return getattr(model.optimizer, "inner_optimizer", model.optimizer)


def everything(model: keras.Model) -> list[keras.Variable]:
    if not model.optimizer.built:  # Keras's `LossScaleOptimizer` doubles its own variables in a second `build`
        model.optimizer.build(model.trainable_variables)
    return [*model.variables, *model.optimizer.variables]


@pytest.mark.parametrize(
    ("make", "policy", "accumulated"), [(AdamW, "float32", None), (Lamb, "float32", 2), (Lamb, "mixed_float16", 2)]
)
def test_restoring_all_variables_goes_on_bit_for_bit(block, batches, make, policy, accumulated):
    x, y = batches
    straight, first, second = (block(policy) for _ in range(3))
    for model in (straight, first, second):
        compile_(model, make(SCHEDULE, gradient_accumulation_steps=accumulated), policy)
    fit(straight, x, y)
    fit(first, x[:24], y[:24])  # three batches: where they are accumulated, one waits for its update
    for variable, stored in zip(everything(second), [v.numpy() for v in everything(first)], strict=True):
        variable.assign(stored)
    fit(second, x[24:], y[24:])
    for kept, restored in zip(everything(straight), everything(second), strict=True):
        np.testing.assert_array_equal(restored.numpy(), kept.numpy(), err_msg=kept.path)
    assert inner(second).gradient_norm.numpy() > 0


def test_a_saved_model_keeps_its_exclusions_and_goes_on_bit_for_bit(block, batches, tmp_path):
    x, y = batches
    model = block()
    exclusions = {"exclude_from_weight_decay": ["kernel"], "exclude_from_layer_adaptation": ["gamma"]}
    model.compile(Lamb(SCHEDULE, **exclusions), "mse")
    fit(model, x, y)
    model.save(tmp_path / "model.keras")
    twin = keras.saving.load_model(tmp_path / "model.keras")
    assert twin.optimizer.get_config() == model.optimizer.get_config()
    for each in (model, twin):
        fit(each, x, y)
    for kept, reloaded in zip(everything(model), everything(twin), strict=True):
        np.testing.assert_array_equal(reloaded.numpy(), kept.numpy(), err_msg=kept.path)


@pytest.mark.parametrize(("make", "policy"), [(AdamW, "float32"), (Lamb, "float32"), (Lamb, "mixed_float16")])
def test_four_accumulated_batches_are_one_big_batch(block, batches, make, policy):
    x, y = batches
    parts, whole = block(policy), block(policy)
    compile_(parts, make(0.05, gradient_accumulation_steps=4), policy)
    compile_(whole, make(0.05), policy)
    for _ in range(3):
        fit(parts, x, y, batch_size=8)
        fit(whole, x, y, batch_size=32)
    assert int(inner(parts).iterations) == int(inner(whole).iterations) == 3
    tolerance = 1e-3 if policy == "mixed_float16" else 1e-5
    assert float(inner(parts).gradient_norm.numpy()) == pytest.approx(
        float(inner(whole).gradient_norm.numpy()), rel=tolerance
    )
    for one, other, start in zip(parts.get_weights(), whole.get_weights(), block().get_weights(), strict=True):
        np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance)
        assert np.abs(one - start).max() > 0.05


@pytest.mark.parametrize(("make", "accumulated"), [(AdamW, None), (Lamb, 2)])
def test_a_batch_that_overflows_touches_nothing_but_the_scale_of_the_loss(block, batches, make, accumulated):
    x, y = batches
    model = block("mixed_float16")
    compile_(model, make(0.05, gradient_accumulation_steps=accumulated), "mixed_float16")
    fit(model, x, y)
    before = [variable.numpy() for variable in [*model.variables, *inner(model).variables]]
    scale = float(model.optimizer.dynamic_scale.numpy())
    fit(model, x[:8], np.full_like(y[:8], np.inf))
    assert float(model.optimizer.dynamic_scale.numpy()) == scale / 2
    for variable, kept in zip([*model.variables, *inner(model).variables], before, strict=True):
        np.testing.assert_array_equal(variable.numpy(), kept, err_msg=variable.path)
    fit(model, x, y)
    assert np.isfinite(inner(model).gradient_norm.numpy())
    assert any(np.any(weight != kept) for weight, kept in zip(model.get_weights(), before, strict=False))


def test_norm_does_not_depend_on_the_scale_of_the_loss(block, batches):
    x, y = batches
    norms = []
    for scale in (None, 1024.0):
        model = block()
        model.compile(Lamb(0.05, gradient_accumulation_steps=2, loss_scale_factor=scale), "mse")
        fit(model, x, y)
        norms.append(float(model.optimizer.gradient_norm.numpy()))
    assert norms[1] == pytest.approx(norms[0], rel=1e-5)


@pytest.mark.skipif(keras.backend.backend() == "torch", reason="TorchDynamo needs a C++ compiler")
def test_scaled_loss_and_accumulation_work_compiled(block, batches):
    x, y = batches
    model = block("mixed_float16")
    compile_(model, Lamb(SCHEDULE, gradient_accumulation_steps=2), "mixed_float16", jit_compile=True)
    fit(model, x, y)
    assert int(inner(model).iterations) == 2
    assert 0 < float(inner(model).gradient_norm.numpy()) < 1e3

import json

import keras
import numpy as np
import pytest
from keras import ops

from keras_albert.training import AdamW, Lamb, WarmupPolynomialDecay

BOTH = pytest.mark.parametrize("make", [Lamb, AdamW])
CASES = range(6)


def arrays(variables: list[keras.Variable]) -> dict[str, np.ndarray]:
    return {variable.path: variable.numpy() for variable in variables}


def apply(optimizer: keras.optimizers.Optimizer, variables: list[keras.Variable], gradients: list) -> None:
    optimizer.apply([ops.convert_to_tensor(np.array(each, "float32")) for each in gradients], variables)


def norm(optimizer: keras.optimizers.Optimizer) -> float:
    return float(optimizer.gradient_norm.numpy())


def rate(optimizer: keras.optimizers.Optimizer) -> float:
    return float(ops.convert_to_numpy(optimizer.learning_rate))


@pytest.mark.parametrize("case", CASES)
def test_single_updates_are_googles(shared, variable, case):
    path = shared / "golden" / "schedule" / "schedule_and_updates.json"
    cases = json.loads(path.read_text(encoding="utf-8"))["updates"]
    assert len(cases) == len(CASES)
    given = cases[case]
    settings = dict(given["hyperparameters"])
    settings["weight_decay"] = settings.pop("weight_decay_rate")
    settings["exclude_from_weight_decay"] = settings["exclude_from_weight_decay"] or []
    make = {"lamb": Lamb, "adamw": AdamW}[given["optimizer"]]
    optimizer = make(0.0, global_clipnorm=None, **settings)
    names = list(given["initial_weights"])
    variables = [variable(name, given["initial_weights"][name]) for name in names]
    assert [each.path for each in variables] == names
    for step in given["steps"]:
        optimizer.learning_rate = step["learning_rate"]
        apply(optimizer, variables, [step["gradients"][name] for name in names])
        slots = {"weights": variables, "m": optimizer.first_moments, "v": optimizer.second_moments}
        for kind, found in slots.items():
            for name, each in zip(names, found, strict=True):
                message = f"{kind} of {name}"
                np.testing.assert_allclose(each.numpy(), step[kind][name], rtol=2e-6, atol=1e-7, err_msg=message)


@BOTH
def test_all_gradients_are_clipped_together_and_their_norm_before_it_is_kept(make, variable):
    optimizer = make(0.1)
    variables = [variable("a/kernel", [1.0, 2.0]), variable("a/bias", [1.0])]
    apply(optimizer, variables, [[3.0, 0.0], [4.0]])
    assert norm(optimizer) == pytest.approx(5.0, rel=1e-6)
    moments = np.concatenate([each.numpy() for each in optimizer.first_moments])
    np.testing.assert_allclose(moments, [0.06, 0.0, 0.08], rtol=1e-5)
    apply(optimizer, variables, [[0.3, 0.0], [0.4]])  # below 1: as it is
    assert norm(optimizer) == pytest.approx(0.5, rel=1e-6)
    moments = np.concatenate([each.numpy() for each in optimizer.first_moments])
    np.testing.assert_allclose(moments, [0.9 * 0.06 + 0.03, 0.0, 0.9 * 0.08 + 0.04], rtol=1e-5)


@pytest.mark.parametrize("clipping", [{"global_clipnorm": None}, {"global_clipnorm": None, "clipvalue": 2.0}])
def test_other_clipping_leaves_the_norm_to_read(clipping, variable):
    optimizer = AdamW(0.1, **clipping)
    apply(optimizer, [variable("kernel", [1.0, 2.0])], [[3.0, 4.0]])
    assert norm(optimizer) == pytest.approx(5.0, rel=1e-6)
    expected = [0.2, 0.2] if "clipvalue" in clipping else [0.3, 0.4]
    np.testing.assert_allclose(optimizer.first_moments[0].numpy(), expected, rtol=1e-5)


def test_gradients_of_one_row_that_was_looked_up_twice_are_one_in_the_norm():
    model = keras.Sequential([keras.Input((2,), dtype="int32"), keras.layers.Embedding(5, 1)])
    optimizer = Lamb(0.1)
    model.compile(optimizer, loss=lambda y, prediction: ops.mean(y * prediction[..., 0], axis=-1))
    model.fit(np.array([[3, 3]]), np.array([[6.0, 8.0]], "float32"), verbose=0)
    assert norm(optimizer) == pytest.approx(7.0, rel=1e-6)  # 3 + 4, and not the root of 3 * 3 + 4 * 4


@BOTH
def test_a_gradient_that_is_no_number_is_not_passed_off_as_a_small_one(make, variable):
    optimizer, kernel = make(0.1), variable("kernel", [1.0, 2.0])
    apply(optimizer, [kernel], [[np.inf, 0.0]])
    assert np.isinf(norm(optimizer))
    assert np.isnan(kernel.numpy()).all()


@BOTH
def test_accumulated_gradients_are_averaged_then_clipped_then_one_update(make, variable):
    gradients = [[[3.0, 1.0], [5.0]], [[1.0, -1.0], [-1.0]], [[2.0, 0.5], [0.0]], [[-1.0, 0.5], [1.0]]]
    at_once, step_by_step = ([variable("a/kernel", [1.0, 2.0]), variable("a/bias", [1.0])] for _ in range(2))
    # The rate falls so that every update has one of its own.
    whole = make(WarmupPolynomialDecay(0.5, total_steps=4))
    parts = make(WarmupPolynomialDecay(0.5, total_steps=4), gradient_accumulation_steps=2)
    for update in range(2):
        pair = gradients[2 * update : 2 * update + 2]
        apply(whole, at_once, [np.mean([each[index] for each in pair], axis=0) for index in range(2)])
        apply(parts, step_by_step, pair[0])
        if not update:
            untouched = [*parts.first_moments, *parts.second_moments, parts.gradient_norm]
            assert not any(np.any(each.numpy()) for each in untouched)
            assert step_by_step[0].numpy().tolist() == [1.0, 2.0]
        apply(parts, step_by_step, pair[1])
        assert norm(parts) == pytest.approx(norm(whole), rel=1e-6)
        for name in ("first_moments", "second_moments"):
            for one, other in zip(getattr(whole, name), getattr(parts, name), strict=True):
                np.testing.assert_allclose(other.numpy(), one.numpy(), rtol=1e-6)
        for one, other in zip(at_once, step_by_step, strict=True):
            np.testing.assert_allclose(other.numpy(), one.numpy(), rtol=1e-6)
    assert norm(parts) == pytest.approx(np.sqrt(0.25 + 0.25 + 0.25), rel=1e-6)


def test_rates_follow_updates_and_not_the_batches_that_make_them_up(variable):
    optimizer = Lamb(WarmupPolynomialDecay(1.0, total_steps=5), gradient_accumulation_steps=3)
    kernel, rates = variable("kernel", [1.0]), []
    for _ in range(9):
        rates.append(rate(optimizer))
        apply(optimizer, [kernel], [[1.0]])
    np.testing.assert_allclose(rates, [1.0] * 3 + [0.8] * 3 + [0.6] * 3, rtol=1e-6)
    assert int(optimizer.iterations) == 3


def test_a_rate_that_is_a_number_can_be_set(variable):
    optimizer, kernel = AdamW(0.5, weight_decay=0.0), variable("kernel", [1.0])
    optimizer.learning_rate = 0.25
    apply(optimizer, [kernel], [[0.5]])
    assert rate(optimizer) == 0.25
    update = 0.1 * 0.5 / (np.sqrt(0.001 * 0.5**2) + 1e-6)
    assert kernel.numpy()[0] == pytest.approx(1 - 0.25 * update, rel=1e-6)
    optimizer.learning_rate = WarmupPolynomialDecay(0.8, total_steps=2)
    assert rate(optimizer) == pytest.approx(0.4)


@BOTH
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_slots_and_sums_are_float32_for_weights_in_half_precision(make, dtype, variable):
    optimizer = make(0.1, gradient_accumulation_steps=2)
    kernel = variable("kernel", [1.0, -2.0], dtype)
    for gradient in (1e-4, 3e-4):  # their squares are nothing in half precision
        optimizer.apply([ops.cast(ops.full((2,), gradient), dtype)], [kernel])
    halves = [each.path for each in optimizer.variables if each.dtype in ("float16", "bfloat16")]
    assert not halves
    np.testing.assert_allclose(optimizer.first_moments[0].numpy(), [2e-5] * 2, rtol=1e-2)
    np.testing.assert_allclose(optimizer.second_moments[0].numpy(), [4e-11] * 2, rtol=2e-2)
    assert kernel.dtype == dtype
    assert float(ops.convert_to_numpy(ops.cast(kernel, "float32"))[0]) < 1.0


@BOTH
def test_config_survives_and_lists_everything(make):
    schedule = WarmupPolynomialDecay(1e-3, total_steps=9, warmup_steps=2)
    own = {"exclude_from_layer_adaptation": ["embedding"]} if make is Lamb else {"bias_correction": True}
    optimizer = make(
        schedule,
        weight_decay=np.float32(0.25),
        beta_1=0.8,
        beta_2=0.99,
        epsilon=1e-7,
        exclude_from_weight_decay=["a$", "b"],
        global_clipnorm=2.0,
        gradient_accumulation_steps=4,
        **own,
    )
    twin = keras.saving.deserialize_keras_object(json.loads(json.dumps(keras.saving.serialize_keras_object(optimizer))))
    assert type(twin) is make
    assert twin.get_config() == optimizer.get_config()
    expected = {"weight_decay": 0.25, "beta_1": 0.8, "beta_2": 0.99, "epsilon": 1e-7, "global_clipnorm": 2.0} | own
    expected |= {"exclude_from_weight_decay": ["a$", "b"], "gradient_accumulation_steps": 4}
    assert {name: twin.get_config()[name] for name in expected} == expected
    assert keras.saving.get_registered_name(make) == f"keras_albert>{make.__name__}"


@BOTH
def test_constants_are_googles(make):
    config = make(1e-3).get_config()
    expected = {"weight_decay": 0.01, "epsilon": 1e-6, "global_clipnorm": 1.0, "beta_1": 0.9, "beta_2": 0.999}
    expected["exclude_from_weight_decay"] = ["LayerNorm", "layer_norm", "bias"]
    assert {name: config[name] for name in expected} == expected


@BOTH
@pytest.mark.parametrize(
    "wrong",
    [
        {"weight_decay": -0.1},
        {"weight_decay": None},
        {"beta_1": 1.0},
        {"beta_2": -0.5},
        {"epsilon": 0.0},
        {"epsilon": float("nan")},
    ],
)
def test_numbers_out_of_range_are_refused(make, wrong):
    (name, value), *_ = wrong.items()
    with pytest.raises(ValueError, match=rf"Received: .*{name}={value}"):
        make(0.1, **wrong)


@BOTH
@pytest.mark.parametrize("wrong", ["bias", ["("], [3], None])
def test_exclusions_that_are_no_list_of_expressions_are_refused(make, wrong):
    with pytest.raises(ValueError, match="Expected a list of regular expressions"):
        make(0.1, exclude_from_weight_decay=wrong)


def test_exclusions_by_keras_method_are_refused():
    with pytest.raises(ValueError, match=r"AdamW\(exclude_from_weight_decay=\[\.\.\.\]\)"):
        AdamW(0.1).exclude_from_weight_decay(var_names=["bias"])

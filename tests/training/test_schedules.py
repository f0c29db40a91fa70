import json

import keras
import numpy as np
import pytest
from keras import ops

from keras_albert.training import LinearWarmup, WarmupPolynomialDecay

# Settings of Google's code that are no sensible schedule: with a warm-up as long as the training the rate never decays
# and rises past the end, and before `start_warmup_step` it is negative. The first are refused; the second has no
# argument here.
WARMUP_TOO_LONG = [(20, 20), (30, 20)]
NUM_WITH_START_STEP = 2


@pytest.fixture
def golden(shared) -> list[dict]:
    path = shared / "golden" / "schedule" / "schedule_and_updates.json"
    return json.loads(path.read_text(encoding="utf-8"))["schedule"]


def rates(schedule: keras.optimizers.schedules.LearningRateSchedule, steps: list[int]) -> np.ndarray:
    return np.array([ops.convert_to_numpy(schedule(step)) for step in steps])


def test_rates_equal_googles(golden):
    compared = 0
    for case in golden:
        warmup, total = case["num_warmup_steps"], case["num_train_steps"]
        if case["start_warmup_step"] or (warmup, total) in WARMUP_TOO_LONG:
            continue
        peak, power = case["learning_rate"], case["poly_power"]
        got = rates(WarmupPolynomialDecay(peak, total, warmup, power), case["steps"])
        assert got.dtype == np.dtype("float32")
        # The tolerance is one unit in the last place of the peak. A square root near the end multiplies the rounding of
        # 1 - step / total, and Google's own value is 3e-5 off the exact one.
        is_root_near_end = (np.array(case["steps"]) == 999) & (power == 0.5)
        expected = np.array(case["values"], "float32")
        np.testing.assert_allclose(got[~is_root_near_end], expected[~is_root_near_end], rtol=0, atol=1.2e-7 * peak)
        np.testing.assert_allclose(got[is_root_near_end], expected[is_root_near_end], rtol=5e-5)
        compared += 1
    assert compared == len(golden) - len(WARMUP_TOO_LONG) - NUM_WITH_START_STEP == 9


def test_a_start_of_the_warmup_later_than_step_0_cannot_be_asked_for(golden):
    # Google's rate is negative before it.
    cases = [case for case in golden if case["start_warmup_step"]]
    assert len(cases) == NUM_WITH_START_STEP
    for case in cases:
        assert min(case["values"]) < 0
        with pytest.raises(TypeError, match="start_warmup_step"):
            WarmupPolynomialDecay(
                case["learning_rate"],
                case["num_train_steps"],
                case["num_warmup_steps"],
                case["poly_power"],
                start_warmup_step=case["start_warmup_step"],
            )


def test_square_root_near_the_end_is_exact():
    # 0.00176 * sqrt(0.001)
    assert rates(WarmupPolynomialDecay(0.00176, 1000, 100, 0.5), [999])[0] == pytest.approx(5.5656e-5, rel=1e-5)


def test_rates_are_the_papers_rule_and_survive_serialization():
    # The decay counts from step 0, so that the rate goes on at 0.9 after the warm-up.
    schedule = WarmupPolynomialDecay(1.0, total_steps=100, warmup_steps=10)
    stored = json.loads(json.dumps(keras.saving.serialize_keras_object(schedule)))
    for each in (schedule, keras.saving.deserialize_keras_object(stored)):
        assert rates(each, [0, 5, 9, 10, 55, 100, 101]) == pytest.approx([0, 0.5, 0.9, 0.9, 0.45, 0, 0], abs=1e-7)


def test_without_warmup_the_first_rate_is_the_peak():
    assert rates(WarmupPolynomialDecay(0.5, total_steps=4), [0, 1, 2, 3, 4, 5]).tolist() == [
        0.5,
        0.375,
        0.25,
        0.125,
        0,
        0,
    ]


def test_linear_warmup_rises_and_stays():
    schedule = LinearWarmup(2.0, warmup_steps=4)
    assert rates(schedule, [0, 1, 2, 3, 4, 5, 1_000_000]).tolist() == [0, 0.5, 1, 1.5, 2, 2, 2]


SCHEDULES = [
    LinearWarmup(3e-4, 7, name="rise"),
    WarmupPolynomialDecay(3e-4, 70, 7, power=2.0, name="rise_and_fall"),
    # Numbers out of NumPy, as of a search over rates.
    LinearWarmup(np.float64(3e-4), np.int64(7)),
    WarmupPolynomialDecay(np.float32(3e-4), np.int64(70), np.int32(7)),
]
ids = pytest.mark.parametrize("schedule", SCHEDULES, ids=["linear", "polynomial", "linear_numpy", "polynomial_numpy"])


@ids
def test_schedule_survives_serialization(schedule):
    stored = json.loads(json.dumps(keras.saving.serialize_keras_object(schedule)))
    twin = keras.saving.deserialize_keras_object(stored)
    assert type(twin) is type(schedule)
    assert twin.get_config() == schedule.get_config()
    np.testing.assert_array_equal(rates(twin, [0, 3, 7, 30, 70]), rates(schedule, [0, 3, 7, 30, 70]))


@ids
def test_schedule_survives_in_an_optimizer(schedule):
    optimizer = keras.optimizers.SGD(schedule)
    twin = keras.optimizers.SGD.from_config(json.loads(json.dumps(optimizer.get_config())))
    for each in (optimizer, twin):
        each.iterations.assign(3)
        assert float(ops.convert_to_numpy(each.learning_rate)) == pytest.approx(3e-4 * 3 / 7, rel=1e-6)


@ids
def test_schedule_takes_any_kind_of_step(schedule):
    expected = rates(schedule, [5])[0]
    for step in (np.int64(5), np.float32(5), ops.convert_to_tensor(5), ops.convert_to_tensor(5.0)):
        rate = schedule(step)
        assert keras.backend.standardize_dtype(rate.dtype) == "float32"
        assert ops.convert_to_numpy(rate) == expected


def test_optimizer_steps_at_the_scheduled_rates():
    variable = keras.Variable([0.0])
    optimizer = keras.optimizers.SGD(WarmupPolynomialDecay(1.0, total_steps=4, warmup_steps=2))
    values = []
    for _ in range(6):
        optimizer.apply([ops.ones(1)], [variable])
        values.append(float(variable.numpy()[0]))
    # Rates 0, 1/2, 1/2, 1/4, 0, 0.
    assert values == [0.0, -0.5, -1.0, -1.25, -1.25, -1.25]


@pytest.mark.parametrize(("warmup", "total"), [*WARMUP_TOO_LONG, (-1, 20), (0, 0), (0, -5), (0, float("nan"))])
def test_polynomial_decay_refuses_a_warmup_as_long_as_the_training(warmup, total):
    with pytest.raises(ValueError, match=f"Received: warmup_steps={warmup}, total_steps={total}"):
        WarmupPolynomialDecay(0.01, total_steps=total, warmup_steps=warmup)


@pytest.mark.parametrize("warmup", [0, -3])
def test_linear_warmup_refuses_no_warmup(warmup):
    with pytest.raises(ValueError, match=f"Received: warmup_steps={warmup}"):
        LinearWarmup(0.01, warmup_steps=warmup)

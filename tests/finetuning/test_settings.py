from typing import Any

import pytest

from keras_albert.finetuning import FineTuning


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"epochs": 0}, "epochs=0"),
        ({"batch_size": 0}, "batch_size=0"),
        ({"max_train_rows": 0}, "max_train_rows=0"),
        ({"learning_rate": 0.0}, "learning_rate=0.0"),
        ({"learning_rate": float("nan")}, "learning_rate=nan"),
        ({"learning_rate": float("inf")}, "learning_rate=inf"),
        ({"warmup_steps": -1}, "warmup_steps=-1"),
        ({"seed": -1}, "seed=-1"),
        ({"seed": 2**32}, "seed=4294967296"),
        ({"dropout": 1.0}, "dropout=1.0"),
        ({"classifier_dropout": -0.1}, "classifier_dropout=-0.1"),
        ({"dtype": "int8"}, "dtype='int8'"),
    ],
)
def test_values_out_of_range_are_refused(setting: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        FineTuning("preset", "run", **setting)


@pytest.mark.parametrize(
    ("rows", "setting", "steps"),
    [
        (64, {"epochs": 3, "batch_size": 32}, (6, 0)),
        (65, {"epochs": 3, "batch_size": 32}, (9, 0)),
        (320, {"epochs": 4, "batch_size": 16}, (80, 8)),
        (320, {"epochs": 4, "batch_size": 16, "warmup_steps": 79}, (80, 79)),
        (1, {"epochs": 1}, (1, 0)),
    ],
)
def test_steps_and_warmup(rows: int, setting: dict[str, Any], steps: tuple[int, int]) -> None:
    assert FineTuning("preset", "run", **setting).steps(rows) == steps


def test_a_warmup_as_long_as_the_run_says_how_long_that_is() -> None:
    with pytest.raises(ValueError, match=r"6 steps \(3 epochs of 64 rows in batches of 32\).*warmup_steps=6"):
        FineTuning("preset", "run", warmup_steps=6).steps(64)

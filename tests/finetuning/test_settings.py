from typing import Any

import pytest

from keras_albert.finetuning import FineTuning
from keras_albert.finetuning.settings import Steps

pytestmark = pytest.mark.any_backend


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"epochs": 0}, "epochs=0"),
        ({"train_steps": 0}, "train_steps=0"),
        ({"eval_steps": 0}, "eval_steps=0"),
        ({"patience": 0}, "patience=0"),
        ({"epochs": 1, "train_steps": 5}, "either epochs or train_steps"),
        ({"batch_size": 0}, "batch_size=0"),
        ({"max_train_rows": 0}, "max_train_rows=0"),
        ({"learning_rate": 0.0}, "learning_rate=0.0"),
        ({"learning_rate": float("nan")}, "learning_rate=nan"),
        ({"learning_rate": float("inf")}, "learning_rate=inf"),
        ({"warmup_steps": -1}, "warmup_steps=-1"),
        ({"seed": -1}, "seed=-1"),
        ({"seed": 2**32}, "seed=4294967296"),
        ({"dropout": 1.0}, "dropout=1.0"),
        ({"head_dropout": -0.1}, "head_dropout=-0.1"),
        ({"dtype": "int8"}, "dtype='int8'"),
    ],
)
def test_values_out_of_range_are_refused(setting: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        FineTuning("preset", "run", **setting)


@pytest.mark.parametrize(
    ("batches", "setting", "steps"),
    [
        (2, {}, (6, 0, 2, 2)),
        (3, {"epochs": 3}, (9, 0, 3, 3)),
        (20, {"epochs": 4}, (80, 8, 20, 20)),
        (20, {"epochs": 4, "warmup_steps": 79, "eval_steps": 30}, (80, 79, 20, 30)),
        (20, {"train_steps": 7, "eval_steps": 100}, (7, 0, 20, 7)),
        (1, {"epochs": 1}, (1, 0, 1, 1)),
    ],
)
def test_steps_and_warmup(batches: int, setting: dict[str, Any], steps: tuple[int, int, int, int]) -> None:
    assert FineTuning("preset", "run", **setting).steps(batches) == Steps(*steps)


def test_the_last_round_is_shorter_where_the_rounds_do_not_divide_the_steps() -> None:
    steps = FineTuning("preset", "run", train_steps=7, eval_steps=3).steps(5)
    assert [list(steps.of_round(number)) for number in range(steps.rounds)] == [[0, 1, 2], [3, 4, 5], [6]]


def test_a_warmup_as_long_as_the_run_says_how_long_that_is() -> None:
    with pytest.raises(ValueError, match=r"6 steps \(2 in an epoch, in batches of 32\).*warmup_steps=6"):
        FineTuning("preset", "run", warmup_steps=6).steps(2)

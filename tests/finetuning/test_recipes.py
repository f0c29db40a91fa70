import pytest

from keras_albert.finetuning.recipes import RECIPES

pytestmark = pytest.mark.any_backend


def test_steps_are_those_of_the_script_for_the_official_training_set() -> None:
    # run_glue.sh: run_task QNLI 1986 1e-5 33112 200 32
    settings = RECIPES["qnli"].settings(104743)
    expected = {"learning_rate": 1e-5, "batch_size": 32, "train_steps": 33112, "warmup_steps": 1986, "eval_steps": 200}
    assert {name: settings[name] for name in expected} == expected
    assert (settings["epochs"], settings["max_sequence_length"]) == (None, 512)


def test_steps_shrink_with_the_rows_and_never_grow() -> None:
    # A tenth of MRPC's 3,668 rows: a tenth of 800, 200 and 100 steps.
    settings = RECIPES["mrpc"].settings(367)
    assert (settings["train_steps"], settings["warmup_steps"], settings["eval_steps"]) == (80, 20, 10)
    assert RECIPES["mrpc"].settings(10**6)["train_steps"] == 800
    one_row = RECIPES["rte"].settings(1)
    assert (one_row["train_steps"], one_row["warmup_steps"], one_row["eval_steps"]) == (1, 0, 1)


def test_epochs_are_the_same_for_fewer_rows() -> None:
    settings = RECIPES["squad-1.1"].settings(100)
    assert (settings["epochs"], settings["max_sequence_length"]) == (2, 384)
    assert settings["preprocessor_options"] == {"doc_stride": 128, "max_question_length": 64}
    assert settings["task_options"] == {"n_best_size": 20, "max_answer_length": 30}
    assert not {"train_steps", "warmup_steps", "eval_steps"} & set(settings)


def test_tasks_that_the_paper_starts_from_mnli_say_so() -> None:
    assert {name for name, recipe in RECIPES.items() if "MNLI" in recipe.note} == {"rte", "sts-b", "mrpc"}


def test_no_rows_are_refused() -> None:
    with pytest.raises(ValueError, match="train_rows=0"):
        RECIPES["cola"].settings(0)

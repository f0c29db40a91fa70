import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from keras_albert import AlbertClassifier
from keras_albert.finetuning import Examples, FineTuning


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    """Training rows of pairs, in columns of the default names but for the pair."""
    lines = [
        json.dumps({"text": f"a {word} film", "second": "我们", "label": label})
        for word, label in (("good", 1), ("bad", 0))
        for _ in range(16)
    ]
    (tmp_path / "train.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path / "train.jsonl"


def test_a_run_of_pairs_writes_a_model_that_predicts(
    call: Callable[..., Any], classifier_preset: Path, rows: Path, tmp_path: Path
) -> None:
    run = tmp_path / "a run 一"
    options = ["--epochs", 2, "--batch-size", 16, "--learning-rate", 0.02, "--sequence-length", 24, "--seed", 3]
    outcome = call(
        *("finetune", "--preset", classifier_preset, "--train", rows, "--dev", rows),
        *("--text-pair", "second", "--output", run, *options),
    )
    assert outcome.code == 0, outcome.err
    assert f"Picture       {run / 'pictures.png'}" in outcome.out
    assert "Always '0'    0.5000" in outcome.out
    assert "step 4 of 4" in outcome.err
    assert (run / "pictures.png").stat().st_size > 10_000
    assert AlbertClassifier.from_preset(str(run / "model")).class_names == ("0", "1")
    metrics = json.loads((run / "metrics.json").read_text())
    columns = ["--text-pair", "second", "--batch-size", 16]
    evaluated = json.loads(call("evaluate", "--model", run, "--file", rows, *columns, "--json").out)
    assert evaluated["accuracy"] == metrics["accuracy"]
    assert evaluated["confusion_matrix"] == metrics["confusion_matrix"]
    again = call("finetune", "--preset", classifier_preset, "--train", rows, "--dev", rows, "--output", run)
    assert again.code == 2
    assert "is there already and is not empty" in again.err
    assert again.err.count("\n") == 1


def test_options_reach_the_settings(
    call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, table: Path, tmp_path: Path
) -> None:
    seen: list[Any] = []

    def finetune(*arguments: Any) -> Any:
        seen.extend(arguments)
        raise ValueError("enough")

    monkeypatch.setattr("keras_albert.finetuning.finetune", finetune)
    (tmp_path / "train.tsv").write_text("sentence\tlabel\nfine\t1\n")
    (tmp_path / "dev.tsv").write_text("sentence\tlabel\nbad\t0\n")
    options = {
        "--epochs": 5,
        "--batch-size": 8,
        "--learning-rate": 1e-3,
        "--warmup-steps": 7,
        "--max-sequence-length": 64,
        "--sequence-length": 32,
        "--max-train-rows": 9,
        "--seed": 11,
        "--dropout": 0.2,
        "--head-dropout": 0.3,
        "--dtype": "mixed_bfloat16",
    }
    words = [word for pair in options.items() for word in pair]
    outcome = call(
        *("finetune", "--preset", "p", "--output", "o", "--task", "SST-2", "--data", tmp_path, "--overwrite", *words)
    )
    assert outcome.err == "Error: enough\n"
    settings, kind, train, dev, source = seen
    assert settings == FineTuning(
        preset="p",
        output="o",
        epochs=5,
        batch_size=8,
        learning_rate=1e-3,
        warmup_steps=7,
        max_sequence_length=64,
        sequence_length=32,
        max_train_rows=9,
        seed=11,
        dropout=0.2,
        head_dropout=0.3,
        recipe_learning_rate=1e-5,
        preprocessor_options={"max_sequence_length": 512},
        dtype="mixed_bfloat16",
        overwrite=True,
    )
    assert train == Examples(["fine"], labels=["1"], source=str(tmp_path / "train.tsv"))
    assert dev.texts == ["bad"]
    assert kind.class_names == ("0", "1")
    assert source["task"] == "sst-2"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Name the rows: by --train and --dev, or by --task and --data."),
        (["--train", "TABLE"], "Name the rows: by --train and --dev"),
        (["--task", "sst-2", "--data", "x", "--train", "TABLE"], "Name the rows once"),
        (["--train", "TABLE", "--dev", "TABLE"], "no column is named 'text'"),
        (["--train", "TABLE", "--dev", "TABLE", "--text", "sentence", "--label", "gold"], "Expected a preset's name"),
    ],
)
def test_bad_arguments_are_one_line_and_leave_nothing(
    call: Callable[..., Any], table: Path, tmp_path: Path, arguments: list[str], message: str
) -> None:
    words = [str(table) if word == "TABLE" else word for word in arguments]
    before = sorted(tmp_path.iterdir())
    outcome = call("finetune", "--preset", "no preset", "--output", tmp_path / "run", *words)
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err
    assert outcome.err.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before


def test_a_flag_overrides_the_recipe_and_shorter_training_drops_its_steps() -> None:
    from keras_albert.cli.finetune import _over_recipe
    from keras_albert.finetuning import named_task

    whole = _over_recipe(named_task("cola"), 8551, {"learning_rate": 1e-3})
    assert (whole["train_steps"], whole["learning_rate"], whole["recipe_learning_rate"]) == (5336, 1e-3, 1e-5)
    short = _over_recipe(named_task("cola"), 8551, {"epochs": 2})
    assert short["epochs"] == 2
    assert not short.keys() & {"train_steps", "warmup_steps", "eval_steps"}
    assert _over_recipe(None, 10, {"epochs": 2}) == {"epochs": 2}


def test_weights_are_needed_unless_random_ones_are_asked_for(
    call: Callable[..., Any], classifier_preset: Path, rows: Path, tmp_path: Path
) -> None:
    data = ["--train", rows, "--dev", rows, "--output", tmp_path / "run"]
    outcome = call("finetune", *data)
    assert (outcome.code, outcome.err.count("\n")) == (2, 1)
    assert "--preset" in outcome.err
    options = ["--random-init", "--train-steps", 2, "--batch-size", 16, "--sequence-length", 24]
    assert call("finetune", *data, "--preset", classifier_preset, *options).code == 0
    assert json.loads((tmp_path / "run" / "config.json").read_text())["random_init"]


def test_class_weights_are_a_word_or_pairs() -> None:
    import typer

    from keras_albert.cli.finetune import _class_weights

    assert _class_weights("balanced") == "balanced"
    assert _class_weights("yes=2,no=0.5") == {"yes": 2.0, "no": 0.5}
    with pytest.raises(typer.BadParameter, match="yes=2,no=1"):
        _class_weights("yes=much")

import csv
import json
from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest
from labelled_remarks import remarks

from keras_albert import AlbertClassifier
from keras_albert.finetuning import (
    Classification,
    Examples,
    FineTuned,
    FineTuning,
    OutputError,
    finetune,
    read_examples,
)
from keras_albert.finetuning.building import build_model, class_weights_of

KIND = Classification(class_names=("no", "yes"))


def settings(tiny_preset: Path, output: Path, **values: Any) -> FineTuning:
    defaults = {"epochs": 4, "batch_size": 16, "learning_rate": 0.02, "sequence_length": 24}
    if "train_steps" in values:
        del defaults["epochs"]
    return FineTuning(str(tiny_preset), str(output), **(defaults | values))


def test_a_run_learns_and_reports_the_round_that_it_keeps(finished: FineTuned) -> None:
    accuracies = [row["dev_accuracy"] for row in finished.progress.curve if "dev_accuracy" in row]
    assert len(accuracies) == 4
    assert finished.metrics.value >= 0.9
    assert finished.metrics.baseline == 0.5
    assert finished.metrics.value == pytest.approx(max(accuracies), abs=1e-6)
    assert finished.best_step == 8 * (accuracies.index(max(accuracies)) + 1)


def test_the_folder_holds_everything(finished: FineTuned) -> None:
    folder = Path(finished.settings.output)
    assert sorted(entry.name for entry in folder.iterdir()) == [
        *("README.md", "config.json", "errors.tsv", "history.csv", "last", "metrics.json", "model"),
        *("pictures.png", "predictions.tsv"),
    ]
    assert [entry.name for entry in folder.parent.iterdir()] == [folder.name]
    metrics = json.loads((folder / "metrics.json").read_text())
    assert metrics["accuracy"] == finished.metrics.value
    assert metrics["backend"] == keras.backend.backend()
    assert metrics["train_rows"] == 64
    assert metrics["versions"]["keras"] == keras.__version__
    config = json.loads((folder / "config.json").read_text())
    assert config["learning_rate"] == 0.02
    assert config["warmup_steps"] == 3  # a tenth of 32 steps
    assert config["kind"]["class_names"] == ["no", "yes"]
    history = list(csv.DictReader((folder / "history.csv").read_text().splitlines()))
    assert [row["step"] for row in history] == [str(step) for step in range(1, 33)]
    assert [row["dev_accuracy"] != "" for row in history] == ([False] * 7 + [True]) * 4
    table = read_examples(folder / "predictions.tsv", "text", label="prediction")
    assert table.texts == remarks(32).texts
    assert table.labels == finished.answers.labels
    card = (folder / "README.md").read_text()
    assert f"accuracy {finished.metrics.value:.4g}" in card
    assert f'AlbertClassifier.from_preset("{folder.name}/model")' in card


def test_the_saved_models_are_the_best_and_the_last(finished: FineTuned) -> None:
    folder = Path(finished.settings.output)
    best, last = (AlbertClassifier.from_preset(str(folder / name)) for name in ("model", "last"))
    assert best.class_names == ("no", "yes")
    for saved, kept in zip(best.weights, finished.model.weights, strict=True):
        np.testing.assert_array_equal(np.asarray(saved), np.asarray(kept))
    moved = [
        np.abs(np.asarray(one) - np.asarray(two)).max() for one, two in zip(best.weights, last.weights, strict=True)
    ]
    assert (max(moved) > 0) == (finished.best_step < finished.steps.total)


class Killed(BaseException):
    """What stops a run in a test."""


def kill_at(monkeypatch: pytest.MonkeyPatch, step: int) -> None:
    """Let a training end in the middle of that step, counted over its calls of `fit`."""
    seen = []
    original = keras.Model.fit

    class Killer(keras.callbacks.Callback):
        def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
            seen.append(batch)
            if len(seen) == step:
                raise Killed

    def fit(self: Any, *arguments: Any, callbacks: list[Any], **options: Any) -> Any:
        return original(self, *arguments, callbacks=[*callbacks, Killer()], **options)

    monkeypatch.setattr(keras.Model, "fit", fit)


@pytest.mark.filterwarnings("ignore:The model is hardly better")
def test_a_killed_run_goes_on_to_the_same_result(
    tiny_preset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"epochs": 3, "eval_steps": 3, "dropout": 0.2, "patience": 9}  # rounds that end within an epoch
    whole = finetune(
        settings(tiny_preset, tmp_path / "whole", **options), KIND, remarks(48), remarks(32), verbose=False
    )
    with monkeypatch.context() as patched, pytest.raises(Killed):
        kill_at(patched, step=8)
        finetune(settings(tiny_preset, tmp_path / "run", **options), KIND, remarks(48), remarks(32), verbose=False)
    assert [entry.name for entry in tmp_path.iterdir() if entry.name != "whole"] == ["run.unfinished"]
    resumed = finetune(
        settings(tiny_preset, tmp_path / "run", **options), KIND, remarks(48), remarks(32), verbose=False
    )
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["run", "whole"]
    assert resumed.progress.curve == whole.progress.curve
    assert resumed.best_step == whole.best_step
    for one, other in zip(resumed.model.weights, whole.model.weights, strict=True):
        np.testing.assert_array_equal(np.asarray(one), np.asarray(other))


def test_an_unfinished_run_with_other_settings_is_not_taken_up(
    tiny_preset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched, pytest.raises(Killed):
        kill_at(patched, step=3)
        finetune(settings(tiny_preset, tmp_path / "run"), KIND, remarks(32), remarks(32), verbose=False)
    other = settings(tiny_preset, tmp_path / "run", learning_rate=0.01)
    with pytest.raises(ValueError, match=r"learning_rate=0\.02 \(now 0\.01\).*--overwrite"):
        finetune(other, KIND, remarks(32), remarks(32), verbose=False)
    assert (tmp_path / "run.unfinished").is_dir()


def test_a_run_that_is_interrupted_before_its_first_evaluation_leaves_nothing(
    tiny_preset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kill_at(monkeypatch, step=1)
    with pytest.raises(Killed):
        finetune(settings(tiny_preset, tmp_path / "run"), KIND, remarks(32), remarks(32), verbose=False)
    assert list(tmp_path.iterdir()) == []


def test_training_ends_early_where_nothing_gets_better(tiny_preset: Path, tmp_path: Path) -> None:
    run = settings(tiny_preset, tmp_path / "run", epochs=9, learning_rate=1e-9, patience=2)
    with pytest.warns(UserWarning, match="hardly better"):
        result = finetune(run, KIND, remarks(16), remarks(32), verbose=False)
    assert (result.progress.rounds_done, result.best_step) == (3, 1)
    assert result.figures()["stopped_early"]


def test_a_loss_that_stays_at_guessing_is_reported_while_training(tiny_preset: Path, tmp_path: Path) -> None:
    run = settings(tiny_preset, tmp_path / "run", train_steps=120, eval_steps=110, learning_rate=1e-9)
    rows = remarks(32)
    with pytest.warns(UserWarning) as caught:
        finetune(run, KIND, Examples(rows.texts, labels=["yes", "yes", "no", "no"] * 8), rows, verbose=False)
    said = [str(warning.message) for warning in caught]
    assert sum("After 110 steps the loss is still that of guessing" in text for text in said) == 1


@pytest.mark.filterwarnings("ignore:The model is hardly better")
def test_a_disk_that_is_full_at_the_end_keeps_the_state_only(
    tiny_preset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: AlbertClassifier, folder: str) -> None:
        Path(folder).mkdir()
        (Path(folder) / "model.weights.h5").write_bytes(b"half")
        raise OSError(28, "No space left on device", folder)

    monkeypatch.setattr(AlbertClassifier, "save_to_preset", full)
    with pytest.raises(OutputError, match=r"Cannot write .*run: No space left"):
        finetune(settings(tiny_preset, tmp_path / "run"), KIND, remarks(32), remarks(32), verbose=False)
    assert [entry.name for entry in tmp_path.iterdir()] == ["run.unfinished"]


def test_what_cannot_work_is_refused_and_leaves_nothing(tiny_preset: Path, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "file").touch()
    run, rows = settings(tiny_preset, tmp_path / "run"), remarks(8)
    with pytest.raises(FileExistsError):
        finetune(settings(tiny_preset, tmp_path / "there"), KIND, rows, rows)
    maybe = Examples(["a"], labels=["maybe"], source="train.tsv")
    with pytest.raises(ValueError, match=r"Expected labels among \['no', 'yes'\] in train\.tsv. Received: \['maybe'\]"):
        finetune(run, KIND, maybe, rows)
    with pytest.raises(ValueError, match="Expected labels in dev"):
        finetune(run, KIND, rows, Examples(["a"], source="dev"))
    with pytest.raises(ValueError, match="shorter than the training"):
        finetune(settings(tiny_preset, tmp_path / "run", warmup_steps=99), KIND, rows, rows)
    assert [entry.name for entry in tmp_path.iterdir()] == ["there"]


def test_a_model_no_better_than_a_constant_answer_is_reported(tiny_preset: Path, tmp_path: Path) -> None:
    rows = remarks(32)
    random = Examples(rows.texts, labels=["yes", "yes", "no", "no"] * 8)
    run = settings(tiny_preset, tmp_path / "run", train_steps=2, learning_rate=1e-9)
    with pytest.warns(UserWarning, match=r"hardly better than always '(no|yes)': accuracy 0\.\d+"):
        finetune(run, KIND, random, random, verbose=False)
    assert (tmp_path / "run" / "model").is_dir()


def test_a_run_whose_loss_is_no_number_keeps_no_model(
    tiny_preset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_number(self: Any, *arguments: Any, callbacks: list[Any], **options: Any) -> None:
        for callback in callbacks:
            callback.set_model(self)
            callback.on_epoch_begin(0)
            callback.on_train_batch_end(0, {"loss": float("nan")})
        assert self.stop_training

    monkeypatch.setattr(keras.Model, "fit", no_number)
    with pytest.raises(ValueError, match=r"at step 1, before.*Lower the learning rate"):
        finetune(settings(tiny_preset, tmp_path / "run"), KIND, remarks(8), remarks(8), verbose=False)
    assert list(tmp_path.iterdir()) == []


def test_settings_reach_the_model(tiny_preset: Path) -> None:
    run = FineTuning(
        str(tiny_preset), "run", max_sequence_length=20, dropout=0.3, head_dropout=0.4, dtype="mixed_bfloat16"
    )
    model = build_model(run, Classification(class_names=("a", "b", "c")), remarks(8))
    assert model.num_classes == 3
    assert model.classifier_dropout == 0.4
    assert (model.backbone.hidden_dropout, model.backbone.attention_dropout) == (0.3, 0.3)
    assert model.preprocessor.max_sequence_length == 20
    assert model.backbone.dtype_policy.name == "mixed_bfloat16"
    own = build_model(FineTuning(str(tiny_preset), "run"), KIND, remarks(8))
    assert (own.backbone.hidden_dropout, own.preprocessor.max_sequence_length) == (0.0, 24)
    # A recipe's length gives way to a small model's positions, a length that the user asked for does not.
    recipe = FineTuning(str(tiny_preset), "run", preprocessor_options={"max_sequence_length": 512})
    assert build_model(recipe, KIND, remarks(8)).preprocessor.max_sequence_length == 24
    with pytest.raises(ValueError, match="24 positions"):
        build_model(FineTuning(str(tiny_preset), "run", max_sequence_length=25), KIND, remarks(8))


def test_the_same_seed_gives_the_same_start_and_random_weights_are_asked_for(tiny_preset: Path) -> None:
    heads, tables = [], []
    for seed, random_init in ((11, False), (11, False), (12, False), (11, True)):
        keras.utils.set_random_seed(seed)
        run = FineTuning(str(tiny_preset), "run", random_init=random_init)
        model = build_model(run, KIND, remarks(8))
        heads.append(np.asarray(model.classifier_head.kernel))
        tables.append(np.asarray(model.backbone.token_embedding.embeddings))
    np.testing.assert_array_equal(heads[0], heads[1])
    assert np.abs(heads[0] - heads[2]).max() > 0
    np.testing.assert_array_equal(tables[0], tables[2])
    assert np.abs(tables[0] - tables[3]).max() > 0


def test_balanced_class_weights_give_each_class_the_same_total(tiny_preset: Path) -> None:
    rows = Examples(["a"] * 4, labels=["no", "no", "no", "yes"])

    def weights(wanted: Any) -> Any:
        return class_weights_of(FineTuning("preset", "run", class_weights=wanted), KIND, rows)

    np.testing.assert_allclose(weights("balanced"), [2 / 3, 2 / 3, 2 / 3, 2.0])
    np.testing.assert_allclose(weights({"yes": 5.0}), [1, 1, 1, 5])
    assert weights(None) is None
    for wrong in ("even", {"maybe": 1.0}, {"yes": 0.0}):
        with pytest.raises(ValueError, match="class_weights"):
            weights(wrong)

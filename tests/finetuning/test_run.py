import csv
import json
from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest
from labelled_remarks import remarks

from keras_albert import AlbertClassifier
from keras_albert.finetuning import Examples, FineTuned, FineTuning, OutputError, finetune, read_examples
from keras_albert.finetuning.run import load_classifier


def test_a_run_learns_and_reports_the_epoch_that_it_keeps(finished: FineTuned) -> None:
    accuracies = [row["val_accuracy"] for row in finished.curve if "val_accuracy" in row]
    assert len(accuracies) == 4
    assert finished.metrics.accuracy >= 0.9
    assert finished.metrics.majority_baseline == 0.5
    assert finished.metrics.accuracy == pytest.approx(max(accuracies), abs=1e-6)
    assert finished.best_epoch == accuracies.index(max(accuracies)) + 1


def test_the_folder_holds_everything(finished: FineTuned) -> None:
    folder = Path(finished.settings.output)
    assert sorted(entry.name for entry in folder.iterdir()) == [
        "config.json",
        "history.csv",
        "metrics.json",
        "model",
        "pictures.png",
        "predictions.tsv",
    ]
    assert [entry.name for entry in folder.parent.iterdir()] == [folder.name]
    metrics = json.loads((folder / "metrics.json").read_text())
    assert metrics["accuracy"] == finished.metrics.accuracy
    assert metrics["backend"] == keras.backend.backend()
    assert metrics["train_rows"] == 64
    assert metrics["versions"]["keras"] == keras.__version__
    config = json.loads((folder / "config.json").read_text())
    assert config["learning_rate"] == 0.03
    assert config["warmup_steps"] == 1  # a tenth of 16 steps
    assert config["class_names"] == ["no", "yes"]
    history = list(csv.DictReader((folder / "history.csv").read_text().splitlines()))
    assert [row["step"] for row in history] == [str(step) for step in range(1, 17)]
    assert [row["val_accuracy"] != "" for row in history] == [False, False, False, True] * 4
    table = read_examples(folder / "predictions.tsv", "text", label="prediction")
    assert table.texts == remarks(32).texts
    assert table.labels == finished.predictions.labels


def test_the_saved_model_is_the_one_in_memory(finished: FineTuned) -> None:
    restored = AlbertClassifier.from_preset(str(Path(finished.settings.output) / "model"))
    assert restored.class_names == ("no", "yes")
    for saved, kept in zip(restored.weights, finished.classifier.weights, strict=True):
        np.testing.assert_array_equal(np.asarray(saved), np.asarray(kept))


def fake_fit(accuracies: list[float], val_loss: float = 0.5, interrupt: bool = False) -> Any:
    """A training that only calls the callbacks."""

    def fit(self: AlbertClassifier, x: Any, y: Any, callbacks: list[Any], **kwargs: Any) -> None:
        for callback in callbacks:
            callback.set_model(self)
        for epoch, accuracy in enumerate(accuracies):
            for callback in callbacks:
                callback.on_epoch_begin(epoch)
                callback.on_train_batch_end(0, {"loss": val_loss, "accuracy": accuracy})
            if interrupt:
                raise KeyboardInterrupt
            for callback in callbacks:
                callback.on_epoch_end(epoch, {"val_loss": val_loss, "val_accuracy": accuracy})

    return fit


def settings(tiny_preset: Path, output: Path, **values: Any) -> FineTuning:
    return FineTuning(str(tiny_preset), str(output), sequence_length=24, **values)


def test_an_interrupted_run_leaves_nothing(tiny_preset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AlbertClassifier, "fit", fake_fit([0.5], interrupt=True))
    with pytest.raises(KeyboardInterrupt):
        finetune(settings(tiny_preset, tmp_path / "run"), remarks(8), remarks(8))
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_is_full_at_the_end_leaves_nothing(
    finished: FineTuned, tiny_preset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: AlbertClassifier, folder: str) -> None:
        Path(folder).mkdir()
        (Path(folder) / "model.weights.h5").write_bytes(b"half")
        raise OSError(28, "No space left on device", folder)

    monkeypatch.setattr(AlbertClassifier, "fit", fake_fit([0.5]))
    monkeypatch.setattr(AlbertClassifier, "save_to_preset", full)
    monkeypatch.setattr("keras_albert.finetuning.run.predict_with", lambda *_: finished.predictions)
    with pytest.raises(OutputError, match=r"Cannot write .*run: No space left"):
        finetune(settings(tiny_preset, tmp_path / "run"), remarks(8), remarks(32), ["no", "yes"])
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_work_is_refused_before_anything_is_loaded(
    tiny_preset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("keras_albert.finetuning.run.load_classifier", lambda *_: pytest.fail("was loaded"))
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "file").touch()
    run, rows = settings(tiny_preset, tmp_path / "run"), remarks(8)
    with pytest.raises(FileExistsError):
        finetune(settings(tiny_preset, tmp_path / "there"), rows, rows)
    with pytest.raises(ValueError, match=r"Expected labels among \['no', 'yes'\] in dev\.tsv. Received: \['maybe'\]"):
        finetune(run, rows, Examples(["a"], labels=["maybe"], source="dev.tsv"))
    with pytest.raises(ValueError, match="Expected labels in unlabelled"):
        finetune(run, rows, Examples(["a"], source="unlabelled"))
    with pytest.raises(ValueError, match="pairs in both"):
        finetune(run, rows, Examples(["a"], ["b"], ["yes"]))
    with pytest.raises(ValueError, match="shorter than the training"):
        finetune(settings(tiny_preset, tmp_path / "run", warmup_steps=99), rows, rows)
    assert [entry.name for entry in tmp_path.iterdir()] == ["there"]


def test_a_model_no_better_than_the_majority_class_is_reported(
    finished: FineTuned, tiny_preset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(AlbertClassifier, "fit", fake_fit([0.5]))
    monkeypatch.setattr("keras_albert.finetuning.run.predict_with", lambda *_: finished.predictions)
    rows = remarks(32)
    half_wrong = Examples(rows.texts, labels=["yes", "yes", "no", "no"] * 8)
    with pytest.warns(UserWarning, match=r"hardly better than always answering 'no': accuracy 0\.5"):
        finetune(settings(tiny_preset, tmp_path / "run"), half_wrong, half_wrong)
    assert (tmp_path / "run" / "model").is_dir()


def test_a_run_whose_loss_is_no_number_keeps_no_model(
    tiny_preset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(AlbertClassifier, "fit", fake_fit([0.5], val_loss=float("nan")))
    with pytest.raises(ValueError, match="Lower the learning rate"):
        finetune(settings(tiny_preset, tmp_path / "run"), remarks(8), remarks(8))
    assert list(tmp_path.iterdir()) == []


def test_settings_reach_the_model(tiny_preset: Path, tmp_path: Path) -> None:
    run = FineTuning(
        str(tiny_preset), "run", max_sequence_length=20, dropout=0.3, classifier_dropout=0.4, dtype="mixed_bfloat16"
    )
    classifier = load_classifier(run, ["a", "b", "c"])
    assert classifier.num_classes == 3
    assert classifier.classifier_dropout == 0.4
    assert (classifier.backbone.hidden_dropout, classifier.backbone.attention_dropout) == (0.3, 0.3)
    assert classifier.preprocessor.max_sequence_length == 20
    assert classifier.backbone.dtype_policy.name == "mixed_bfloat16"
    own = load_classifier(FineTuning(str(tiny_preset), "run"), ["a", "b"])
    assert (own.backbone.hidden_dropout, own.preprocessor.max_sequence_length) == (0.0, 24)
    with pytest.raises(ValueError, match="24 positions"):
        load_classifier(FineTuning(str(tiny_preset), "run", max_sequence_length=25), ["a", "b"])


def test_the_same_seed_gives_the_same_start(tiny_preset: Path) -> None:
    heads = []
    for seed in (1, 1, 2):
        keras.utils.set_random_seed(seed)
        classifier = load_classifier(FineTuning(str(tiny_preset), "run"), ["a", "b"])
        heads.append(np.asarray(classifier.classifier_head.kernel))
    np.testing.assert_array_equal(heads[0], heads[1])
    assert np.abs(heads[0] - heads[2]).max() > 0

"""What a fine-tuning run ends with, and the files that its folder holds."""

import csv
import importlib.metadata
import io
import json
import platform
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import keras

from keras_albert.finetuning.examples import Examples
from keras_albert.finetuning.metrics import ClassificationMetrics
from keras_albert.finetuning.pictures import draw_run
from keras_albert.finetuning.predictions import Predictions, prediction_table
from keras_albert.finetuning.settings import FineTuning
from keras_albert.presets.output_folder import check_space, write_file, writing
from keras_albert.tasks import AlbertClassifier

_HISTORY_COLUMNS = ("epoch", "step", "loss", "accuracy", "val_loss", "val_accuracy")
_PACKAGES = ("keras-albert", "keras", "keras-hub", "tensorflow", "jax", "torch", "numpy", "sentencepiece")


@dataclass(frozen=True)
class FineTuned:
    """What a run ended with.

    Args:
        classifier: the model, with the weights of its best epoch.
        settings: the settings, with the values in the place of those that were left to the run.
        metrics: the figures on the dev rows.
        predictions: the predictions for the dev rows.
        curve: points over the steps; see `keras_albert.finetuning.callbacks.CurveRecorder`.
        best_epoch: the epoch that the weights are of, from 1.
        train_rows: number of training rows.
        seconds: duration of the training.
    """

    classifier: AlbertClassifier
    settings: FineTuning
    metrics: ClassificationMetrics
    predictions: Predictions
    curve: list[dict[str, float]]
    best_epoch: int
    train_rows: int
    seconds: float

    def figures(self) -> dict[str, Any]:
        """Return what `metrics.json` holds."""
        return {
            **self.metrics.as_dict(),
            "best_epoch": self.best_epoch,
            "train_rows": self.train_rows,
            "parameters": self.classifier.count_params(),
            "seconds": round(self.seconds, 1),
            "backend": keras.backend.backend(),
            "versions": {"python": platform.python_version(), **_versions()},
        }


def write_result(result: FineTuned, dev: Examples, folder: Path) -> None:
    """Write every file of the run.

    Args:
        result: what the run ended with.
        dev: the dev rows.
        folder: an empty folder.

    Raises:
        OutputError: the disk is full.
    """
    settings = asdict(result.settings)
    check_space(result.classifier, folder, settings["output"])
    with writing(settings["output"]):
        result.classifier.save_to_preset(str(folder / "model"))
        write_file(folder / "config.json", _json({**settings, "class_names": list(result.metrics.class_names)}))
        write_file(folder / "metrics.json", _json(result.figures()))
        write_file(folder / "history.csv", _history(result.curve))
        write_file(folder / "predictions.tsv", prediction_table(dev, result.predictions))
        title = f"{Path(settings['output']).name}: {result.train_rows:,} training rows, {len(dev):,} dev rows"
        draw_run(result.curve, result.best_epoch, result.metrics, title, folder / "pictures.png")


def _json(content: dict[str, Any]) -> str:
    return json.dumps(content, indent=2, ensure_ascii=False, default=str) + "\n"


def _history(curve: list[dict[str, float]]) -> str:
    content = io.StringIO()
    table = csv.DictWriter(content, _HISTORY_COLUMNS, lineterminator="\n")
    table.writeheader()
    table.writerows(curve)
    return content.getvalue()


def _versions() -> dict[str, str]:
    versions = {}
    for package in _PACKAGES:
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return versions

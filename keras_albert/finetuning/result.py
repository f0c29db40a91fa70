"""What a fine-tuning run ends with, and the files that its folder holds."""

import csv
import importlib.metadata
import io
import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import keras
import keras_hub
import numpy as np

from keras_albert.finetuning.kinds.kind import Kind
from keras_albert.finetuning.metrics.metrics import Metrics
from keras_albert.finetuning.model_card import model_card
from keras_albert.finetuning.output_tables import worst_rows, write_table
from keras_albert.finetuning.pictures import draw_run
from keras_albert.finetuning.readers.rows import Rows
from keras_albert.finetuning.settings import FineTuning, Steps
from keras_albert.finetuning.state import Progress
from keras_albert.presets.output_folder import check_space, write_file, writing

_PACKAGES = ("keras-albert", "keras", "keras-hub", "tensorflow", "jax", "torch", "numpy", "sentencepiece")
_WORST_ROWS = 100


@dataclass(frozen=True)
class FineTuned:
    """What a run ended with.

    Args:
        model: the model, with the weights of its best round.
        settings: the settings, with the values in the place of those that were left to the run.
        kind: the kind of task.
        metrics: the figures on the dev rows.
        answers: the answers for the dev rows.
        progress: the curve, the best round and the time.
        steps: the steps of the run.
        train_rows: number of training rows.
        tuned: what was chosen after training on rows held out, such as a threshold.
        source: where the rows come from.
    """

    model: keras_hub.models.Task
    settings: FineTuning
    kind: Kind
    metrics: Metrics
    answers: Any
    progress: Progress
    steps: Steps
    train_rows: int
    tuned: Mapping[str, Any]
    source: Mapping[str, Any]

    @property
    def best_step(self) -> int:
        """The step that the weights are of."""
        return min((self.progress.best_round or 0) * self.steps.in_round, self.steps.total)

    def figures(self) -> dict[str, Any]:
        """Return what `metrics.json` holds."""
        return {
            **self.metrics.as_dict(),
            "best_step": self.best_step,
            "steps": self.steps.total,
            "stopped_early": self.progress.stopped_early,
            **self.tuned,
            "train_rows": self.train_rows,
            "parameters": self.model.count_params(),
            "seconds": round(self.progress.seconds, 1),
            "backend": keras.backend.backend(),
            "versions": {"python": platform.python_version(), **_versions()},
        }

    def configuration(self) -> dict[str, Any]:
        """Return what `config.json` holds."""
        return {**asdict(self.settings), "kind": self.kind.as_dict(), "source": dict(self.source)}


def write_result(result: FineTuned, dev: Rows, last_weights: Sequence[np.ndarray], folder: Path) -> None:
    """Write every file of the run.

    Args:
        result: what the run ended with.
        dev: the dev rows.
        last_weights: the weights at the end of the training, in the order of `model.get_weights()`.
        folder: an empty folder.

    Raises:
        OutputError: the disk is full.
    """
    output = result.settings.output
    table = result.kind.table(dev, result.answers)
    errors = result.kind.errors(dev, result.answers)
    with writing(output):
        best_weights = [np.array(weight) for weight in result.model.get_weights()]
        for name, weights in (("last", list(last_weights)), ("model", best_weights)):
            check_space(result.model, folder, output)
            result.model.set_weights(weights)
            result.model.save_to_preset(str(folder / name))
        write_file(folder / "config.json", as_json(result.configuration()))
        write_file(folder / "metrics.json", as_json(result.figures()))
        write_file(folder / "history.csv", _history(result.progress.curve))
        write_table(folder / "predictions.tsv", table)
        worst = worst_rows(table, errors, _WORST_ROWS)
        write_table(folder / "errors.tsv", worst)
        title = f"{Path(output).name}: {result.train_rows:,} training rows, {len(dev):,} dev rows"
        draw_run(result.progress.curve, result.best_step, result.metrics, table, errors, title, folder / "pictures.png")
        card = model_card(
            Path(output).name, result.configuration(), result.figures(), type(result.model).__name__, worst
        )
        write_file(folder / "README.md", card)


def as_json(content: Mapping[str, Any]) -> str:
    """Return indented JSON."""
    return json.dumps(content, indent=2, ensure_ascii=False, default=str) + "\n"


def _history(curve: Sequence[Mapping[str, Any]]) -> str:
    names = {name: None for point in curve for name in point}  # in the order of their first use
    content = io.StringIO()
    table = csv.DictWriter(content, list(names), lineterminator="\n")
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

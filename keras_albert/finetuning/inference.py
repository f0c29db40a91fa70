"""Answers of a model that was fine-tuned and saved, and its figures on labelled rows.

Evaluation and prediction of google-research/albert run_classifier.py, run_squad_v1.py, run_squad_v2.py, run_race.py.
"""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import keras
import keras_hub

from keras_albert.checkpoints import Release
from keras_albert.finetuning.kinds import KINDS, Classification, Kind, kind_from_dict
from keras_albert.finetuning.metrics.metrics import Metrics
from keras_albert.finetuning.readers.rows import Rows
from keras_albert.presets import resolve, stored_task

DEFAULT_BATCH_SIZE = 32


@dataclass(frozen=True)
class Trained:
    """A model that was fine-tuned, and the kind of task that it was trained for.

    Args:
        model: the model.
        kind: the kind of task, with the options of its training where the model's folder says them.
    """

    model: keras_hub.models.Task
    kind: Kind

    @classmethod
    def load(cls, model: str | os.PathLike[str]) -> "Trained":
        """Load a model that was fine-tuned.

        Args:
            model: a run's folder, its `model` folder, or another preset that holds a task with a trained head: a Keras
                preset, or a Google release that was fine-tuned as a classifier.

        Raises:
            ValueError: the preset is not there, or was not fine-tuned.
        """
        inside = Path(model) / "model"
        preset = inside if (inside / "config.json").is_file() else Path(model)
        source = resolve(preset if preset.exists() else model)
        found = _kind_of(source)
        if found is None:
            raise ValueError(
                f"Expected a model that was fine-tuned. Received: {model}, which holds none. "
                "Make one of it with `keras-albert finetune`."
            )
        configuration = run_configuration(model)
        kind = kind_from_dict(configuration["kind"]) if "kind" in configuration else found()
        return cls(kind.task_class.from_preset(preset if preset.exists() else model), kind)

    def answer(self, rows: Rows, batch_size: int = DEFAULT_BATCH_SIZE, verbose: str | int = 0) -> Any:
        """Answer rows; labels are not looked at.

        Args:
            rows: rows of the kind.
            batch_size: rows in a batch.
            verbose: Keras's: 1 for its progress bar, 0 for nothing.

        Raises:
            ValueError: rows of another kind.
        """
        if not isinstance(rows, self.kind.rows_class):
            raise ValueError(
                f"The model was fine-tuned for {self.kind.name}, which takes {self.kind.rows_class.__name__}. "
                f"Received: {type(rows).__name__} from {rows.source}. "
                "Pass data of that kind (`--kind` says what a file of your own holds)."
            )
        return self.kind.answer(self.model, rows, batch_size, verbose)

    def evaluate(self, rows: Rows, batch_size: int = DEFAULT_BATCH_SIZE, verbose: str | int = 0) -> Metrics:
        """Compute the official figures on labelled rows; arguments as of `answer`."""
        return self.kind.score(rows, self.answer(rows, batch_size, verbose))


def run_configuration(model: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the `config.json` of the run that a model is of, empty where there is none.

    Args:
        model: a run's folder, or its `model` or `last` folder.
    """
    for folder in (Path(model), Path(model).absolute().parent):
        path = folder / "config.json"
        if (folder / "model").is_dir() and path.is_file():
            content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            return content
    return {}


def _kind_of(source: Release | str) -> type[Kind] | None:
    if isinstance(source, Release):
        return Classification if source.num_classes is not None else None
    task = stored_task(source)
    task_class = None if task is None else keras.saving.get_registered_object(task)
    if task_class is None:
        return None
    return next((kind for kind in KINDS.values() if issubclass(task_class, kind.task_class)), None)

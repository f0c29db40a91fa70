"""The state of a run that is not over: saved after each round, so that a run that was killed goes on from there."""

import json
import shutil
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import keras

from keras_albert.presets.output_folder import check_destination, writing
from keras_albert.training.state_files import all_variables, read_variables, replace_file, write_variables

_PROGRESS, _LAST, _BEST, _SETTINGS = "progress.json", "last.npz", "best.npz", "settings.json"


@dataclass
class Progress:
    """How far a run has come.

    Args:
        rounds_done: rounds that were trained and scored.
        best_round: the best of them by the main metric, from 1; None before the first.
        best_value: its main figure.
        seconds: seconds of training and scoring.
        curve: points over the steps; see `keras_albert.finetuning.callbacks.CurveRecorder`.
        stopped_early: whether `patience` ended the training.
        diverged_step: the step at which the loss was no number; None where that did not happen.
    """

    rounds_done: int = 0
    best_round: int | None = None
    best_value: float | None = None
    seconds: float = 0.0
    curve: list[dict[str, Any]] = field(default_factory=list)
    stopped_early: bool = False
    diverged_step: int | None = None


class UnfinishedRun:
    """The folder `RUN.unfinished` beside a run's folder.

    Args:
        output: the run's folder.
        settings: everything that decides the result, as JSON takes it.
        overwrite: whether a state that is there is dropped.

    Raises:
        ValueError: the folder holds a run with other settings.
        OutputError: it cannot be written.
    """

    def __init__(self, output: str, settings: dict[str, Any], overwrite: bool) -> None:
        destination = check_destination(output, overwrite)
        self.folder = destination.with_name(f"{destination.name}.unfinished")
        self.settings_file = self.folder / _SETTINGS
        wanted = json.loads(json.dumps(settings, default=str))
        if overwrite:
            self.remove()
        if self.settings_file.is_file():
            stored = json.loads(self.settings_file.read_text(encoding="utf-8"))
            different = sorted(name for name in stored | wanted if stored.get(name) != wanted.get(name))
            if different:
                shown = ", ".join(f"{name}={stored.get(name)!r} (now {wanted.get(name)!r})" for name in different[:3])
                raise ValueError(
                    f"{self.folder} holds an unfinished run with other settings: {shown}. Repeat those to go on with "
                    "it, or drop it (`--overwrite`; `overwrite=True` in Python), or name another output."
                )
            return
        with writing(output):
            self.folder.mkdir(parents=True, exist_ok=True)
            replace_file(self.settings_file, json.dumps(wanted, indent=2, ensure_ascii=False).encode())

    def load(self, model: keras.Model) -> Progress:
        """Give the model and its optimizer their last state, and return how far the run has come."""
        path = self.folder / _PROGRESS
        if not path.is_file():
            return Progress()
        progress = Progress(**json.loads(path.read_text(encoding="utf-8")))
        read_variables(self._numbered(_LAST, progress.rounds_done), all_variables(model))
        return progress

    def save(self, model: keras.Model, progress: Progress, is_best: bool) -> None:
        """Save the state after a round; the one before stays valid until this one is whole.

        Raises:
            OutputError: the disk is full.
        """
        with writing(self.folder):
            if is_best:
                write_variables(self._numbered(_BEST, progress.rounds_done), model.variables)
            write_variables(self._numbered(_LAST, progress.rounds_done), all_variables(model))
            replace_file(self.folder / _PROGRESS, json.dumps(asdict(progress)).encode())
            kept = {self._numbered(_LAST, progress.rounds_done), self._numbered(_BEST, progress.best_round or 0)}
            for path in self.folder.glob("*.npz"):
                if path not in kept:
                    path.unlink()

    def restore_best(self, model: keras.Model, progress: Progress) -> None:
        """Give the model the weights of the best round."""
        read_variables(self._numbered(_BEST, progress.best_round or 0), model.variables)

    def remove(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def remove_if_empty(self) -> None:
        """Remove the folder where no round was finished: there is nothing to go on with."""
        if not (self.folder / _PROGRESS).is_file():
            self.remove()

    def _numbered(self, name: str, number: int) -> Path:
        stem, ending = name.split(".")
        return self.folder / f"{stem}-{number}.{ending}"

"""The states of a run that can be taken up again: the last ones, and the weights that were best."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import keras

from keras_albert.presets.output_folder import writing
from keras_albert.pretraining.batches import Position
from keras_albert.training.state_files import all_variables, read_facts, read_variables, replace_file, write_variables

_BEST, _SETTINGS = "best.npz", "settings.json"


@dataclass
class Progress:
    """How far a run has come.

    Attributes:
        step: updates done.
        saved_step: the step of the last state that was saved.
        position: the batch that comes next.
        best_step: the step whose weights were best on the held-out rows; None before the first evaluation.
        best_accuracy: their accuracy on masked tokens.
        seconds: seconds of training and evaluation.
        waited: seconds of them that the training waited for data.
        tokens: tokens that were trained on, without padding.
        curve: a dict for each logged step; see `keras_albert.pretraining.curves`.
    """

    step: int = 0
    saved_step: int = 0
    position: Position = field(default_factory=Position)
    best_step: int | None = None
    best_accuracy: float | None = None
    seconds: float = 0.0
    waited: float = 0.0
    tokens: int = 0
    curve: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> "Progress":
        """Build from what JSON gave back."""
        return cls(**{**facts, "position": Position(**facts["position"])})


class Checkpoints:
    """The folder `RUN/checkpoints`.

    Args:
        folder: the folder.
        keep: how many of the last states stay.
    """

    def __init__(self, folder: Path, keep: int) -> None:
        self._folder = folder
        self._keep = keep

    def start(self, settings: Mapping[str, Any]) -> None:
        """Make the folder, or check that the run in it has the same settings.

        Raises:
            ValueError: it has others.
            OutputError: the folder cannot be written.
        """
        path = self._folder / _SETTINGS
        wanted = json.loads(json.dumps(settings))
        if path.is_file():
            stored = json.loads(path.read_text(encoding="utf-8"))
            different = sorted(name for name in stored | wanted if stored.get(name) != wanted.get(name))
            if different:
                shown = ", ".join(f"{name}={stored.get(name)!r} (now {wanted.get(name)!r})" for name in different[:3])
                raise ValueError(
                    f"{self._folder.parent} holds a run with other settings: {shown}. Repeat those to go on with it, "
                    "or drop it (`--overwrite`; `overwrite=True` in Python), or name another output."
                )
            return
        with writing(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
            replace_file(path, json.dumps(wanted, indent=2, ensure_ascii=False).encode())

    def restore_last(self, model: keras.Model) -> Progress:
        """Give the model and its optimizer their last state, and return how far the run has come."""
        last = self.last_file()
        return Progress() if last is None else Progress.from_facts(read_variables(last, all_variables(model)))

    def last_progress(self) -> Progress:
        """Return how far the run has come, without its weights."""
        last = self.last_file()
        return Progress() if last is None else Progress.from_facts(read_facts(last))

    def last_file(self) -> Path | None:
        """Return the file of the last state."""
        return max(self._folder.glob("step-*.npz"), default=None)

    def save(self, model: keras.Model, progress: Progress, is_best: bool) -> None:
        """Save the state; the ones before stay valid until this one is whole.

        Raises:
            OutputError: the disk is full.
        """
        progress.saved_step = progress.step
        with writing(self._folder):
            if is_best:
                write_variables(self._folder / _BEST, model.variables, {"step": progress.step})
            path = self._folder / f"step-{progress.step:09d}.npz"
            write_variables(path, all_variables(model), asdict(progress))
            for old in sorted(self._folder.glob("step-*.npz"))[: -self._keep]:
                old.unlink()

    def restore_best(self, model: keras.Model) -> None:
        """Give the model the weights that were best."""
        read_variables(self._folder / _BEST, model.variables)

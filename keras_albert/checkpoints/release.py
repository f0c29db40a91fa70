"""A model as others publish it: configuration, vocabulary and checkpoint, and how its weights get into a model."""

import math
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from keras_albert.checkpoints.albert_zh import is_albert_zh, open_albert_zh
from keras_albert.checkpoints.attribute_path import variable_at
from keras_albert.checkpoints.google_checkpoint import GoogleCheckpoint
from keras_albert.checkpoints.google_config import read_google_config
from keras_albert.checkpoints.matching import Match, match_checkpoint
from keras_albert.checkpoints.mismatch import CheckpointMismatchError, ShapeMismatch
from keras_albert.checkpoints.release_files import find_release_files, kind_of_tokenizer
from keras_albert.checkpoints.task_head import TaskHead
from keras_albert.checkpoints.weight_row import WeightRow
from keras_albert.checkpoints.weight_table import PARTS

LAYOUTS = ("Google", "Hugging Face", "keras_hub", "albert_zh")


@dataclass(frozen=True)
class ReleaseSummary:
    """What becomes of every variable of a checkpoint; the counts add up to `total`.

    Args:
        used: How many variables each loaded part takes.
        unused: Names of weights whose part is there but not loaded.
        skipped: Stored names that are left out knowingly, with the reason.
        unmapped: Names that the package does not know, such as the heads of other tasks.
        total: How many variables the checkpoint holds.
    """

    used: dict[str, int]
    unused: tuple[str, ...]
    skipped: dict[str, str]
    unmapped: tuple[str, ...]
    total: int

    def __str__(self) -> str:
        """One line for each fate."""
        parts = ", ".join(f"{part} {count}" for part, count in self.used.items())
        lines = [f"{self.total} variables", f"{sum(self.used.values())} used ({parts})"]
        if self.unused:
            lines.append(f"{len(self.unused)} not asked for: {', '.join(self.unused)}")
        lines += [f"{count} skipped ({reason})" for reason, count in Counter(self.skipped.values()).items()]
        if self.unmapped:
            lines.append(f"{len(self.unmapped)} unmapped: {', '.join(self.unmapped)}")
        return "\n".join(lines)


@dataclass(frozen=True, eq=False)
class Release:
    """A model as Google or others publish it; arrays are read one by one, when they are assigned.

    Args:
        origin: What the user named: a path or the name of a preset.
        backbone_config: Constructor arguments of the backbone.
        unknown_config: Keys of the configuration that the model does not obey.
        defaulted_config: Google's names of the keys that the configuration lacked.
        config_path: The configuration's file.
        vocabulary_path: A SentencePiece model or a WordPiece vocabulary; `None` if the release has none.
        checkpoint: The variables.
        match: How the checkpoint covers the weight table.
        layout: Whose files these are, one of `LAYOUTS`.
        head: The task that the model was trained for, where the origin says so.
        notes: What was decided about the model, and why.
    """

    origin: str
    backbone_config: dict[str, Any]
    unknown_config: dict[str, Any]
    defaulted_config: tuple[str, ...]
    config_path: Path
    vocabulary_path: Path | None
    checkpoint: GoogleCheckpoint
    match: Match
    layout: str = "Google"
    head: TaskHead | None = None
    notes: tuple[str, ...] = ()

    @property
    def tokenizer(self) -> Literal["sentencepiece", "wordpiece"] | None:
        """Which kind of tokenizer the vocabulary is for; `None` if the release has none."""
        if self.vocabulary_path is None:
            return None
        if self.vocabulary_path.suffix == ".json":
            return kind_of_tokenizer(self.vocabulary_path)
        return "wordpiece" if self.vocabulary_path.suffix == ".txt" else "sentencepiece"

    @property
    def vocabulary(self) -> Path:
        """The SentencePiece model or WordPiece vocabulary; a `FileNotFoundError` if the release has none."""
        if self.vocabulary_path is None:
            raise FileNotFoundError(
                f"{self.origin} has no vocabulary. Put the one that the model was trained with (30k-clean.model, or "
                f"vocab.txt for a Chinese model) beside {self.config_path}, or build the tokenizer yourself."
            )
        return self.vocabulary_path

    @property
    def heads(self) -> frozenset[str]:
        """The heads that are there: names of the weight table's parts."""
        return frozenset(self.match.rows) - {"backbone"}

    def part_for(self, head: str) -> str | None:
        """The part of the weight table that holds a task's head; `None` if it is not there.

        A regressor and a multiple choice have a classifier's head of width 1. Google's checkpoints don't say which.
        """
        if head not in ("classifier_head", "regressor_head", "choice_head"):
            return head if head in self.heads else None
        if "classifier_head" not in self.heads or (self.head is not None and self.head.name != head):
            return None
        return "classifier_head" if head == "classifier_head" or self.num_classes == 1 else None

    @property
    def has_pooler(self) -> bool:
        """Whether the pooler is there; some of Hugging Face's models have none."""
        return any(row.path.startswith("pooler/") for row in self.match.rows["backbone"])

    @property
    def num_classes(self) -> int | None:
        """The number of classes of the classifier head; `None` without one."""
        return self.match.num_classes

    def parameter_count(self, part: str = "backbone") -> int:
        """The number of single weights of a part, from the shapes in the checkpoint."""
        return sum(math.prod(self.checkpoint.shape(row.google)) for row in self._rows(part))

    def assign(self, part: str, root: Any) -> None:
        """Sets every variable of a part; nothing is set unless all of them fit.

        Args:
            part: One of the parts that the release holds: `"backbone"`, or one of `heads`.
            root: The built backbone or head.

        Raises:
            ValueError: If the release lacks the part, if the object lacks a variable, or if an array is damaged.
            CheckpointMismatchError: If a variable of the object has another shape than the checkpoint's.
        """
        for row, variable in self._checked(part, root):
            values = self.checkpoint.read(row.google)
            variable.assign(values.T if row.transposed else values)

    def initial_values(self, part: str, root: Any) -> list[tuple[Any, Callable[[], np.ndarray]]]:
        """Pairs every variable of a part with what reads its array, in the variable's order of axes.

        Args:
            part: As for `assign`.
            root: As for `assign`; its variables may be without a value still.

        Raises:
            ValueError: As `assign`, except for damaged arrays, which are not read here.
            CheckpointMismatchError: As `assign`.
        """

        def reader(row: WeightRow) -> Callable[[], np.ndarray]:
            def read() -> np.ndarray:
                values = self.checkpoint.read(row.google)
                return values.T if row.transposed else values

            return read

        return [(variable, reader(row)) for row, variable in self._checked(part, root)]

    def _checked(self, part: str, root: Any) -> list[tuple[WeightRow, Any]]:
        rows = self._rows(part)
        variables = [variable_at(root, row.path) for row in rows]
        wrongly_shaped = [
            ShapeMismatch(row, _google_order(row, variable.shape), self.checkpoint.shape(row.google))
            for row, variable in zip(rows, variables, strict=True)
            if _google_order(row, variable.shape) != self.checkpoint.shape(row.google)
        ]
        if wrongly_shaped:
            hint = f"the {part} was built with other sizes than the release's configuration."
            raise CheckpointMismatchError(self.origin, wrongly_shaped=wrongly_shaped, hints=[hint])
        return list(zip(rows, variables, strict=True))

    def slots(self, part: str, root: Any) -> list[tuple[Any, np.ndarray, np.ndarray]]:
        """Reads what Google's optimizers kept of a part's variables, where the checkpoint has it.

        Args:
            part: As for `assign`.
            root: The built backbone or head.

        Returns:
            For each variable that has both slots: the variable, the mean of its gradient, the mean of its square.
        """
        found = []
        for row in self._rows(part):
            slots = self.checkpoint.read_slots(row.google)
            if slots is not None:
                first, second = (slot.T if row.transposed else slot for slot in slots)
                found.append((variable_at(root, row.path), first, second))
        return found

    def summary(self, parts: Iterable[str] | None = None) -> ReleaseSummary:
        """Accounts for every variable of the checkpoint.

        Args:
            parts: The parts that are loaded; by default all that the release has.

        Returns:
            The numbers and names of used, unused, skipped and unmapped variables.

        Raises:
            ValueError: If the release lacks one of the parts.
        """
        loaded = set(self.match.rows if parts is None else parts)
        for part in loaded:
            self._rows(part)
        unused = [row.google for part, rows in self.match.rows.items() if part not in loaded for row in rows]
        repeated = dict.fromkeys(self.match.repeated, "same values as the layer norm that is used")
        return ReleaseSummary(
            used={part: len(rows) for part, rows in self.match.rows.items() if part in loaded},
            unused=tuple(unused),
            skipped={**self.checkpoint.skipped, **repeated},
            unmapped=self.match.unmapped,
            total=self.checkpoint.variable_count,
        )

    def _rows(self, part: str) -> list[WeightRow]:
        if part not in self.match.rows:
            known = "no such part" if part not in PARTS else "its checkpoint has no variable of it"
            raise ValueError(
                f"Expected a part that {self.origin} holds, one of {sorted(self.match.rows)}: {known}. "
                f"Received: part={part!r}"
            )
        return self.match.rows[part]


def open_release(path: str | Path) -> Release:
    """Opens a release and checks that its checkpoint fits its configuration; no array is read.

    Args:
        path: A directory as in Google's archives or as TF-Hub lays it out, or a checkpoint's prefix or one of its files
            with the configuration and the vocabulary beside it.

    Returns:
        The release.

    Raises:
        FileNotFoundError: If a file is missing.
        ImportError: If the checkpoint is TensorFlow's and TensorFlow is not installed.
        ValueError: If a file is damaged or ambiguous, or if the configuration is not usable.
        CheckpointMismatchError: If the checkpoint does not fit the configuration.
    """
    files = find_release_files(path)
    config = read_google_config(files.config)
    checkpoint = GoogleCheckpoint(files.checkpoint)
    notes: tuple[str, ...] = ()
    layout = "albert_zh" if is_albert_zh(checkpoint.names) else "Google"
    if layout == "albert_zh":
        config, checkpoint, notes = open_albert_zh(files.checkpoint, config)
    return Release(
        origin=str(path),
        backbone_config=config.backbone,
        unknown_config=config.unknown,
        defaulted_config=config.defaulted,
        config_path=files.config,
        vocabulary_path=files.vocabulary,
        checkpoint=checkpoint,
        match=match_checkpoint(checkpoint, config.backbone),
        layout=layout,
        notes=notes,
    )


def _google_order(row: WeightRow, shape: Iterable[int]) -> tuple[int, ...]:
    axes = tuple(shape)
    return axes[::-1] if row.transposed else axes

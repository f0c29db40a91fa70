"""Multiple-choice examples in memory, what checks them while they are read, and the reader of one's own files."""

from dataclasses import dataclass, field
from pathlib import Path
from string import ascii_uppercase
from typing import Any

import numpy as np

from keras_albert.finetuning.readers.json_members import member, shown
from keras_albert.finetuning.readers.json_objects import json_objects
from keras_albert.finetuning.readers.rows import Rows


@dataclass(frozen=True)
class ChoiceExamples(Rows):
    """Questions about contexts with the options to choose from, and the right ones where they are known.

    Args:
        contexts: the text that each of the N questions is about.
        questions: the questions.
        options: a list of at least two options for each.
        labels: the positions of the right options, from 0; None where they are not known.
        ids: what the file calls each question.
        levels: the part of the data that each question belongs to, such as RACE's middle and high; None for one part.
        source: where they come from, for messages.

    Raises:
        ValueError: no question at all, or columns of different lengths.
    """

    contexts: list[str]
    questions: list[str]
    options: list[list[str]]
    labels: list[int] | None = None
    ids: list[str] | None = None
    levels: list[str] | None = None

    @property
    def inputs(self) -> tuple[list[str], list[str], list[list[str]]]:
        """What a task's `fit` and `predict` take: contexts, questions and options."""
        return self.contexts, self.questions, self.options

    def label_numbers(self) -> np.ndarray:
        """Return the position of each right option, int64 (N,).

        Raises:
            ValueError: there are no labels.
        """
        if self.labels is None:
            raise ValueError(f"Expected the right options in {self.source}. Received: questions without answers")
        return np.array(self.labels, "int64")


@dataclass
class ChoiceCollector:
    """Collects questions while files are read, and checks each."""

    source: str
    contexts: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    options: list[list[str]] = field(default_factory=list)
    labels: list[int | None] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    levels: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)

    def add(
        self, context: str, question: Any, options: list[str], label: int | None, id: str, level: str | None, where: str
    ) -> None:
        """Take one question.

        Args:
            context: its context.
            question: the question.
            options: its options, checked by `check_options`.
            label: the position of the right one; None where it is not known.
            id: its id.
            level: its part of the data; None where there are no parts.
            where: the file and the place in it.

        Raises:
            ValueError: a question that is not text, or a label that is no option.
        """
        if not isinstance(question, str):
            raise ValueError(f"{where}: expected a question as text. Received: {shown(question)}")
        if label is not None and not 0 <= label < len(options):
            raise ValueError(f"{where}: expected an answer among {len(options)} options. Received: position {label}")
        self.contexts.append(context)
        self.questions.append(question)
        self.options.append(options)
        self.labels.append(label)
        self.ids.append(id)
        self.places.append(where)
        if level is not None:
            self.levels.append(level)

    def examples(self) -> ChoiceExamples:
        """Return the questions.

        Raises:
            ValueError: there is none, or the answer is known for some of them only.
        """
        unknown = [place for place, label in zip(self.places, self.labels, strict=True) if label is None]
        known = [label for label in self.labels if label is not None]
        if known and unknown:
            raise ValueError(
                f"{unknown[0]}: expected an answer, as other questions of {self.source} have one. "
                f"Received: none ({len(unknown):,} of {len(self.labels):,} questions)"
            )
        labels, levels = known or None, self.levels or None
        columns = (self.contexts, self.questions, self.options)
        return ChoiceExamples(*columns, labels, self.ids, levels, source=self.source)


def check_options(options: Any, where: str) -> None:
    """Check that options are a list of at least two texts; a ValueError with the place otherwise."""
    if not isinstance(options, list) or not all(isinstance(option, str) for option in options):
        raise ValueError(f"{where}: expected options as a list of texts. Received: {shown(options)}")
    if len(options) < 2:
        raise ValueError(f"{where}: expected at least two options. Received: {shown(options)}")


def letter_position(letter: Any, options: int, where: str) -> int:
    """Return the position of an answer that is a letter, from 0.

    Raises:
        ValueError: no letter, or one beyond the options.

    Example:
        >>> letter_position("C", 4, "dev/high/1.txt: question 1")
        2
    """
    is_letter = isinstance(letter, str) and len(letter.strip()) == 1 and letter.strip() in ascii_uppercase
    position = ascii_uppercase.index(letter.strip()) if is_letter else options
    if position >= options:
        last = ascii_uppercase[min(options, len(ascii_uppercase)) - 1]
        raise ValueError(f"{where}: expected an answer from A to {last}. Received: {shown(letter)}")
    return position


def read_choices(path: str | Path) -> ChoiceExamples:
    """Read multiple-choice examples from a file of one's own.

    Args:
        path: a `.jsonl` file, an object a line with `context`, `question`, `options` (a list of texts) and, where it is
            known, `label` (the position of the right option from 0, or its letter from A); possibly `id` and `level`.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: not JSON, a member that is missing or of another type, fewer than two options, or a label that is
            none of them; with the file and the line.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp()) / "tiny.jsonl"
        >>> _ = path.write_text('{"context": "It rains.", "question": "Dry?", "options": ["yes", "no"], "label": "B"}')
        >>> read_choices(path).labels
        [1]
    """
    path = Path(path)
    collector = ChoiceCollector(str(path))
    for line, entry in json_objects(path):
        where = f"{path}, line {line}"
        context = member(entry, "context", str, where)
        question = member(entry, "question", str, where)
        options = member(entry, "options", list, where)
        check_options(options, where)
        label = entry.get("label")
        if label is not None and (isinstance(label, bool) or not isinstance(label, int)):
            label = letter_position(label, len(options), where)
        level = str(entry["level"]) if "level" in entry else None
        collector.add(context, question, options, label, str(entry.get("id", line)), level, where)
    return collector.examples()

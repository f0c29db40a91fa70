"""Reading questions on contexts from SQuAD's layout: v1.1, v2.0, CMRC 2018's squad-style files.

`read_squad_examples` of google-research/albert squad_utils.py, which takes the offsets as they are.
"""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from keras_albert.finetuning.readers.json_members import member, read_json, shown
from keras_albert.finetuning.readers.questions import GoldAnswer, QuestionExamples
from keras_albert.tasks.question_answering.locating import locate

_SHOWN_IDS = 5


def read_questions(path: str | Path) -> QuestionExamples:
    """Read questions from a JSON file in SQuAD's layout.

    A question is unanswerable where `is_impossible` is true or its `answers` are `[]`, as in SQuAD's own evaluation
    (`plausible_answers` are not read). Where a file has no answer at all and nothing marked `is_impossible`, its
    answers count as withheld: `answers` is None.

    Contexts stay as they are, since offsets count from their first character. An answer that does not stand at its
    `answer_start` gets the nearest place where it does; one that occurs nowhere in the context keeps no place and is no
    use for training. One warning counts both: CMRC 2018's dev file has 200 of them.

    Args:
        path: a `.json` file, possibly with `.gz` after that; UTF-8.

    Returns:
        The questions, in the order of the file. Ids that are numbers become text.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: not JSON, another layout, a context or an answer without text, an id that occurs twice, answers of a
            question marked `is_impossible`, or answers missing in some questions only; with the file and the place.

    Example:
        >>> import json, tempfile
        >>> question = {"id": "q1", "question": "Who?", "answers": [{"text": "Ada", "answer_start": 7}]}
        >>> content = {"data": [{"title": "A", "paragraphs": [{"context": "It was Ada.", "qas": [question]}]}]}
        >>> path = Path(tempfile.mkdtemp()) / "tiny.json"
        >>> _ = path.write_text(json.dumps(content), encoding="utf-8")
        >>> read_questions(path).answers
        [[GoldAnswer(text='Ada', start=7)]]
    """
    file = _File(str(path))
    for title, context, where, entry in _entries(read_json(path), str(path)):
        file.add(title, context, where, entry)
    return file.examples()


def _entries(content: Any, path: str) -> Iterator[tuple[str, str, str, Any]]:
    """Yield title, context, place and question, one by one."""
    if isinstance(content, list):
        raise ValueError(
            f"{path}: expected SQuAD's layout, an object with 'data'. Received: a list. CMRC 2018 has its questions in "
            "this layout in the folder squad-style-data."
        )
    for i, article in enumerate(member(content, "data", list, path)):
        where = f"{path}: data[{i}]"
        paragraphs = member(article, "paragraphs", list, where)
        title = member(article, "title", str, where) if "title" in article else ""
        for j, paragraph in enumerate(paragraphs):
            place = f"{where}.paragraphs[{j}]"
            context = member(paragraph, "context", str, place)
            if not context.strip():
                raise ValueError(f"{place}: expected a context with text. Received: {shown(context)}")
            for k, entry in enumerate(member(paragraph, "qas", list, place)):
                yield title, context, f"{place}.qas[{k}]", entry


@dataclass
class _File:
    """What has been read of one file."""

    path: str
    ids: dict[str, str] = field(default_factory=dict)  # id -> place
    questions: list[str] = field(default_factory=list)
    contexts: list[str] = field(default_factory=list)
    titles: list[str] = field(default_factory=list)
    answers: list[list[GoldAnswer]] = field(default_factory=list)
    unlabelled: list[str] = field(default_factory=list)  # places without `answers`
    impossible: int = 0
    moved: dict[str, int] = field(default_factory=dict)  # id -> answers
    lost: dict[str, int] = field(default_factory=dict)

    def add(self, title: str, context: str, where: str, entry: Any) -> None:
        """Add a question."""
        name = self._new_id(where, entry)
        where = f"{where} (id {name})"
        self.questions.append(member(entry, "question", str, where))
        self.contexts.append(context)
        self.titles.append(title)
        self.answers.append(self._answers_of(entry, name, context, where))

    def _new_id(self, where: str, entry: Any) -> str:
        is_number = isinstance(entry, dict) and type(entry.get("id")) is int
        name = str(entry["id"]) if is_number else member(entry, "id", str, where)
        if name in self.ids:
            raise ValueError(f"{where}: expected another id. Received: {name!r}, which {self.ids[name]} has already")
        self.ids[name] = where.removeprefix(f"{self.path}: ")
        return name

    def _answers_of(self, entry: Any, name: str, context: str, where: str) -> list[GoldAnswer]:
        impossible = "is_impossible" in entry and member(entry, "is_impossible", bool, where)
        self.impossible += impossible
        if "answers" not in entry:
            self.unlabelled += [] if impossible else [where]
            return []
        found = [
            self._answer(answer, name, context, f"{where}.answers[{number}]")
            for number, answer in enumerate(member(entry, "answers", list, where))
        ]
        if impossible and found:
            raise ValueError(
                f"{where}: expected no answers where 'is_impossible' is true. Received: {shown(found[0].text)}. "
                "Those that only seem right belong in 'plausible_answers'."
            )
        return found

    def _answer(self, answer: Any, name: str, context: str, where: str) -> GoldAnswer:
        text = member(answer, "text", str, where)
        stated = member(answer, "answer_start", int, where)
        if not text.strip():
            raise ValueError(
                f"{where}: expected an answer with text. Received: {shown(text)}. "
                "A question without an answer has an empty list of them."
            )
        start = locate(text, stated, context)
        if start != stated:
            counts = self.lost if start is None else self.moved
            counts[name] = counts.get(name, 0) + 1
        return GoldAnswer(text, start)

    def examples(self) -> QuestionExamples:
        """Return everything, after the one warning."""
        if not self.questions:
            raise ValueError(f"Expected questions in {self.path}. Received: a file without any")
        withheld = not any(self.answers) and not self.impossible
        if self.unlabelled and not withheld:
            raise ValueError(
                f"{self.unlabelled[0]}: expected a member 'answers' (a list; empty for a question without an answer), "
                f"as other questions of the file have it. Received: {len(self.unlabelled):,} questions without one"
            )
        self._warn()
        return QuestionExamples(
            list(self.ids),
            self.questions,
            self.contexts,
            None if withheld else self.answers,
            self.titles if any(self.titles) else None,
            source=self.path,
        )

    def _warn(self) -> None:
        problems = []
        if self.moved:
            problems.append(f"{_counted(self.moved)} got the nearest place in the context where the text occurs")
        if self.lost:
            problems.append(
                f"{_counted(self.lost)} occur nowhere in the context: they count in figures, but can't be learnt from"
            )
        if problems:
            total = sum(map(len, self.answers))
            wrong = sum(self.moved.values()) + sum(self.lost.values())
            message = f"{self.path}: {wrong:,} of {total:,} answers don't stand at their answer_start. "
            warnings.warn(message + "; ".join(problems) + ".", stacklevel=4)


def _counted(answers: dict[str, int]) -> str:
    ids = ", ".join(list(answers)[:_SHOWN_IDS]) + (", …" if len(answers) > _SHOWN_IDS else "")
    return f"{sum(answers.values()):,} in {len(answers):,} questions ({ids})"

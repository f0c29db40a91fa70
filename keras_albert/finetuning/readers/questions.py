"""Questions on contexts, with their answers, in memory: what the reader returns and what the runs take."""

from collections import Counter
from dataclasses import dataclass

from keras_albert.finetuning.readers.rows import Rows


@dataclass(frozen=True)
class GoldAnswer:
    """A right answer.

    Args:
        text: the answer.
        start: where it stands in the context, in characters from 0: `context[start : start + len(text)] == text`; None
            where it occurs nowhere in the context, so that it serves for figures only.
    """

    text: str
    start: int | None


@dataclass(frozen=True)
class QuestionExamples(Rows):
    """Questions on contexts, with their answers where there are some.

    Args:
        ids: what the file calls each of the N questions; all different.
        questions: the questions.
        contexts: the context of each.
        answers: the right answers of each, `[]` for a question that the context does not answer; None for questions
            whose answers are not known.
        titles: the article of each; None where articles have no titles.
        source: where they come from, for messages.

    Raises:
        ValueError: no question at all, columns of different lengths, or an id that occurs twice.

    Example:
        >>> rows = QuestionExamples(["q1"], ["Who?"], ["It was Ada."], [[GoldAnswer("Ada", 7)]])
        >>> rows.gold_texts, rows.answerable
        ([['Ada']], [True])
    """

    ids: list[str]
    questions: list[str]
    contexts: list[str]
    answers: list[list[GoldAnswer]] | None = None
    titles: list[str] | None = None

    def __post_init__(self) -> None:
        """Check the columns and the ids."""
        super().__post_init__()
        name, count = Counter(self.ids).most_common(1)[0]
        if count > 1:
            raise ValueError(f"Expected every id once in {self.source}. Received: {name!r} {count} times")

    @property
    def inputs(self) -> tuple[list[str], list[str]]:
        """What a task's `fit` and `predict` take: questions and contexts."""
        return self.questions, self.contexts

    @property
    def labelled(self) -> list[list[GoldAnswer]]:
        """The answers; a ValueError where they are not known."""
        if self.answers is None:
            raise ValueError(f"Expected questions with answers in {self.source}. Received: questions without any")
        return self.answers

    @property
    def gold_texts(self) -> list[list[str]]:
        """The texts of each question's answers; a ValueError where they are not known."""
        return [[answer.text for answer in answers] for answers in self.labelled]

    @property
    def answerable(self) -> list[bool]:
        """Whether each question has an answer; a ValueError where that is not known."""
        return [bool(answers) for answers in self.labelled]

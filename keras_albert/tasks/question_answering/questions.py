"""What people pass as questions, contexts and answers, brought to plain lists."""

import operator
from collections.abc import Mapping
from typing import Any

from keras_albert.text.segments import as_segments, is_text

EXPECTED_QUESTIONS = (
    "Expected questions with their contexts: `(questions, contexts)`, a list of `(question, context)`, or a list of "
    'dicts with "question" and "context".'
)
EXPECTED_ANSWERS = (
    'Expected an answer for each question: {"text": ..., "answer_start": ...} or a list of such (the first one '
    "counts), None or [] where the question has no answer."
)

# The text of an answer, and the index of its first character in the context.
GoldAnswer = tuple[str, int]


def is_questions(x: Any) -> bool:
    """Whether `x` is raw input: text, or a list of dicts."""
    return is_text(x) or (isinstance(x, (list, tuple)) and len(x) > 0 and isinstance(x[0], Mapping))


def as_questions(x: Any) -> tuple[list[str], list[str]]:
    """Turn raw input into questions and as many contexts.

    Raises:
        ValueError: no question, a question without context, something that is not text.

    Example:
        >>> as_questions([{"question": "Who?", "context": "Ann sang."}])
        (['Who?'], ['Ann sang.'])
    """
    if isinstance(x, (list, tuple)) and x and all(isinstance(row, Mapping) for row in x):
        for row, fields in enumerate(x):
            missing = [name for name in ("question", "context") if name not in fields]
            if missing:
                raise ValueError(f"{EXPECTED_QUESTIONS} Received: no {missing[0]!r} in row {row}, {sorted(fields)}")
        x = ([fields["question"] for fields in x], [fields["context"] for fields in x])
    questions, contexts = as_segments(x)
    if contexts is None:
        raise ValueError(f"{EXPECTED_QUESTIONS} Received: one text a row, {questions[0]!r:.100}")
    return questions, contexts


def as_gold_answers(y: Any, num_questions: int) -> list[GoldAnswer | None]:
    """Turn answers into one for each question, None where there is none.

    Args:
        y: for each question a dict with "text" and "answer_start", an object with `text` and `start`, a list of these,
            None or []. A text "" counts as no answer.
        num_questions: how many there must be.

    Raises:
        ValueError: another number of answers, or one of another form.

    Example:
        >>> as_gold_answers([[{"text": "Ann", "answer_start": 0}], None], 2)
        [('Ann', 0), None]
    """
    answers = y.tolist() if hasattr(y, "tolist") else y
    if not isinstance(answers, (list, tuple)) or len(answers) != num_questions:
        received = f"{len(answers)} answers" if isinstance(answers, (list, tuple)) else type(y).__name__
        raise ValueError(f"{EXPECTED_ANSWERS} Received: {received} for {num_questions} questions")
    return [_as_gold_answer(answer, row) for row, answer in enumerate(answers)]


def _as_gold_answer(answer: Any, row: int) -> GoldAnswer | None:
    if isinstance(answer, (list, tuple)) and not hasattr(answer, "_fields"):
        answer = answer[0] if answer else None
    if answer is None:
        return None
    if isinstance(answer, Mapping):
        text, start = answer.get("text"), answer.get("answer_start")
    else:
        text, start = getattr(answer, "text", None), getattr(answer, "start", None)
    if text == "":
        return None
    if not isinstance(text, str) or start is None or isinstance(start, bool) or not hasattr(start, "__index__"):
        raise ValueError(f"{EXPECTED_ANSWERS} Received: {answer!r:.200} in row {row}")
    return text, operator.index(start)

"""Answers to questions as a table, and in the JSON that the official evaluation scripts read."""

from collections.abc import Sequence
from typing import Any

from keras_albert.finetuning.readers.questions import QuestionExamples
from keras_albert.tasks.question_answering import QuestionAnswer

_SHOWN_CHARACTERS = 200


def answer_table(rows: QuestionExamples, answers: Sequence[QuestionAnswer]) -> dict[str, list[Any]]:
    """Return questions and answers as columns.

    Args:
        rows: the questions.
        answers: their answers.

    Returns:
        `id`, `question`, `context` (some 200 characters around the answer), `label` where it is known (several right
        answers with " | " between them), `prediction`, `start` and `end` (characters of the whole context; None where
        there is no answer), `score`, `null_score` and `null_odds`.
    """
    columns: dict[str, list[Any]] = {
        "id": rows.ids,
        "question": rows.questions,
        "context": [_around(rows, row, answer) for row, answer in enumerate(answers)],
    }
    if rows.answers is not None:
        columns["label"] = [" | ".join(dict.fromkeys(texts)) for texts in rows.gold_texts]
    return columns | {
        "prediction": [answer.text for answer in answers],
        "start": [answer.start if answer.is_answered else None for answer in answers],
        "end": [answer.end if answer.is_answered else None for answer in answers],
        "score": [answer.score for answer in answers],
        "null_score": [answer.null_score for answer in answers],
        "null_odds": [answer.null_odds for answer in answers],
    }


def official_predictions(rows: QuestionExamples, answers: Sequence[QuestionAnswer]) -> dict[str, str]:
    """Return answers by question, as the evaluation scripts of SQuAD and CMRC 2018 read them from JSON.

    Args:
        rows: the questions.
        answers: their answers.

    Returns:
        The text for each id, "" for no answer.
    """
    return {name: answer.text for name, answer in zip(rows.ids, answers, strict=True)}


def official_null_odds(rows: QuestionExamples, answers: Sequence[QuestionAnswer]) -> dict[str, float]:
    """Return how much each question seems unanswerable, as SQuAD v2.0's script reads it (`--na-prob-file`).

    Args:
        rows: the questions.
        answers: their answers.

    Returns:
        The null odds of each id. They are no probabilities: `--na-prob-thresh` must be the model's null threshold.
    """
    return {name: answer.null_odds for name, answer in zip(rows.ids, answers, strict=True)}


def _around(rows: QuestionExamples, row: int, answer: QuestionAnswer) -> str:
    """Return some 200 characters of a context, with the predicted answer, else a right one, in their midst."""
    context = rows.contexts[row]
    spans = [(answer.start, answer.end)] if answer.is_answered else []
    if rows.answers is not None:
        spans += [(gold.start, gold.start + len(gold.text)) for gold in rows.answers[row] if gold.start is not None]
    first, last = spans[0] if spans else (0, 0)
    before = max(0, _SHOWN_CHARACTERS - (last - first)) // 2
    start = max(0, min(first - before, len(context) - _SHOWN_CHARACTERS))
    end = max(last, start + _SHOWN_CHARACTERS)
    return ("…" if start else "") + context[start:end] + ("…" if end < len(context) else "")

"""Questions and contexts as tokens, cut into windows; one row for each window.

`convert_examples_to_features` of google-research/albert squad_utils.py.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from keras_albert.tasks.question_answering.locating import TokenizedContext, covering_tokens, locate
from keras_albert.tasks.question_answering.questions import GoldAnswer
from keras_albert.tasks.question_answering.windows import QuestionWindows, window_spans

_NAMED_ROWS = 5


@dataclass(frozen=True)
class Findings:
    """What is odd about a set of questions: rows of each oddity.

    Args:
        truncated: questions that lost tokens.
        empty: questions whose context has no token.
        moved: questions whose answer stands elsewhere in the context.
        missing: questions whose answer stands nowhere in the context.
    """

    truncated: tuple[int, ...] = ()
    empty: tuple[int, ...] = ()
    moved: tuple[int, ...] = ()
    missing: tuple[int, ...] = ()


@dataclass(frozen=True)
class EncodedQuestions:
    """Token ids of questions and contexts, and the windows (rows) that they are cut into; nothing is packed yet.

    Args:
        queries: ids of each question, as far as they are kept.
        contexts: each question's context; equal ones are one object.
        question: int64 (rows,), the question of each row, ascending.
        spans: int64 (rows, 2), first token of the context and number of its tokens in each row.
        findings: what to warn of.
    """

    queries: list[np.ndarray]
    contexts: list[TokenizedContext]
    question: np.ndarray
    spans: np.ndarray
    findings: Findings = field(default_factory=Findings)

    def __len__(self) -> int:
        return len(self.question)

    @property
    def lengths(self) -> np.ndarray:
        """Length of each packed row, int64 (rows,)."""
        return self.offsets[self.question] + self.spans[:, 1] + 1

    @property
    def offsets(self) -> np.ndarray:
        """Position of the first context token in the rows of each question, int64 (questions,)."""
        return np.array([len(query) + 2 for query in self.queries], "int64")

    def windows(self) -> list[tuple[np.ndarray, QuestionWindows]]:
        """Return for each question its rows, and what the search for spans needs to know of them."""
        rows = np.split(np.arange(len(self)), np.searchsorted(self.question, np.arange(1, len(self.queries))))
        offsets = self.offsets.tolist()
        return [(part, QuestionWindows(self.spans[part], offset)) for part, offset in zip(rows, offsets, strict=True)]

    def only(self, keep: np.ndarray) -> "EncodedQuestions":
        """Return some of the rows, by a mask bool (rows,)."""
        return replace(self, question=self.question[keep], spans=self.spans[keep])


def encode_questions(
    tokenizer: Any, questions: Sequence[str], contexts: Sequence[str], max_question_length: int, room: int, stride: int
) -> EncodedQuestions:
    """Tokenize questions and contexts, and cut the contexts into windows.

    Args:
        tokenizer: any with `tokenize` and `tokenize_with_offsets`.
        questions: Q texts.
        contexts: Q texts; one that occurs several times is tokenized once.
        max_question_length: the most tokens that a question keeps.
        room: the most tokens of question and context in a row.
        stride: tokens from one window's start to the next one's.
    """
    ids = tokenizer.tokenize(list(questions))
    queries = [np.asarray(row[:max_question_length], "int32") for row in ids]
    distinct = list(dict.fromkeys(contexts))
    tokenized = dict(zip(distinct, _tokenize_contexts(tokenizer, distinct), strict=True))
    documents = [tokenized[context] for context in contexts]
    spans = [
        window_spans(len(document), room - len(query), stride)
        for query, document in zip(queries, documents, strict=True)
    ]
    return EncodedQuestions(
        queries,
        documents,
        np.repeat(np.arange(len(queries)), [len(part) for part in spans]),
        np.concatenate(spans),
        Findings(
            truncated=tuple(row for row, query in enumerate(ids) if len(query) > max_question_length),
            empty=tuple(row for row, document in enumerate(documents) if not len(document)),
        ),
    )


def _tokenize_contexts(tokenizer: Any, texts: list[str]) -> list[TokenizedContext]:
    contexts = []
    for text, (ids, offsets) in zip(texts, tokenizer.tokenize_with_offsets(texts), strict=True):
        starts, ends = np.array(offsets, "int64").reshape(-1, 2).T
        contexts.append(TokenizedContext(text, np.array(ids, "int32"), starts, ends))
    return contexts


def label_rows(
    encoded: EncodedQuestions, answers: Sequence[GoldAnswer | None]
) -> tuple[EncodedQuestions, dict[str, np.ndarray], np.ndarray]:
    """Find each question's answer in its rows.

    A row that does not hold the whole answer has none, as if it were all of an unanswerable question's context. A
    question whose answer stands nowhere in the context loses its rows.

    Args:
        encoded: all rows of Q questions.
        answers: Q answers, None where there is none.

    Returns:
        The rows that are kept; their labels "start" and "end", positions in the row, int32 (rows,), 0 (`[CLS]`) where
        there is no answer, and "unanswerable", float32 (rows, 1); and which rows are kept, bool.
    """
    moved, missing = [], []
    tokens = np.full((len(answers), 2), -1, "int64")
    for row, (answer, context) in enumerate(zip(answers, encoded.contexts, strict=True)):
        if answer is None:
            continue
        text, said_start = answer
        start = locate(text, said_start, context.text)
        covering = None if start is None else covering_tokens(context, start, start + len(text))
        if covering is None:
            missing.append(row)
        else:
            tokens[row] = covering
            if start != said_start:
                moved.append(row)
    keep = ~np.isin(encoded.question, missing)
    findings = replace(encoded.findings, moved=tuple(moved), missing=tuple(missing))
    kept = replace(encoded.only(keep), findings=findings)
    first, length = kept.spans.T
    start, end = tokens[kept.question].T
    is_inside = (start >= first) & (end < first + length)
    to_row = kept.offsets[kept.question] - first
    labels = {
        "start": np.where(is_inside, start + to_row, 0).astype("int32"),
        "end": np.where(is_inside, end + to_row, 0).astype("int32"),
        "unanswerable": (~is_inside[:, None]).astype("float32"),
    }
    return kept, labels, keep


def warn_of(findings: Findings, num_questions: int, max_question_length: int) -> None:
    """Warn, once, of all that is odd."""
    kinds = {
        "an answer that is not at its offset (its nearest occurrence was taken)": findings.moved,
        "an answer that no token of its context holds (left out of training)": findings.missing,
        f"more than {max_question_length} tokens (cut; `max_question_length` is the limit)": findings.truncated,
        "an empty context (which has no answer)": findings.empty,
    }
    parts = [f"{len(rows):,} with {kind}, {_named(rows)}" for kind, rows in kinds.items() if rows]
    if parts:
        warnings.warn(f"Of {num_questions:,} questions: {'; '.join(parts)}.", stacklevel=3)


def _named(rows: tuple[int, ...]) -> str:
    more = ", ..." if len(rows) > _NAMED_ROWS else ""
    return f"row{'s' if len(rows) > 1 else ''} {', '.join(map(str, rows[:_NAMED_ROWS]))}{more}"

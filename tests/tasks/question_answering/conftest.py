"""Google's SQuAD features and predictions, and a small answerer."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import keras_albert
from keras_albert import AlbertQuestionAnswererPreprocessor
from keras_albert.tasks.question_answering.encoding import EncodedQuestions


class Squad(NamedTuple):
    """The reference data, and the preprocessor with its settings."""

    folder: Path
    preprocessor: AlbertQuestionAnswererPreprocessor

    def json(self, name: str) -> Any:
        return json.loads((self.folder / f"{name}.json").read_text(encoding="utf-8"))

    def arrays(self, name: str) -> dict[str, np.ndarray]:
        with np.load(self.folder / f"{name}.npz") as stored:
            return {
                key: array.astype("float32") if array.dtype == "float16" else array for key, array in stored.items()
            }

    def questions(self, name: str) -> tuple[list[str], list[str], list[str], list[list[dict[str, Any]]]]:
        rows = [
            (qa["id"], qa["question"], paragraph["context"], [] if qa.get("is_impossible") else qa["answers"])
            for entry in self.json(f"{name}_input")["data"]
            for paragraph in entry["paragraphs"]
            for qa in paragraph["qas"]
        ]
        return tuple(list(column) for column in zip(*rows, strict=True))  # type: ignore[return-value]

    def encoded(self, name: str) -> tuple[list[str], EncodedQuestions]:
        ids, questions, contexts, _ = self.questions(name)
        return ids, self.preprocessor.encode((questions, contexts))


@pytest.fixture(scope="session")
def squad(shared) -> Squad:
    tokenizer = keras_albert.AlbertTokenizer(shared / "data" / "albert_vocab" / "spiece.model")
    preprocessor = AlbertQuestionAnswererPreprocessor(
        tokenizer, doc_stride=64, max_question_length=64, sequence_length=192, max_sequence_length=192
    )
    return Squad(shared / "golden" / "squad", preprocessor)


@pytest.fixture(scope="session")
def word_tokenizer() -> keras_albert.AlbertWordPieceTokenizer:
    """A WordPiece tokenizer of whole words, so that positions can be counted by hand."""
    words = ["who", "what", "sang", "ran", "is", "old", "rome", "ann", "bob", "the", "in", ".", "?"]
    return keras_albert.AlbertWordPieceTokenizer(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words])

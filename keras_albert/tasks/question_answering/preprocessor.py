"""From questions and contexts to packed windows.

`convert_examples_to_features` of google-research/albert squad_utils.py.
"""

from typing import Any, ClassVar

import keras
import numpy as np

from keras_albert.checkpoints import Release
from keras_albert.tasks.preprocessor import AlbertPreprocessor
from keras_albert.tasks.question_answering.encoding import encode_questions, label_rows, warn_of
from keras_albert.tasks.question_answering.questions import as_gold_answers, as_questions, is_questions
from keras_albert.text.packing import SpecialIds, allowed_length, pack

_SPECIAL_TOKENS_IN_ROW = 3  # [CLS] question [SEP] context [SEP]
# `run_squad_v1.py` and `run_squad_v2.py` of google-research/albert.
_GOOGLE_ROW, _GOOGLE_QUESTION = 384, 64


@keras.saving.register_keras_serializable(package="keras_albert")
class AlbertQuestionAnswererPreprocessor(AlbertPreprocessor):
    """Tokenizes questions and contexts and packs them as `[CLS] question [SEP] context [SEP]`, in windows.

    A context that is longer than its row becomes several rows, which overlap. Called on Q questions with their contexts
    (two lists, a list of pairs or a list of dicts with "question" and "context"), and their answers for training, it
    returns arrays with one row a window: the backbone's inputs, `answer_mask` int32 (B, S), 1 where an answer may lie
    (context tokens, and `[CLS]` for "no answer"), and `start_position` int32 (B,), where the answer begins, 0 at
    prediction; the labels are "start" and "end", positions int32 (B,), and "unanswerable" float32 (B, 1).

    Args:
        tokenizer: the tokenizer; it needs `tokenize_with_offsets`.
        doc_stride: tokens from one window's start to the next one's.
        max_question_length: the most tokens that a question keeps; the rest is cut off.
        sequence_length: S of every batch; None lets S follow the longest row of the batch.
        max_sequence_length: the longest row, special tokens included.

    Raises:
        ValueError: no stride, or a question that leaves no room for the context.

    Example:
        ```python
        preprocessor = keras_albert.AlbertQuestionAnswererPreprocessor.from_preset("albert_base")
        x, y = preprocessor([("Who sang?", "Ann sang.")], [{"text": "Ann", "answer_start": 0}])
        ```
    """

    feature_dtypes: ClassVar[dict[str, str]] = AlbertPreprocessor.feature_dtypes | {
        "answer_mask": "int32",
        "start_position": "int32",
    }

    def __init__(
        self,
        tokenizer: Any,
        doc_stride: int = 128,
        max_question_length: int = _GOOGLE_QUESTION,
        sequence_length: int | None = None,
        max_sequence_length: int = _GOOGLE_ROW,
        **kwargs: Any,
    ) -> None:
        super().__init__(tokenizer, sequence_length, max_sequence_length, **kwargs)
        for name, value in (("doc_stride", doc_stride), ("max_question_length", max_question_length)):
            if value < 1:
                raise ValueError(f"Expected {name} to be at least 1. Received: {name}={value}")
        if max_question_length >= self.longest_row - _SPECIAL_TOKENS_IN_ROW:
            raise ValueError(
                f"A question of max_question_length tokens leaves no room for its context in rows of "
                f"{self.longest_row}: pass at most {self.longest_row - _SPECIAL_TOKENS_IN_ROW - 1}. "
                f"Received: max_question_length={max_question_length}"
            )
        self.doc_stride = doc_stride
        self.max_question_length = max_question_length

    def takes(self, x: Any) -> bool:
        """Whether `x` is raw input that `encode_rows` takes."""
        return is_questions(x)

    def encode(self, x: Any) -> Any:
        """Return the `EncodedQuestions` of questions and contexts.

        Raises:
            ValueError: no question, a question without context, or something that is not text.
        """
        questions, contexts = as_questions(x)
        room = self.longest_row - _SPECIAL_TOKENS_IN_ROW
        return encode_questions(self.tokenizer, questions, contexts, self.max_question_length, room, self.doc_stride)

    def encode_rows(self, x: Any, y: Any = None, sample_weight: Any = None) -> tuple[Any, Any, Any]:
        """Tokenize, cut into windows, and find the answers in these.

        Args:
            x: Q questions with their contexts.
            y: Q answers: a dict with "text" and "answer_start" (or a list of such, of which the first counts), None or
                [] for a question without answer.
            sample_weight: float (Q,); every window has its question's.

        Raises:
            ValueError: the input, answers of another number or form, or not one answer that its context holds.
        """
        encoded = self.encode(x)
        num_questions = len(encoded.queries)
        weights = None if sample_weight is None else np.asarray(sample_weight, "float32")
        if weights is not None and weights.shape != (num_questions,):
            raise ValueError(
                f"Expected one weight for each of {num_questions} questions. "
                f"Received: sample_weight.shape={weights.shape}"
            )
        labels = None
        if y is not None:
            encoded, labels, _ = label_rows(encoded, as_gold_answers(y, num_questions))
            if not len(encoded):
                raise ValueError(
                    f"Not one of {num_questions} answers stands in its context. Check that answers, offsets and "
                    f"contexts belong together. Received: {y[0]!r:.200} in {encoded.contexts[0].text!r:.200}"
                )
        return encoded, labels, None if weights is None else weights[encoded.question]

    def report(self, encoded: Any) -> None:
        """Warn, once for a set of questions, of answers and texts that are not as they should be."""
        warn_of(encoded.findings, len(encoded.queries), self.max_question_length)

    def features(self, encoded: Any, rows: np.ndarray | None = None) -> dict[str, np.ndarray]:
        """Pack windows; `start_position` is 0 until `arrange` takes it from the labels."""
        rows = np.arange(len(encoded)) if rows is None else rows
        lengths = encoded.lengths[rows]
        length = self.sequence_length or allowed_length(int(lengths.max()), self.max_sequence_length)
        special = SpecialIds(self.tokenizer.start_token_id, self.tokenizer.end_token_id, self.tokenizer.pad_token_id)
        questions = encoded.question[rows]
        parts = [
            encoded.contexts[question].ids[first : first + size]
            for question, (first, size) in zip(questions.tolist(), encoded.spans[rows].tolist(), strict=True)
        ]
        features = pack([encoded.queries[question] for question in questions], parts, special, length)
        positions = np.arange(length)
        is_context = (positions >= encoded.offsets[questions][:, None]) & (positions < lengths[:, None] - 1)
        features["answer_mask"] = (is_context | (positions == 0)).astype("int32")
        features["start_position"] = np.zeros(len(rows), "int32")
        return features

    def arrange(self, features: dict[str, Any], y: Any = None, sample_weight: Any = None) -> Any:
        """Return `x`, `(x, y)` or `(x, y, sample_weight)`; with labels x has the answers' `start_position`."""
        if y is not None:
            features = features | {"start_position": y["start"]}
        return keras.utils.pack_x_y_sample_weight(features, y, sample_weight)

    def __call__(self, x: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Preprocess lists of questions with their contexts; see `call`."""
        return self.call(x, y, sample_weight)

    def call(self, x: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Preprocess lists; a question becomes one row or several.

        Returns:
            `x`, `(x, y)` or `(x, y, sample_weight)` with one row a window.

        Raises:
            ValueError: anything but lists, such as a batch in a `tf.data` or grain dataset.
        """
        parts = x if isinstance(x, tuple) else (x,)
        if not all(isinstance(part, (list, tuple)) for part in parts):
            raise ValueError(
                "A question becomes several rows, which tf.data and grain cannot batch. Pass lists of questions and "
                "contexts to `fit`, `evaluate` and `predict`, or arrays that this preprocessor made of lists. "
                f"Received: {', '.join(type(part).__name__ for part in parts)}"
            )
        encoded, labels, weights = self.encode_rows(x, y, sample_weight)
        self.report(encoded)
        return self.arrange(self.features(encoded), labels, weights)

    def get_config(self) -> dict[str, Any]:
        """Return the constructor's arguments."""
        return super().get_config() | {
            "doc_stride": self.doc_stride,
            "max_question_length": self.max_question_length,
        }

    @classmethod
    def from_release(cls, release: Release, **kwargs: Any) -> "AlbertPreprocessor":
        """Build a preprocessor on the vocabulary of a Google release, for rows that fit its positions."""
        return super().from_release(release, **(_fitting(release.backbone_config["max_sequence_length"]) | kwargs))

    @classmethod
    def _add_missing_kwargs(cls, loader: Any, kwargs: dict[str, Any]) -> dict[str, Any]:
        # keras_hub's hook for a preset that stores a backbone but no preprocessor of this class.
        positions = loader.config["config"].get("max_sequence_length", _GOOGLE_ROW)
        return super()._add_missing_kwargs(loader, _fitting(positions) | kwargs)


def _fitting(positions: int) -> dict[str, int]:
    """Return Google's lengths, as far as a model has positions for them."""
    length = min(positions, _GOOGLE_ROW)
    return {"max_sequence_length": length, "max_question_length": min(_GOOGLE_QUESTION, length // 4)}

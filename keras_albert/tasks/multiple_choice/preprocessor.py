"""From contexts, questions and options to packed arrays with an axis of options.

`RaceProcessor` and `convert_single_example` of google-research/albert race_utils.py.
"""

import warnings
from typing import Any

import keras
import numpy as np

from keras_albert.tasks.multiple_choice.columns import EXPECTED, NAMES, as_columns, check_labels, label_numbers
from keras_albert.tasks.multiple_choice.encoded import EncodedChoices, question_with_option
from keras_albert.tasks.preprocessor import AlbertPreprocessor
from keras_albert.text import AlbertTokenizer, AlbertWordPieceTokenizer
from keras_albert.text.packing import SpecialIds, TokenRows, allowed_length, pack
from keras_albert.text.segments import is_text
from keras_albert.text.tokenizer_inputs import is_symbolic


@keras.saving.register_keras_serializable(package="keras_albert")
class AlbertMultipleChoicePreprocessor(AlbertPreprocessor):
    """Tokenizes and packs a row `[CLS] context [SEP] question and option [SEP]` for each option of each example.

    The option takes the place of each `_` in the question, or stands behind it. Of question and option the last
    `max_option_length` tokens are kept, so that the option stays; then the end of the context is cut until the row
    fits.

    Called on a tuple of columns `(contexts, questions, options)` or on a list of objects, it returns `token_ids`,
    `segment_ids` and `padding_mask` as int32 arrays (B, C, S), and passes labels on. C is the most options of any
    example; the rows of options that an example lacks are padding only. `tf.data` and grain can't call it, as their
    batches have no lists of different lengths.

    Args:
        tokenizer: the tokenizer.
        max_option_length: the most tokens of question and option together, at least 1; 128 is Google's
            `max_qa_length`. A row of fewer tokens than these and three special ones bounds it too.
        sequence_length: as of `AlbertPreprocessor`.
        max_sequence_length: as of `AlbertPreprocessor`.

    Raises:
        ValueError: a length that is too small.

    Example:
        >>> import keras_albert
        >>> proto = keras_albert.train_vocabulary(["a cat sat on a mat", "the cat was here"] * 20, vocabulary_size=28)
        >>> preprocessor = AlbertMultipleChoicePreprocessor(keras_albert.AlbertTokenizer(proto), sequence_length=48)
        >>> x = preprocessor((["a cat sat on a mat"], ["the cat was _"], [["here", "on a mat", "the mat"]]))
        >>> x["token_ids"].shape
        (1, 3, 48)
    """

    def __init__(
        self,
        tokenizer: AlbertTokenizer | AlbertWordPieceTokenizer,
        max_option_length: int = 128,
        sequence_length: int | None = None,
        max_sequence_length: int = 512,
        **kwargs: Any,
    ) -> None:
        super().__init__(tokenizer, sequence_length, max_sequence_length, **kwargs)
        self.built = True  # Keras builds a layer in its own `__call__`
        if max_option_length < 1:
            raise ValueError(
                f"Expected max_option_length to be at least 1. Received: max_option_length={max_option_length}"
            )
        self.max_option_length = max_option_length

    @property
    def longest_ending(self) -> int:
        """The most tokens of question and option that a row can hold."""
        return min(self.max_option_length, self.longest_row - 3)

    def takes(self, x: Any) -> bool:
        """Whether `x` is text, which `encode` takes or refuses with a reason; arrays go to Keras as they are."""
        if isinstance(x, dict):
            return any(name in x for name in NAMES)
        return is_text(x) or (isinstance(x, list | tuple) and isinstance(x[0], dict) and "token_ids" not in x[0])

    def encode_rows(self, x: Any, y: Any = None, sample_weight: Any = None) -> tuple[Any, Any, Any]:
        """Tokenize examples; labels become int64 (N,), positions among the options.

        Raises:
            ValueError: examples in another form, or labels or weights that don't fit them.
        """
        encoded, labels, weights = super().encode_rows(x, None if y is None else label_numbers(y), sample_weight)
        if labels is not None:
            check_labels(labels, encoded.option_counts)
        return encoded, labels, weights

    def encode(self, x: Any) -> EncodedChoices:  # type: ignore[override]
        """Tokenize examples, each different context once.

        Raises:
            ValueError: examples in another form, or with fewer than two options.
        """
        contexts, questions, options = as_columns(x)
        numbers = {context: number for number, context in enumerate(dict.fromkeys(contexts))}
        endings = self.tokenizer.tokenize(
            [
                question_with_option(question, option)
                for question, choices in zip(questions, options, strict=True)
                for option in choices
            ]
        )
        offsets = np.cumsum([0, *map(len, options)])
        too_long = np.array([len(ending) > self.longest_ending for ending in endings])
        return EncodedChoices(
            TokenRows.from_lists(self.tokenizer.tokenize(list(numbers))),
            np.array([numbers[context] for context in contexts]),
            TokenRows.from_lists([ending[-self.longest_ending :] for ending in endings]),
            offsets,
            np.logical_or.reduceat(too_long, offsets[:-1]),
        )

    def report(self, encoded: Any) -> None:
        """Warn, once for a set of examples, of contexts and of questions that are cut."""
        cut = int((encoded.lengths > self.longest_row).sum())
        if cut:
            warnings.warn(
                f"{cut:,} of {len(encoded):,} examples have more than {self.longest_row} tokens: their contexts were "
                "truncated at the end. Raise the preprocessor's `max_sequence_length` where the model has more "
                "positions.",
                stacklevel=2,
            )
        shortened = int(encoded.shortened.sum())
        if shortened:
            warnings.warn(
                f"{shortened:,} of {len(encoded):,} examples have more than {self.longest_ending} tokens in question "
                "and option: they were truncated at the start. Raise the preprocessor's `max_option_length`.",
                stacklevel=2,
            )

    def features(self, encoded: Any, rows: np.ndarray | None = None) -> dict[str, np.ndarray]:
        """Pack examples; see `AlbertPreprocessor.features`. Each array is (B, C, S)."""
        rows = np.arange(len(encoded)) if rows is None else rows
        length = self.sequence_length or allowed_length(int(encoded.lengths[rows].max()), self.max_sequence_length)
        special = SpecialIds(self.tokenizer.start_token_id, self.tokenizer.end_token_id, self.tokenizer.pad_token_id)
        # C of all batches is one: predictions are joined, and JAX compiles each shape anew.
        options = int(encoded.option_counts.max())
        contexts, endings, places = [], [], []
        for place, row in enumerate(rows):
            context = encoded.contexts[encoded.context_rows[row]]
            for option, index in enumerate(range(encoded.offsets[row], encoded.offsets[row + 1])):
                endings.append(encoded.endings[index])
                contexts.append(context[: length - 3 - len(endings[-1])])
                places.append(place * options + option)
        fills = {"token_ids": special.pad, "segment_ids": 0, "padding_mask": 0}
        features = {}
        for name, packed in pack(contexts, endings, special, length).items():
            array = np.full((len(rows) * options, length), fills[name], "int32")
            array[places] = packed
            features[name] = array.reshape(len(rows), options, length)
        return features

    def __call__(self, x: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Preprocess examples; see `call`."""
        return self.call(x, y, sample_weight)

    def call(self, x: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Preprocess a batch of examples.

        Returns:
            `x`, `(x, y)` or `(x, y, sample_weight)`, where x holds int32 arrays (B, C, S).

        Raises:
            ValueError: examples in another form, such as the tensors of a `tf.data` dataset.
        """
        parts = x if isinstance(x, tuple) else x.values() if isinstance(x, dict) else (x,)
        if not self.takes(x) or any(is_symbolic(part) for part in parts):
            raise ValueError(
                f"{EXPECTED} Received: {type(x).__name__}. Datasets (`tf.data`, grain) can't hold options of different "
                "number: pass lists, or preprocess them before and make a dataset of the arrays for a model with "
                "`preprocessor=None`."
            )
        encoded, labels, weights = self.encode_rows(x, y, sample_weight)
        if not self._has_reported:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                self.report(encoded)
            self._has_reported = bool(caught)
            for warning in caught:
                warnings.warn(str(warning.message), stacklevel=3)
        return self.arrange(self.features(encoded), labels, weights)

    def get_config(self) -> dict[str, Any]:
        """Return the constructor's arguments."""
        return super().get_config() | {"max_option_length": self.max_option_length}

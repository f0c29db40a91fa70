"""From texts or lists of words to windows of pieces, with a tag on each word's first piece.

The pieces and the special tokens are those of `convert_single_example` of google-research/albert classifier_utils.py.
"""

import warnings
from dataclasses import replace
from itertools import chain, pairwise
from typing import Any

import keras
import numpy as np

from keras_albert.tasks.datasets import is_grain_dataset, is_tensorflow_dataset
from keras_albert.tasks.preprocessor import AlbertPreprocessor
from keras_albert.tasks.token_classification.labels import flat_labels, flat_weights
from keras_albert.tasks.token_classification.windows import EncodedWords, rows_with_most_context, window_spans
from keras_albert.tasks.token_classification.words import SPLITS, WordedTexts, as_worded_texts
from keras_albert.text.packing import SpecialIds, TokenRows, allowed_length, pack
from keras_albert.text.segments import is_tensorflow_tensor, is_text

_LISTS_ONLY = (
    "A token classifier takes raw text as lists in memory, since a long text becomes several rows. Pass a list of "
    "texts or of lists of words; or preprocess them (`preprocessor(texts, y)`), build a dataset of these arrays, and "
    "set the model's `preprocessor` to None."
)


@keras.saving.register_keras_serializable(package="keras_albert")
class AlbertTokenClassifierPreprocessor(AlbertPreprocessor):
    """Splits texts into words and these into pieces, and packs them for `AlbertTokenClassifier`.

    Each word is tokenized on its own; one that gives no piece (a control character, for example) gets the unknown id,
    so that words and tags stay in step. A text that is too long for a row becomes several windows of whole words; a
    word counts in the window where it has most context and has weight 0 in the others, so that training and
    evaluation see every word once. A word with more pieces than a row holds loses its last ones; a warning says so.

    Called on lists it returns `x`, or `(x, labels, weights)` where there are tags: `token_ids`, `segment_ids`,
    `padding_mask` and labels int32, weights float32, all (rows, S). The tag of a word is the label of its first piece;
    other pieces, special tokens and padding have weight 0.

    Args:
        tokenizer: the tokenizer.
        window_overlap: the most pieces that neighbouring windows share, less than a row holds; None is a quarter of a
            row.
        word_split: how texts are split: "words" (`split_words`), or "characters" for models that were trained with a
            tag for each character. Lists of words are taken as they are.
        **kwargs: see `AlbertPreprocessor`.

    Raises:
        ValueError: an overlap that leaves no room for new words, or another `word_split`.
    """

    def __init__(
        self, tokenizer: Any, window_overlap: int | None = None, word_split: str = "words", **kwargs: Any
    ) -> None:
        super().__init__(tokenizer, **kwargs)
        if window_overlap is not None and not 0 <= window_overlap < self.longest_row - 2:
            raise ValueError(
                f"Expected window_overlap from 0 to {self.longest_row - 3}, as a row holds {self.longest_row - 2} "
                f"pieces. Received: window_overlap={window_overlap}"
            )
        if word_split not in SPLITS:
            raise ValueError(f"Expected word_split among {list(SPLITS)}. Received: word_split={word_split!r}")
        self.window_overlap = window_overlap
        self.word_split = word_split

    def takes(self, x: Any) -> bool:
        """Whether `x` is texts or lists of words.

        Raises:
            ValueError: a `tf.data` or grain dataset.
        """
        if is_tensorflow_dataset(x) or is_grain_dataset(x):
            raise ValueError(f"{_LISTS_ONLY} Received: a {type(x).__name__}")
        return is_text(x)

    def encode_rows(self, x: Any, y: Any = None, sample_weight: Any = None) -> tuple[EncodedWords, None, None]:
        """Split and tokenize; tags and weights go along with the words, as they belong to these and not to rows.

        Args:
            x: texts or lists of words.
            y: the numbers of their tags, a list for each text; or None.
            sample_weight: a weight for each text, or for each text a list of its words' weights; or None.

        Raises:
            ValueError: tags or weights that don't match the words in number.
        """
        encoded = self.encode(x)
        counts = encoded.texts.word_counts
        labels = None if y is None else flat_labels(y, counts)
        weights = None if sample_weight is None else flat_weights(sample_weight, counts)
        return replace(encoded, labels=labels, weights=weights), None, None

    def encode(self, x: Any) -> EncodedWords:  # type: ignore[override]
        """Split texts into words, these into pieces, and long texts into windows."""
        texts = as_worded_texts(x, self.word_split)
        pieces, cut_words = self._pieces(texts)
        word_offsets = np.concatenate([[0], np.cumsum(texts.word_counts)])
        windows = self._windows(pieces.lengths, word_offsets)
        rows = rows_with_most_context(pieces.offsets, windows)
        return EncodedWords(texts, pieces.flat, pieces.offsets, word_offsets, windows, rows, cut_words)

    def _pieces(self, texts: WordedTexts) -> tuple[TokenRows, int]:
        """Return the pieces of every word, and how many words were cut."""
        words = list(chain.from_iterable(texts.words))
        distinct = list(dict.fromkeys(words))
        unknown = [self.tokenizer.unk_token_id]
        encoded = self.tokenizer.tokenize(distinct) if distinct else []
        capacity = self.longest_row - 2
        kept = {word: ids[:capacity] or unknown for word, ids in zip(distinct, encoded, strict=True)}
        cut = {word for word, ids in zip(distinct, encoded, strict=True) if len(ids) > capacity}
        return TokenRows.from_lists([kept[word] for word in words]), sum(word in cut for word in words)

    def _windows(self, piece_counts: np.ndarray, word_offsets: np.ndarray) -> np.ndarray:
        capacity = self.longest_row - 2
        overlap = self.longest_row // 4 if self.window_overlap is None else self.window_overlap
        windows = [
            (start + first, start + end)
            for start, stop in pairwise(word_offsets)
            for first, end in window_spans(piece_counts[start:stop], capacity, overlap)
        ]
        return np.array(windows, "int64")

    def report(self, encoded: Any) -> None:
        """Warn, once for a set of texts, of the words that are cut and of the texts that have none."""
        if encoded.cut_words:
            warnings.warn(
                f"{encoded.cut_words:,} of {len(encoded.word_rows):,} words have more than {self.longest_row - 2} "
                "pieces and were cut. Raise the preprocessor's `max_sequence_length` where the model has more "
                "positions.",
                stacklevel=2,
            )
        counts = encoded.texts.word_counts
        if not counts.all():
            warnings.warn(f"{int((counts == 0).sum()):,} of {len(counts):,} texts have no words.", stacklevel=2)

    def features(self, encoded: Any, rows: np.ndarray | None = None) -> dict[str, np.ndarray]:
        """Pack windows.

        Args:
            encoded: the words.
            rows: which windows, int (B,); all where it is None.

        Returns:
            `token_ids`, `segment_ids` and `padding_mask`, int32 (B, S); where there are tags also `labels`, int32, and
            `label_weights`, float32, (B, S).
        """
        rows = np.arange(len(encoded)) if rows is None else rows
        length = self.sequence_length or allowed_length(int(encoded.lengths[rows].max()), self.max_sequence_length)
        special = SpecialIds(self.tokenizer.start_token_id, self.tokenizer.end_token_id, self.tokenizer.pad_token_id)
        features = pack([encoded.row_pieces(int(row)) for row in rows], None, special, length)
        if encoded.labels is None:
            return features
        labels, weights = np.zeros((len(rows), length), "int32"), np.zeros((len(rows), length), "float32")
        in_batch, positions, words = encoded.places(rows)
        labels[in_batch, positions] = encoded.labels[words]
        weights[in_batch, positions] = 1.0 if encoded.weights is None else encoded.weights[words]
        return features | {"labels": labels, "label_weights": weights}

    def arrange(self, features: dict[str, Any], y: Any = None, sample_weight: Any = None) -> Any:
        """Return `x`, or `(x, labels, weights)` where there are tags."""
        if "labels" not in features:
            return features
        x = {name: features[name] for name in self.feature_dtypes}
        return x, features["labels"], features["label_weights"]

    def __call__(self, x: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Preprocess lists; see the class."""
        return self.call(x, y, sample_weight)

    def call(self, x: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Preprocess a list of texts or of lists of words, with the numbers of their tags where there are some.

        Raises:
            ValueError: not lists, such as tensors of `tf.data`, or tags that don't match the words.
        """
        if is_tensorflow_tensor(x):
            raise ValueError(f"{_LISTS_ONLY} Received: a tensor of TensorFlow")
        encoded, _, _ = self.encode_rows(x, y, sample_weight)
        self.report(encoded)
        return self.arrange(self.features(encoded))

    def get_config(self) -> dict[str, Any]:
        """Return the constructor's arguments."""
        return super().get_config() | {"window_overlap": self.window_overlap, "word_split": self.word_split}

"""From raw text to the packed arrays that the backbone takes.

`process_text` and `convert_single_example` of google-research/albert classifier_utils.py, for batches.
"""

import os
import warnings
from dataclasses import dataclass
from typing import Any, ClassVar

import keras
import keras_hub
import numpy as np

from keras_albert.backbone import AlbertBackbone
from keras_albert.checkpoints import Release
from keras_albert.presets import BUILTIN_PRESETS, resolve
from keras_albert.text import AlbertTokenizer, AlbertWordPieceTokenizer, tokenizer_from_release
from keras_albert.text.packing import SpecialIds, TokenRows, allowed_length, pack, packed_lengths
from keras_albert.text.segments import as_segments, is_tensorflow_tensor, is_text


@dataclass(frozen=True)
class EncodedTexts:
    """Token ids of a set of texts, neither packed nor truncated yet."""

    first: TokenRows
    second: TokenRows | None

    def __len__(self) -> int:
        return len(self.first)

    @property
    def lengths(self) -> np.ndarray:
        """Length of each packed row before truncation, int64 (rows,)."""
        return packed_lengths(self.first, self.second)


class AlbertPreprocessor(keras_hub.models.Preprocessor):
    """Tokenizes and packs texts or pairs of texts; the base of every task's preprocessor.

    Called on a text, a list of texts or a pair of these (see `keras_albert.text.segments`), eagerly, in `tf.data` or in
    grain, it returns `token_ids`, `segment_ids` and `padding_mask` as int32 arrays (B, S), and passes labels on.

    Args:
        tokenizer: the tokenizer.
        sequence_length: S of every batch (TPUs want one shape); None lets S follow the longest row of the batch,
            rounded up to one of a few lengths.
        max_sequence_length: the longest row, special tokens included; longer texts are truncated as Google does.
    """

    backbone_cls = AlbertBackbone
    tokenizer_cls = AlbertTokenizer
    presets = BUILTIN_PRESETS

    # The arrays that `features` returns, in order, with their dtypes.
    feature_dtypes: ClassVar[dict[str, str]] = {"token_ids": "int32", "segment_ids": "int32", "padding_mask": "int32"}

    def __init__(
        self,
        tokenizer: AlbertTokenizer | AlbertWordPieceTokenizer,
        sequence_length: int | None = None,
        max_sequence_length: int = 512,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        shortest = 5  # [CLS] a [SEP] b [SEP]
        for name, length in (("sequence_length", sequence_length), ("max_sequence_length", max_sequence_length)):
            if length is not None and length < shortest:
                raise ValueError(f"Expected {name} to be at least {shortest}. Received: {name}={length}")
        if sequence_length is not None and sequence_length > max_sequence_length:
            raise ValueError(
                "Expected sequence_length to be at most max_sequence_length. "
                f"Received: sequence_length={sequence_length}, max_sequence_length={max_sequence_length}"
            )
        self.tokenizer = tokenizer
        self.sequence_length = sequence_length
        self.max_sequence_length = max_sequence_length
        self._has_reported = False

    def build(self, input_shape: Any = None) -> None:
        """Nothing is built: the tokenizer brings its vocabulary."""
        self.built = True

    @property
    def longest_row(self) -> int:
        """The most tokens that a row can hold."""
        return self.sequence_length or self.max_sequence_length

    def row_length(self, name: str) -> int | None:
        """Return the length of a feature's rows, None where it follows the batch."""
        return self.sequence_length

    def takes(self, x: Any) -> bool:
        """Whether `x` is raw input that `encode_rows` takes; anything else goes to Keras as it is."""
        return is_text(x)

    def encode_rows(self, x: Any, y: Any = None, sample_weight: Any = None) -> tuple[Any, Any, Any]:
        """Tokenize raw input, and bring its labels into the form of the rows that batches are made of.

        Returns:
            What `features` packs (with a length, and `lengths` for batching), the labels as arrays with one row for
            each of its rows (or None), and the weights, float32 (rows,) (or None).

        Raises:
            ValueError: `y` or `sample_weight` has another number of rows than `x`.
        """
        encoded = self.encode(x)
        labels = None if y is None else np.asarray(y)
        weights = None if sample_weight is None else np.asarray(sample_weight, "float32")
        for name, rows in (("y", labels), ("sample_weight", weights)):
            if rows is not None and (rows.ndim == 0 or len(rows) != len(encoded)):
                raise ValueError(
                    f"Expected one row of {name} for each text. "
                    f"Received: {len(encoded)} texts, {name}.shape={rows.shape}"
                )
        return encoded, labels, weights

    def encode(self, x: Any) -> EncodedTexts:
        """Tokenize a batch of texts or of pairs."""
        first, second = as_segments(x)
        return EncodedTexts(
            TokenRows.from_lists(self.tokenizer.tokenize(first)),
            None if second is None else TokenRows.from_lists(self.tokenizer.tokenize(second)),
        )

    def report(self, encoded: EncodedTexts) -> None:
        """Warn, once for a set of texts, of the texts that are truncated and of those that are empty."""
        truncated = int((encoded.lengths > self.longest_row).sum())
        if truncated:
            warnings.warn(
                f"{truncated:,} of {len(encoded):,} texts have more than {self.longest_row} tokens and were truncated. "
                "Raise the preprocessor's `max_sequence_length` where the model has more positions.",
                stacklevel=2,
            )
        empty = int((encoded.lengths == (2 if encoded.second is None else 3)).sum())
        if empty:
            warnings.warn(f"{empty:,} of {len(encoded):,} texts are empty: the model sees `[CLS] [SEP]`.", stacklevel=2)

    def features(self, encoded: EncodedTexts, rows: np.ndarray | None = None) -> dict[str, np.ndarray]:
        """Pack rows of encoded texts.

        Args:
            encoded: the texts.
            rows: which of them, int (B,); all where it is None.

        Returns:
            The arrays named by `feature_dtypes`, each with batch axis B.
        """
        rows = np.arange(len(encoded)) if rows is None else rows
        length = self.sequence_length or allowed_length(int(encoded.lengths[rows].max()), self.max_sequence_length)
        special = SpecialIds(self.tokenizer.start_token_id, self.tokenizer.end_token_id, self.tokenizer.pad_token_id)
        second = encoded.second
        return pack(
            [encoded.first[row] for row in rows],
            None if second is None else [second[row] for row in rows],
            special,
            length,
        )

    def arrange(self, features: dict[str, Any], y: Any = None, sample_weight: Any = None) -> Any:
        """Arrange features and labels as Keras takes them: `x`, `(x, y)` or `(x, y, sample_weight)`."""
        return keras.utils.pack_x_y_sample_weight(features, y, sample_weight)

    def __call__(self, x: Any, *args: Any, **kwargs: Any) -> Any:
        """Preprocess; see `call`. A tuple of two texts is a pair; keras_hub's layers would take it for `(x, y)`."""
        if not args and isinstance(x, tuple) and all(is_text(part) for part in x):
            kwargs.setdefault("y", None)
        return super().__call__(x, *args, **kwargs)

    def call(self, x: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Preprocess a text, a batch of texts or a pair of these; `y` and `sample_weight` are passed on.

        Returns:
            `x`, `(x, y)` or `(x, y, sample_weight)`, where x holds int32 arrays (S,) or (B, S).
        """
        segments = x if isinstance(x, tuple) else (x,)
        if any(is_tensorflow_tensor(segment) and not hasattr(segment, "numpy") for segment in segments):
            return self.arrange(self._features_in_graph(segments), y, sample_weight)
        segments = tuple(segment.numpy() if is_tensorflow_tensor(segment) else segment for segment in segments)
        return self.arrange(self._features_of_segments(*segments), y, sample_weight)

    def _features_of_segments(self, *segments: Any) -> dict[str, np.ndarray]:
        is_single = isinstance(segments[0], (str, bytes)) or getattr(segments[0], "shape", None) == ()
        if is_single:
            segments = tuple([np.asarray(segment, dtype=object).item()] for segment in segments)
        encoded = self.encode(segments if len(segments) > 1 else segments[0])
        if not self._has_reported:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                self.report(encoded)
            self._has_reported = bool(caught)
            for warning in caught:
                warnings.warn(str(warning.message), stacklevel=4)
        features = self.features(encoded)
        return {name: array[0] for name, array in features.items()} if is_single else features

    def _features_in_graph(self, segments: tuple[Any, ...]) -> dict[str, Any]:
        import tensorflow as tf

        def run(*texts: Any) -> tuple[np.ndarray, ...]:
            features = self._features_of_segments(*texts)
            return tuple(features[name] for name in self.feature_dtypes)

        arrays = tf.numpy_function(run, segments, [tf.as_dtype(dtype) for dtype in self.feature_dtypes.values()])
        for name, array in zip(self.feature_dtypes, arrays, strict=True):
            array.set_shape((*segments[0].shape, self.row_length(name)))
        return dict(zip(self.feature_dtypes, arrays, strict=True))

    def get_config(self) -> dict[str, Any]:
        """Return the constructor's arguments."""
        return super().get_config() | {
            "sequence_length": self.sequence_length,
            "max_sequence_length": self.max_sequence_length,
        }

    @classmethod
    def from_preset(cls, preset: str | os.PathLike[str], **kwargs: Any) -> "AlbertPreprocessor":
        """Load from anything that `AlbertBackbone.from_preset` takes; `kwargs` replace stored arguments."""
        source = resolve(preset)
        if isinstance(source, str):
            return super().from_preset(source, **kwargs)
        return cls.from_release(source, **kwargs)

    @classmethod
    def from_release(cls, release: Release, **kwargs: Any) -> "AlbertPreprocessor":
        """Build a preprocessor on the vocabulary of a Google release, for rows as long as its positions."""
        defaults = {"max_sequence_length": release.backbone_config["max_sequence_length"]}
        return cls(tokenizer_from_release(release), **(defaults | kwargs))

    @classmethod
    def _add_missing_kwargs(cls, loader: Any, kwargs: dict[str, Any]) -> dict[str, Any]:
        # keras_hub's hook for a preset that stores a backbone but no preprocessor of this class.
        positions = loader.config["config"].get("max_sequence_length", 512)
        return super()._add_missing_kwargs(loader, {"max_sequence_length": positions} | kwargs)

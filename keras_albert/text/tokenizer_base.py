"""What the SentencePiece and the WordPiece tokenizer share: every way in and out, special tokens, saving.

The interface is that of `keras_hub.models.Tokenizer`; the ids are those of google-research/albert `tokenization.py`.
"""

import itertools
import os
from collections.abc import Collection
from typing import Any, Self

import keras_hub

from keras_albert.presets import BUILTIN_PRESETS, resolve
from keras_albert.text.encoder import EncodedWithOffsets, TextEncoder
from keras_albert.text.special_tokens import SpecialTokenEncoder, decode_with_special_tokens
from keras_albert.text.tokenizer_inputs import is_symbolic, to_id_rows, to_texts, tokenize_in_graph

__all__ = ["TokenizerBase"]


class TokenizerBase(keras_hub.models.Tokenizer):
    """Base of the tokenizers; a subclass makes the encoder from its vocabulary file.

    Args:
        special_tokens: attribute name (`pad_token`, `start_token`, …) to token.
        special_tokens_in_strings: whether the start, end and mask token in a raw text become their ids.
        **kwargs: `name`, `trainable`, `dtype` of the layer.
    """

    presets = BUILTIN_PRESETS

    def __init__(self, special_tokens: dict[str, str], special_tokens_in_strings: bool, **kwargs: Any) -> None:
        self._encoder: TextEncoder | None = None
        for name, token in special_tokens.items():
            self._add_special_token(token, name)
        super().__init__(**{"dtype": "int32", **kwargs})
        self.built = True  # no weights; Keras warns about a model that holds an unbuilt layer
        self._special_token_names = tuple(special_tokens)
        self.special_tokens_in_strings = special_tokens_in_strings

    def _set_encoder(self, encoder: TextEncoder | None) -> None:
        self._encoder = encoder
        for name in self._special_token_names:
            setattr(self, f"{name}_id", None if encoder is None else encoder.ids[getattr(self, name)])

    def _check_special_tokens(self, pieces: Collection[str]) -> None:
        missing = [getattr(self, name) for name in self._special_token_names if getattr(self, name) not in pieces]
        if missing:
            raise ValueError(
                f"The vocabulary lacks special tokens that {type(self).__name__} needs. Received: a vocabulary of "
                f"{len(pieces)} pieces without {', '.join(missing)}. Take the file that belongs to the checkpoint."
            )

    def _loaded_encoder(self) -> TextEncoder:
        if self._encoder is None:
            raise ValueError(
                f"{type(self).__name__} has no vocabulary yet. Pass one to the constructor, or call "
                "`load_assets(folder)`."
            )
        return self._encoder

    def call(self, inputs: Any) -> Any:
        """Return `tokenize(inputs)`."""
        return self.tokenize(inputs)

    def tokenize(self, inputs: Any) -> Any:
        """Encode texts to ids, without special tokens around them.

        Args:
            inputs: a string; or a list, tuple, NumPy array or eager TensorFlow tensor of B strings (UTF-8 bytes too);
                or, inside `tf.data` or `tf.function`, a string tensor of shape () or (B,).

        Returns:
            A list of ids for one string, a list of B such lists for a batch. In a TensorFlow graph an int32 tensor of
            shape (None,) or a `tf.RaggedTensor` of shape (B, None).

        Raises:
            ValueError: anything that is not text, or no vocabulary yet.
        """
        encode = self._raw_text_encoder().encode
        if is_symbolic(inputs):
            return tokenize_in_graph(encode, inputs)
        texts, batched = to_texts(inputs)
        rows = encode(texts)
        return rows if batched else rows[0]

    def tokenize_with_offsets(self, inputs: Any) -> EncodedWithOffsets | list[EncodedWithOffsets]:
        """Encode texts to ids and say where in the text each id comes from.

        Args:
            inputs: a string, or a list, tuple or array of B strings.

        Returns:
            `(ids, offsets)` for one string, else a list of B such pairs. `text[start:end]` of an offset is what the
            piece was made from: the original spelling, without leading white space, with the combining marks that the
            normalization drops. Starts and ends never go back.

        Raises:
            ValueError: anything that is not text, or no vocabulary yet.
        """
        texts, batched = to_texts(inputs)
        results = self._raw_text_encoder().encode_with_offsets(texts)
        return results if batched else results[0]

    def detokenize(self, inputs: Any, skip_special_tokens: bool = True) -> str | list[str]:
        """Return the text of ids.

        Args:
            inputs: one id, a row of ids or a batch of rows, as numbers, lists, arrays or tensors of any backend.
            skip_special_tokens: whether padding, start, end and mask tokens are left out. Otherwise they stand in the
                text with a blank around. Unknown ids are always shown.

        Returns:
            A string, or a list of strings for a batch.

        Raises:
            ValueError: ids outside the vocabulary, or not whole numbers.
        """
        encoder = self._loaded_encoder()
        rows, batched = to_id_rows(inputs)
        for id in itertools.chain.from_iterable(rows):
            self._check_id(id)
        hidden = set(self.special_token_ids) - {encoder.unknown_id}
        if skip_special_tokens:
            texts = encoder.decode([[id for id in row if id not in hidden] for row in rows])
        else:
            texts = [decode_with_special_tokens(encoder, row, hidden) for row in rows]
        return texts if batched else texts[0]

    def get_vocabulary(self) -> list[str]:
        """Return the pieces in the order of their ids."""
        return list(self._loaded_encoder().pieces)

    def vocabulary_size(self) -> int:
        """Return the number of ids."""
        return len(self._loaded_encoder().pieces)

    def id_to_token(self, id: int) -> str:
        """Return the piece of an id; a ValueError if there is no such id."""
        self._check_id(id)
        return self._loaded_encoder().pieces[id]

    def token_to_id(self, token: str) -> int:
        """Return the id of a piece, or the unknown id if the vocabulary lacks it."""
        encoder = self._loaded_encoder()
        return encoder.ids.get(token, encoder.unknown_id)

    def _check_id(self, id: int) -> None:
        size = self.vocabulary_size()
        if not 0 <= id < size:
            raise ValueError(
                f"Expected an id in [0, {size}). Received: id={id}. Check that the model's vocabulary is this."
            )

    def _raw_text_encoder(self) -> TextEncoder | SpecialTokenEncoder:
        encoder = self._loaded_encoder()
        if not self.special_tokens_in_strings:
            return encoder
        return SpecialTokenEncoder(
            encoder, {token: encoder.ids[token] for token in (self.start_token, self.end_token, self.mask_token)}
        )

    def get_config(self) -> dict[str, Any]:
        """Return the configuration; the vocabulary is not in it, but an asset beside it."""
        return {**super().get_config(), "special_tokens_in_strings": self.special_tokens_in_strings}

    @classmethod
    def from_preset(cls, preset: str | os.PathLike[str], **kwargs: Any) -> Self:
        """Load the tokenizer of a preset.

        Args:
            preset: anything that `AlbertBackbone.from_preset` takes: a name, a directory in Keras's preset layout, a
                Google release, or a handle.
            **kwargs: constructor arguments that replace the stored ones.

        Raises:
            ValueError: an unknown preset, or one whose vocabulary is of the other kind.
        """
        source = resolve(preset)
        if isinstance(source, str):
            return super().from_preset(source, **kwargs)
        subclass: Any = cls  # takes its vocabulary first
        return subclass(source.vocabulary, **kwargs)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy by configuration and vocabulary, as the native encoder can't be pickled."""
        return _restored, (type(self), self.get_config(), self._vocabulary_source())

    def _vocabulary_source(self) -> Any:
        """Return what `_load_vocabulary` takes, None without a vocabulary."""
        raise NotImplementedError

    def _load_vocabulary(self, source: Any) -> None:
        """Take a new vocabulary, or None for none."""
        raise NotImplementedError


def _restored(cls: type[TokenizerBase], config: dict[str, Any], source: Any) -> TokenizerBase:
    tokenizer = cls.from_config(config)
    tokenizer._load_vocabulary(source)
    return tokenizer

"""The tokenizer of the Chinese releases: BERT's basic tokenization and WordPiece over a vocab.txt.

Follows `FullTokenizer` without a SentencePiece model, of google-research/albert `tokenization.py`.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import keras

from keras_albert.backbone import AlbertBackbone
from keras_albert.text.assets import read_file, write_file
from keras_albert.text.tokenizer_base import TokenizerBase
from keras_albert.text.wordpiece import WordPieceModel

__all__ = ["AlbertWordPieceTokenizer"]

_VOCABULARY_FILE = "vocabulary.txt"
_SPECIAL_TOKENS = {
    "pad_token": "[PAD]",
    "unk_token": "[UNK]",
    "start_token": "[CLS]",
    "end_token": "[SEP]",
    "mask_token": "[MASK]",
}


@keras.saving.register_keras_serializable(package="keras_albert")
class AlbertWordPieceTokenizer(TokenizerBase):
    """Encodes texts to ids with a WordPiece vocabulary, as Google's Chinese ALBERT does.

    Each ideograph and each punctuation mark is a word; a word is spelled by the longest pieces from its left, and is
    `[UNK]` as a whole if that fails or if it has more than 200 characters. One code serves single strings, batches,
    `tf.data` and grain. A raw text never gives the ids of special tokens, unless `special_tokens_in_strings` is set.
    A lone surrogate counts as U+FFFD, which BERT drops.

    Args:
        vocabulary: path of a `vocab.txt` (UTF-8, one piece a line, the line number is the id), or the pieces in the
            order of their ids; None to load it later by `load_assets`.
        lowercase: whether texts are lower-cased; the released Chinese models need it.
        strip_accents: whether accents are dropped; None means the same as `lowercase`, as in BERT.
        special_tokens_in_strings: whether the literals `[CLS]`, `[SEP]` and `[MASK]` in a raw text become their ids,
            with the text on each side encoded as if it stood alone.
        **kwargs: `name`, `trainable`, `dtype`, as for any Keras layer.

    Attributes:
        pad_token, unk_token, start_token, end_token, mask_token: the special tokens; each with its `..._id`.

    Raises:
        ValueError: `vocabulary` is not a list of pieces (a SentencePiece `.model`, for example), has a piece twice, or
            lacks special tokens.

    Example:
        >>> import keras_albert
        >>> pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "我", "爱", "al", "##bert"]
        >>> tokenizer = keras_albert.AlbertWordPieceTokenizer(pieces)
        >>> tokenizer("我爱ALBERT")
        [5, 6, 7, 8]
    """

    backbone_cls = AlbertBackbone

    def __init__(
        self,
        vocabulary: str | Path | Sequence[str] | None = None,
        lowercase: bool = True,
        strip_accents: bool | None = None,
        special_tokens_in_strings: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(_SPECIAL_TOKENS, special_tokens_in_strings, **kwargs)
        self.lowercase = lowercase
        self.strip_accents = lowercase if strip_accents is None else strip_accents
        self.file_assets = [_VOCABULARY_FILE]
        self._load_vocabulary(None if vocabulary is None else _read_pieces(vocabulary))

    def _load_vocabulary(self, source: Sequence[str] | None) -> None:
        if source is None:
            self._set_encoder(None)
            return
        _check_pieces(source)
        # A vocabulary without the unknown piece is named together with whatever else it lacks.
        self._check_special_tokens(source)
        self._set_encoder(WordPieceModel(source, self.unk_token, self.lowercase, self.strip_accents))

    def _vocabulary_source(self) -> list[str] | None:
        return None if self._encoder is None else self._encoder.pieces

    def get_config(self) -> dict[str, Any]:
        """Return the configuration; the vocabulary is not in it, but an asset beside it."""
        return {**super().get_config(), "lowercase": self.lowercase, "strip_accents": self.strip_accents}

    def save_assets(self, dir_path: str) -> None:
        """Write the vocabulary as `vocabulary.txt` into a folder."""
        content = "".join(f"{piece}\n" for piece in self._loaded_encoder().pieces)
        write_file(Path(dir_path) / _VOCABULARY_FILE, content.encode())

    def load_assets(self, dir_path: str) -> None:
        """Read the vocabulary from `vocabulary.txt` in a folder."""
        self._load_vocabulary(_read_pieces(Path(dir_path) / _VOCABULARY_FILE))


def _read_pieces(vocabulary: Any) -> list[str]:
    if isinstance(vocabulary, (list, tuple)):
        return list(vocabulary)
    if not isinstance(vocabulary, (str, Path)):
        raise ValueError(
            "Expected a WordPiece vocabulary as the path of a `vocab.txt` or as a list of pieces. "
            f"Received: vocabulary of type {type(vocabulary).__name__}."
        )
    content = read_file(Path(vocabulary), "the WordPiece vocabulary, `vocab.txt` (`vocabulary`)")
    try:
        # Not `splitlines`: U+2028 is a piece of the released vocabulary.
        lines = content.decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise ValueError(
            "AlbertWordPieceTokenizer needs a `vocab.txt`, one piece a line in UTF-8. Received: "
            f"vocabulary={str(vocabulary)!r}, a binary file. A SentencePiece `.model` is for `AlbertTokenizer`."
        ) from error
    if lines[-1] == "":
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def _check_pieces(pieces: Sequence[Any]) -> None:
    for position, piece in enumerate(pieces):
        if not isinstance(piece, str) or "\n" in piece or "\r" in piece:
            raise ValueError(f"Expected pieces without line breaks. Received: vocabulary[{position}]={piece!r:.100}.")
    repeated = [piece for piece, count in Counter(pieces).items() if count > 1]
    if repeated:
        raise ValueError(
            "Expected each piece of the vocabulary once, as its place is its id. Received: vocabulary with "
            f"{len(repeated)} repeated pieces, such as {repeated[0]!r:.100} at {_positions(pieces, repeated[0])}."
        )


def _positions(pieces: Sequence[str], wanted: str) -> list[int]:
    return [position for position, piece in enumerate(pieces) if piece == wanted]

"""The tokenizer of the English releases: Google's normalization, SentencePiece, and the digit+comma split.

Follows `FullTokenizer` with a SentencePiece model, of google-research/albert `tokenization.py`.
"""

import base64
import binascii
from pathlib import Path
from typing import Any

import keras

from keras_albert.backbone import AlbertBackbone
from keras_albert.text.assets import read_file, write_file
from keras_albert.text.sentencepiece_model import SentencePieceModel
from keras_albert.text.tokenizer_base import TokenizerBase

__all__ = ["AlbertTokenizer"]

_VOCABULARY_FILE = "vocabulary.spm"
_SPECIAL_TOKENS = {
    "pad_token": "<pad>",
    "unk_token": "<unk>",
    "start_token": "[CLS]",
    "end_token": "[SEP]",
    "mask_token": "[MASK]",
}


@keras.saving.register_keras_serializable(package="keras_albert")
class AlbertTokenizer(TokenizerBase):
    """Encodes texts to ids with a SentencePiece model, as Google's ALBERT does.

    White space is collapsed, then the text decomposed (NFKD), stripped of combining marks and lower-cased, then
    encoded; a piece that ends in a digit and a comma is encoded again without the comma. One code serves single
    strings, batches, `tf.data` and grain. A raw text never gives the ids of `[CLS]`, `[SEP]`, `[MASK]` and `<pad>`,
    unless `special_tokens_in_strings` is set. A lone surrogate counts as U+FFFD.

    Args:
        proto: the SentencePiece model: path of a `.model` file, its bytes, or these in base64; None to load it later
            by `load_assets`.
        lowercase: whether texts are lower-cased; the released English models need it.
        strip_accents: whether accents are dropped; set it to False for a vocabulary that was trained with them.
        special_tokens_in_strings: whether the literals `[CLS]`, `[SEP]` and `[MASK]` in a raw text become their ids,
            with the text on each side encoded as if it stood alone. Other special tokens are always plain text.
        **kwargs: `name`, `trainable`, `dtype`, as for any Keras layer.

    Attributes:
        pad_token, unk_token, start_token, end_token, mask_token: the special tokens; each with its `..._id`.

    Raises:
        ValueError: `proto` is not a SentencePiece model (a `.vocab` file or a BERT `vocab.txt`, for example), or it
            lacks special tokens.

    Example:
        >>> import keras_albert
        >>> proto = keras_albert.train_vocabulary(["a cat sat on a mat", "the cat was here"] * 20, vocabulary_size=28)
        >>> tokenizer = keras_albert.AlbertTokenizer(proto, special_tokens_in_strings=True)
        >>> tokenizer.detokenize(tokenizer("A  CAT sat"))
        'a cat sat'
        >>> tokenizer("a [MASK]")[-1] == tokenizer.mask_token_id
        True
    """

    backbone_cls = AlbertBackbone

    def __init__(
        self,
        proto: bytes | str | Path | None = None,
        lowercase: bool = True,
        strip_accents: bool = True,
        special_tokens_in_strings: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(_SPECIAL_TOKENS, special_tokens_in_strings, **kwargs)
        self.lowercase = lowercase
        self.strip_accents = strip_accents
        self.file_assets = [_VOCABULARY_FILE]
        self._load_vocabulary(None if proto is None else _read_proto(proto))

    def _load_vocabulary(self, source: bytes | None) -> None:
        self._proto = source
        if source is None:
            self._set_encoder(None)
            return
        try:
            encoder = SentencePieceModel(source, self.lowercase, self.strip_accents, tuple(_SPECIAL_TOKENS.values()))
        except ValueError as error:
            raise ValueError(_wrong_file_message(source)) from error
        self._check_special_tokens(encoder.ids)
        self._set_encoder(encoder)

    def _vocabulary_source(self) -> bytes | None:
        return self._proto

    def get_config(self) -> dict[str, Any]:
        """Return the configuration; the model file is not in it, but an asset beside it."""
        return {**super().get_config(), "lowercase": self.lowercase, "strip_accents": self.strip_accents}

    def save_assets(self, dir_path: str) -> None:
        """Write the SentencePiece model as `vocabulary.spm` into a folder."""
        self._loaded_encoder()
        write_file(Path(dir_path) / _VOCABULARY_FILE, self._proto or b"")

    def load_assets(self, dir_path: str) -> None:
        """Read the SentencePiece model from `vocabulary.spm` in a folder."""
        self._load_vocabulary(read_file(Path(dir_path) / _VOCABULARY_FILE, "the tokenizer's SentencePiece model"))


def _read_proto(proto: Any) -> bytes:
    if isinstance(proto, bytes):
        return proto
    if not isinstance(proto, (str, Path)):
        raise ValueError(
            "Expected a SentencePiece model as a path, as bytes or in base64. "
            f"Received: proto of type {type(proto).__name__}."
        )
    # A base64 model has thousands of characters, and hardly any path is valid base64 of more than a few hundred.
    if isinstance(proto, str) and len(proto) >= 256:
        try:
            return base64.b64decode(proto, validate=True)
        except binascii.Error:
            pass
    return read_file(Path(proto), "the SentencePiece `.model` file (`proto`)")


def _wrong_file_message(content: bytes) -> str:
    received = f"{len(content)} bytes of something else"
    try:
        lines = content.decode("utf-8").splitlines()
    except UnicodeDecodeError:
        lines = []
    if lines and all("\t" in line for line in lines[:100]):
        received = "the list of pieces that SentencePiece writes beside it (`.vocab`)"
    elif "[UNK]" in lines or any(line.startswith("##") for line in lines):
        received = "a BERT vocabulary (`vocab.txt`), which `AlbertWordPieceTokenizer` reads"
    return f"AlbertTokenizer needs a SentencePiece model, a `.model` file. Received: proto={received}."

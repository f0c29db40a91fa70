"""The tokenizer of a Hugging Face directory, as transformers and tokenizers write it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sentencepiece

from keras_albert.text.assets import read_file
from keras_albert.text.hugging_face_added import (
    further_sentencepieces,
    further_tokens,
    further_wordpieces,
    special_texts,
    tokens_of_added_json,
    tokens_of_config,
)
from keras_albert.text.hugging_face_json import AddedToken, added_tokens, read_json
from keras_albert.text.hugging_face_options import sentencepiece_options, wordpiece_options
from keras_albert.text.hugging_face_vocabularies import sentencepiece_proto, wordpiece_vocabulary
from keras_albert.text.piece_editing import edited_model
from keras_albert.text.sentencepiece_tokenizer import AlbertTokenizer
from keras_albert.text.wordpiece_tokenizer import AlbertWordPieceTokenizer, _read_pieces

__all__ = ["hugging_face_tokenizer"]

_SENTENCEPIECE, _WORDPIECE, _WHOLE = "spiece.model", "vocab.txt", "tokenizer.json"
_CONFIG, _ADDED, _NAMED = "tokenizer_config.json", "added_tokens.json", "special_tokens_map.json"


def hugging_face_tokenizer(folder: str | Path, **kwargs: Any) -> AlbertTokenizer | AlbertWordPieceTokenizer:
    """Build the tokenizer of a Hugging Face directory.

    The vocabulary is that of `spiece.model`, else of `vocab.txt`, else of `tokenizer.json`. Case and accents are those
    of `tokenizer_config.json`, else of the normalizer in `tokenizer.json`; without either, texts are lower-cased and
    lose their accents. All else is Google's, which differs from transformers: a number with a comma is split, for
    example, and `[MASK]` in a text is plain text unless `split_special_tokens` in `tokenizer_config.json` is false.

    Tokens that were added behind the vocabulary become its last pieces. No text gives the special ones of them; the
    others are found wherever they stand in SentencePiece, and at the beginning of a word in WordPiece.

    Args:
        folder: the directory.
        **kwargs: arguments of the tokenizer that replace what the directory says: `lowercase`, `strip_accents`,
            `special_tokens_in_strings`, `name`, …

    Raises:
        FileNotFoundError: the directory has none of the three files.
        ValueError: a file is damaged, describes another kind of tokenizer (such as BPE), lacks special tokens or ids,
            or has added tokens that don't fit; the message names the file.
    """
    folder = Path(folder)
    found = [folder / name for name in (_SENTENCEPIECE, _WORDPIECE, _WHOLE) if (folder / name).is_file()]
    if not found:
        raise FileNotFoundError(
            f"No tokenizer in {folder}: expected {_SENTENCEPIECE}, {_WORDPIECE} or {_WHOLE}. Copy the file of the "
            "checkpoint there, or build the tokenizer yourself."
        )
    path = found[0]
    whole, config, added, named = (_read_if_there(folder / name) for name in (_WHOLE, _CONFIG, _ADDED, _NAMED))
    tokens: list[AddedToken] = []
    with _naming(folder / _WHOLE):
        tokens += added_tokens(None if whole is None else whole.get("added_tokens"))
    with _naming(folder / _CONFIG):
        tokens += tokens_of_config(config or {})
    with _naming(folder / _ADDED):
        tokens += tokens_of_added_json(added or {}, special_texts(named or {}) | special_texts(config or {}))
    with _naming(path):
        build = _sentencepiece if _is_sentencepiece(path, whole) else _wordpiece
    return build(path, whole, config or {}, tokens, kwargs)


def _is_sentencepiece(path: Path, whole: dict[str, Any] | None) -> bool:
    if path.name != _WHOLE:
        return path.name == _SENTENCEPIECE
    model = (whole or {}).get("model")
    kind = model.get("type") if isinstance(model, dict) else model
    if kind not in ("Unigram", "WordPiece"):
        raise ValueError(f"Expected a model of the type Unigram or WordPiece, as ALBERT's. Received: {kind!r:.100}.")
    return kind == "Unigram"


def _sentencepiece(
    path: Path, whole: dict[str, Any] | None, config: dict[str, Any], tokens: list[AddedToken], kwargs: dict[str, Any]
) -> AlbertTokenizer:
    with _naming(path.with_name(_CONFIG if config else _WHOLE)):
        options = sentencepiece_options(config, whole)
    tokenizer = AlbertTokenizer(**{**options, **kwargs})
    with _naming(path):
        proto = sentencepiece_proto(whole or {}) if path.name == _WHOLE else read_file(path, "the SentencePiece model")
        pieces = _pieces(proto)
        further = further_tokens(pieces, tokens)
        if further:
            added = further_sentencepieces(further, tokenizer.lowercase, tokenizer.strip_accents)
            proto = edited_model(proto, range(len(pieces)), added)
        tokenizer._load_vocabulary(proto)
    return tokenizer


def _wordpiece(
    path: Path, whole: dict[str, Any] | None, config: dict[str, Any], tokens: list[AddedToken], kwargs: dict[str, Any]
) -> AlbertWordPieceTokenizer:
    with _naming(path.with_name(_CONFIG if config else _WHOLE)):
        options = wordpiece_options(config, whole)
    tokenizer = AlbertWordPieceTokenizer(**{**options, **kwargs})
    with _naming(path):
        pieces = wordpiece_vocabulary(whole or {}) if path.name == _WHOLE else _read_pieces(path)
        further = further_tokens(pieces, tokens)
        pieces += further_wordpieces(further, tokenizer.lowercase, tokenizer.strip_accents)
        tokenizer._load_vocabulary(pieces)
    return tokenizer


def _pieces(proto: bytes) -> list[str]:
    processor = sentencepiece.SentencePieceProcessor()
    try:
        processor.LoadFromSerializedProto(proto)
    except RuntimeError as error:
        raise ValueError(f"Expected a SentencePiece model. Received: {len(proto)} bytes ({error}).") from error
    return [processor.IdToPiece(id) for id in range(processor.vocab_size())]


def _read_if_there(path: Path) -> dict[str, Any] | None:
    if not path.is_file():
        return None
    with _naming(path):
        return read_json(path)


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Put the file and the way out into an error."""
    try:
        yield
    except ValueError as error:
        raise ValueError(
            f"Can't take a tokenizer from {path}. {error} Copy or download the checkpoint's files again; or build the "
            "tokenizer yourself and pass it, `AlbertTokenizer(proto)` or `AlbertWordPieceTokenizer(vocabulary)`."
        ) from error

"""Vocabularies out of Hugging Face's `tokenizer.json`: a SentencePiece model, or a list of WordPiece pieces.

The format is that of huggingface/tokenizers; the fields of the model are those of google/sentencepiece
`src/sentencepiece_model.proto`.
"""

import base64
import binascii
import functools
import itertools
from collections import Counter
from collections.abc import Sequence
from typing import Any

from keras_albert.text.hugging_face_json import added_tokens, is_id, steps
from keras_albert.text.hugging_face_numbers import SCORE_OF_THE_UNWANTED, ends_in_digit_and_comma
from keras_albert.text.hugging_face_wordpiece import CONTINUATION
from keras_albert.text.piece_editing import Piece, PieceKind, edited_model
from keras_albert.text.protobuf_fields import bytes_field, read_fields, varint_field
from keras_albert.text.vocabulary import train_vocabulary

__all__ = ["sentencepiece_proto", "wordpiece_vocabulary"]

# Fields of a ModelProto, of its TrainerSpec and of its NormalizerSpec.
_TRAINER_SPEC, _NORMALIZER_SPEC = 2, 3
_MODEL_TYPE, _VOCABULARY_SIZE, _UNKNOWN_ID, _BOS_ID, _EOS_ID, _PAD_ID = 3, 4, 40, 41, 42, 43
_CHARSMAP = 2
_UNIGRAM = 1
_PAD, _UNKNOWN, _UNKNOWN_WORD = "<pad>", "<unk>", "[UNK]"
_NEVER_IN_A_TEXT = (_PAD, "[CLS]", "[SEP]", "[MASK]")
_LARGEST_SCORE = 3e38  # of single precision

_COMPOSING = {"NFC", "NFKC", "Nmt"}
# Replacements and blanks at the ends are Google's to decide, not the file's; the others have their counterpart here.
_UNDERSTOOD = _COMPOSING | {
    "BertNormalizer", "Lowercase", "NFD", "NFKD", "Precompiled", "Prepend", "Replace", "Strip", "StripAccents",
}  # fmt: skip


def sentencepiece_proto(tokenizer_json: dict[str, Any]) -> bytes:
    """Return the SentencePiece model that a `tokenizer.json` describes.

    Pieces, scores, the map of characters (`Precompiled`) and the special tokens are the file's. A token that is in the
    vocabulary and added to it as well, without being special, is a user-defined symbol. Where the file asks for NFC,
    NFKC or `Nmt` and has no map, it is the one that SentencePiece gives to its models, `nmt_nfkc`. Replacements are
    left out, such as that of two apostrophes, which transformers makes before ALBERT and Google doesn't.

    Args:
        tokenizer_json: the content of the file.

    Raises:
        ValueError: it is not a Unigram model that writes blanks as U+2581, or something in it is damaged.
    """
    model = _model(tokenizer_json, "Unigram")
    if model.get("byte_fallback"):
        raise ValueError("Expected a model without byte pieces. Received: byte_fallback=True.")
    scored = _scored_pieces(model.get("vocab"))
    unknown_id: Any = model.get("unk_id")
    if not is_id(unknown_id) or unknown_id >= len(scored) or scored[unknown_id][0] != _UNKNOWN:
        raise ValueError(f"Expected the id of {_UNKNOWN!r} as the unknown one. Received: unk_id={unknown_id!r:.100}.")
    kinds = dict.fromkeys(_NEVER_IN_A_TEXT, PieceKind.CONTROL)
    for token in added_tokens(tokenizer_json.get("added_tokens")):
        kinds[token.text] = PieceKind.CONTROL if token.special else PieceKind.USER_DEFINED
    kinds[scored[unknown_id][0]] = PieceKind.UNKNOWN
    pieces = [Piece(text, score, kinds.get(text, PieceKind.NORMAL)) for text, score in scored]
    trainer = {
        _MODEL_TYPE: _UNIGRAM,
        _VOCABULARY_SIZE: len(pieces),
        _UNKNOWN_ID: unknown_id,
        _BOS_ID: -1,
        _EOS_ID: -1,
        _PAD_ID: next((id for id, piece in enumerate(pieces) if piece.text == _PAD), -1),
    }
    _check_blanks(tokenizer_json)
    return (
        edited_model(b"", (), pieces)
        + bytes_field(_TRAINER_SPEC, b"".join(itertools.starmap(varint_field, trainer.items())))
        + bytes_field(_NORMALIZER_SPEC, bytes_field(_CHARSMAP, _charsmap(tokenizer_json)))
    )


def wordpiece_vocabulary(tokenizer_json: dict[str, Any]) -> list[str]:
    """Return the pieces of the WordPiece model that a `tokenizer.json` describes, in the order of their ids.

    The longest word is Google's of 200 characters, whatever the file says.

    Args:
        tokenizer_json: the content of the file.

    Raises:
        ValueError: it is another kind of model, one whose pieces go on with a word otherwise than by `##`, or one with
            another unknown piece than `[UNK]`; or ids are missing or come twice.
    """
    model = _model(tokenizer_json, "WordPiece")
    for name, wanted in (("continuing_subword_prefix", CONTINUATION), ("unk_token", _UNKNOWN_WORD)):
        if model.get(name, wanted) != wanted:
            raise ValueError(f"Expected {name}={wanted!r}, as BERT's. Received: {model[name]!r:.100}.")
    vocabulary = model.get("vocab")
    if not isinstance(vocabulary, dict) or not vocabulary:
        raise ValueError(f"Expected an object of pieces and ids as 'vocab'. Received: {vocabulary!r:.100}.")
    wrong = {piece: id for piece, id in vocabulary.items() if not is_id(id)}
    if wrong:
        raise ValueError(f"Expected whole numbers as ids. Received: {dict(itertools.islice(wrong.items(), 3))!r:.200}.")
    _check_ids(list(vocabulary.values()))
    return sorted(vocabulary, key=vocabulary.__getitem__)


def _model(tokenizer_json: dict[str, Any], kind: str) -> dict[str, Any]:
    model = tokenizer_json.get("model")
    if not isinstance(model, dict) or model.get("type") != kind:
        received = model.get("type") if isinstance(model, dict) else model
        raise ValueError(f"Expected a model of the type {kind}. Received: {received!r:.100}.")
    return model


def _scored_pieces(vocabulary: Any) -> list[tuple[str, float]]:
    if not isinstance(vocabulary, list) or not vocabulary:
        raise ValueError(f"Expected a list of pieces and scores as 'vocab'. Received: {vocabulary!r:.100}.")
    scored = []
    for id, entry in enumerate(vocabulary):
        match entry:
            case [str(text), int() | float() as score] if text and abs(score) < _LARGEST_SCORE:
                pass
            case _:
                raise ValueError(f"Expected a piece and its score. Received: vocab[{id}]={entry!r:.100}.")
        if ends_in_digit_and_comma(text) and score < SCORE_OF_THE_UNWANTED / 2:
            score -= SCORE_OF_THE_UNWANTED
        scored.append((text, float(score)))
    repeated = [text for text, count in Counter(text for text, _ in scored).items() if count > 1]
    if repeated:
        raise ValueError(f"Expected each piece once, as its place is its id. Received: {repeated[:3]!r:.100} again.")
    return scored


def _check_ids(ids: Sequence[int]) -> None:
    twice = [id for id, count in Counter(ids).items() if count > 1]
    missing = sorted(set(range(len(ids))) - set(ids))
    if twice or missing:
        what = f"id {twice[0]} twice" if twice else f"no piece for id {missing[0]} and {len(missing) - 1} others"
        raise ValueError(f"Expected the ids 0 to {len(ids) - 1}, each once. Received: {what}.")


def _check_blanks(tokenizer_json: dict[str, Any]) -> None:
    pre_tokenizers = steps(tokenizer_json, "pre_tokenizer")
    if not any(step["type"] == "Metaspace" and step.get("replacement") == "▁" for step in pre_tokenizers):
        raise ValueError(
            "Expected a 'pre_tokenizer' that writes blanks as '▁' as SentencePiece does, a Metaspace. Received: "
            f"{[step['type'] for step in pre_tokenizers]!r:.200}."
        )


def _charsmap(tokenizer_json: dict[str, Any]) -> bytes:
    normalizers = steps(tokenizer_json, "normalizer")
    kinds = {step["type"] for step in normalizers}
    if kinds - _UNDERSTOOD:
        raise ValueError(f"Expected normalizers that ALBERT's has. Received: {sorted(kinds - _UNDERSTOOD)!r:.200}.")
    for step in normalizers:
        if step["type"] == "Precompiled":
            try:
                return base64.b64decode(step["precompiled_charsmap"], validate=True)
            except (KeyError, TypeError, binascii.Error) as error:
                raise ValueError(f"Expected a 'precompiled_charsmap' in base64. Received: {error!r:.100}.") from error
    return _usual_charsmap() if kinds & _COMPOSING else b""


@functools.cache
def _usual_charsmap() -> bytes:
    """Return SentencePiece's own map of characters, which it has inside and gives to each model that it trains."""
    proto = train_vocabulary(["a b"] * 9, vocabulary_size=16)
    spec = next(content for number, content in read_fields(proto) if number == _NORMALIZER_SPEC)
    return dict(read_fields(spec))[_CHARSMAP]

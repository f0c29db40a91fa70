"""The pieces of a SentencePiece model: read from its file, some left out, others added.

The file is a protocol buffer, `ModelProto` of google/sentencepiece src/sentencepiece_model.proto. It is edited field by
field: the module that sentencepiece brings for it wants a protobuf as new as the one it was made with.
"""

import struct
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

__all__ = ["Piece", "PieceKind", "edited_model", "is_unigram", "read_pieces"]

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5  # kinds of fields
# Fields of a ModelProto. Self-tests, which some versions write, hold encodings that a change of pieces makes wrong.
_PIECE, _TRAINER_SPEC, _SELF_TESTS = 1, 2, 4
_TEXT, _SCORE, _KIND = 1, 2, 3  # fields of a SentencePiece
_MODEL_TYPE, _VOCABULARY_SIZE = 3, 4  # fields of a TrainerSpec
_SPECIAL_IDS = (40, 41, 42, 43)  # its unk_id, bos_id, eos_id and pad_id; -1 is none
_UNIGRAM = 1


class PieceKind(IntEnum):
    """What a piece is for."""

    NORMAL = 1
    UNKNOWN = 2
    CONTROL = 3
    USER_DEFINED = 4
    UNUSED = 5
    BYTE = 6


@dataclass(frozen=True)
class Piece:
    """One piece of a model.

    Args:
        text: its characters, a blank written as U+2581.
        score: its log probability in a unigram model.
        kind: what it is for.
    """

    text: str
    score: float = 0.0
    kind: PieceKind = PieceKind.NORMAL


def read_pieces(proto: bytes) -> list[Piece]:
    """Return the pieces of a serialized model in the order of their ids."""
    return [_piece(content) for number, content, _ in _fields(proto) if number == _PIECE]


def is_unigram(proto: bytes) -> bool:
    """Tell whether a model chooses the most probable pieces, as ALBERT's do, rather than merging pairs (BPE)."""
    return _from_varint(dict(_trainer_spec(proto)).get(_MODEL_TYPE, _varint(_UNIGRAM))) == _UNIGRAM


def edited_model(proto: bytes, kept_ids: Collection[int], added: Sequence[Piece] = ()) -> bytes:
    """Return a model with some of the pieces, in their order, and others behind them; all else stays.

    Args:
        proto: a serialized model.
        kept_ids: ids of the pieces that stay.
        added: pieces to add.

    Example:
        >>> proto = keras_albert.train_vocabulary(["a cat sat on a mat", "the cat was here"] * 20, vocabulary_size=28)
        >>> edited = edited_model(proto, [0, 1, 2, 3, 4, 9], [Piece("dog")])
        >>> [piece.text for piece in read_pieces(edited)]
        ['<pad>', '<unk>', '[CLS]', '[SEP]', '[MASK]', '.', 'dog']
    """
    new_ids = {old_id: new_id for new_id, old_id in enumerate(sorted(kept_ids))}
    pieces, others = [], []
    for number, content, whole in _fields(proto):
        if number == _PIECE:
            pieces.append(whole)
        elif number == _TRAINER_SPEC:
            others.append(_bytes_field(number, _edited_trainer_spec(content, new_ids, len(new_ids) + len(added))))
        elif number != _SELF_TESTS:
            others.append(whole)
    return b"".join([*(pieces[id] for id in new_ids), *map(_encoded_piece, added), *others])


def _piece(message: bytes) -> Piece:
    fields = {number: content for number, content, _ in _fields(message)}
    score = struct.unpack("<f", fields[_SCORE])[0] if _SCORE in fields else 0.0
    kind = PieceKind(_from_varint(fields[_KIND])) if _KIND in fields else PieceKind.NORMAL
    return Piece(fields.get(_TEXT, b"").decode(), score, kind)


def _encoded_piece(piece: Piece) -> bytes:
    score = _key(_SCORE, _FIXED32) + struct.pack("<f", piece.score)
    kind = _key(_KIND, _VARINT) + _varint(piece.kind)
    return _bytes_field(_PIECE, _bytes_field(_TEXT, piece.text.encode()) + score + kind)


def _trainer_spec(proto: bytes) -> list[tuple[int, bytes]]:
    specs = [content for number, content, _ in _fields(proto) if number == _TRAINER_SPEC]
    return [(number, content) for spec in specs for number, content, _ in _fields(spec)]


def _edited_trainer_spec(message: bytes, new_ids: dict[int, int], vocabulary_size: int) -> bytes:
    edited = []
    for number, content, whole in _fields(message):
        if number == _VOCABULARY_SIZE:
            whole = _key(number, _VARINT) + _varint(vocabulary_size)
        elif number in _SPECIAL_IDS:
            whole = _key(number, _VARINT) + _varint(new_ids.get(_from_varint(content), -1))
        edited.append(whole)
    return b"".join(edited)


def _fields(message: bytes) -> Iterator[tuple[int, bytes, bytes]]:
    """Yield number, content and all bytes of each field."""
    at, end = 0, len(message)
    while at < end:
        begin = at
        at = _varint_end(message, at)
        key = _from_varint(message[begin:at])
        start, kind = at, key & 7
        if kind == _BYTES:
            start = _varint_end(message, at)
            at = start + _from_varint(message[at:start])
        elif kind == _VARINT:
            at = _varint_end(message, at)
        else:
            at += {_FIXED32: 4, _FIXED64: 8}[kind]
        yield key >> 3, message[start:at], message[begin:at]


def _varint_end(message: bytes, at: int) -> int:
    # Seven bits a byte, the lowest first; the eighth is set on all bytes but the last.
    while message[at] & 0x80:
        at += 1
    return at + 1


def _from_varint(content: bytes) -> int:
    return sum((byte & 0x7F) << (7 * position) for position, byte in enumerate(content))


def _varint(value: int) -> bytes:
    value &= 2**64 - 1  # a negative number in two's complement
    encoded = []
    while value > 0x7F:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*encoded, value])


def _key(number: int, kind: int) -> bytes:
    return _varint(number << 3 | kind)


def _bytes_field(number: int, content: bytes) -> bytes:
    return _key(number, _BYTES) + _varint(len(content)) + content

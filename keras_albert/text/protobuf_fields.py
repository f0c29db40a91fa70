"""Fields of a protocol buffer, read from a message and written for one.

The wire format is that of protobuf.dev/programming-guides/encoding. A field that comes twice counts as its last; two
messages in one field are one message with the fields of both.
"""

import struct
from collections.abc import Iterator

__all__ = ["bytes_field", "float_field", "read_fields", "to_number", "varint_field"]

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_FIXED_SIZES = {_FIXED64: 8, _FIXED32: 4}


def read_fields(message: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield number and content of each field; the content of a number is its bytes, for `to_number`.

    >>> list(read_fields(varint_field(4, 300) + bytes_field(1, b"ab")))
    [(4, b'\\xac\\x02'), (1, b'ab')]
    """
    at = 0
    while at < len(message):
        start = _varint_end(message, at)
        key = to_number(message[at:start])
        kind = key & 7
        if kind == _VARINT:
            at = _varint_end(message, start)
        elif kind == _BYTES:
            size_end = _varint_end(message, start)
            size = to_number(message[start:size_end])
            start, at = size_end, size_end + size
        else:
            at = start + _FIXED_SIZES[kind]
        yield key >> 3, message[start:at]


def to_number(content: bytes) -> int:
    """Return the whole number that the bytes of a field stand for; a negative one as its two's complement."""
    return sum((byte & 0x7F) << (7 * place) for place, byte in enumerate(content))


def varint_field(number: int, value: int) -> bytes:
    """Return a field that holds a whole number, which may be negative."""
    return _varint(number << 3 | _VARINT) + _varint(value)


def float_field(number: int, value: float) -> bytes:
    """Return a field that holds a floating-point number in single precision."""
    return _varint(number << 3 | _FIXED32) + struct.pack("<f", value)


def bytes_field(number: int, content: bytes) -> bytes:
    """Return a field that holds bytes, a text in UTF-8 or another message."""
    return _varint(number << 3 | _BYTES) + _varint(len(content)) + content


def _varint(value: int) -> bytes:
    # Seven bits a byte, the lowest first; the eighth is set on all bytes but the last.
    value &= 2**64 - 1
    encoded = []
    while value > 0x7F:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*encoded, value])


def _varint_end(message: bytes, at: int) -> int:
    while message[at] & 0x80:
        at += 1
    return at + 1

"""TensorFlow's `tf.train.Example` messages of integers and floats, read and written without TensorFlow.

An Example is a protocol buffer (tensorflow/core/example/example.proto and feature.proto): a map from names to lists of
numbers. Integers are varints: seven bits a byte, the lowest first, the eighth set on all bytes but the last.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

_INTEGERS, _FLOATS = 3, 2  # field numbers of the lists in a Feature
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5  # kinds of fields


def encode_examples(features: dict[str, np.ndarray]) -> list[bytes]:
    """Write rows of numbers as messages.

    Args:
        features: arrays (N, ...) of integers from 0 on, or of floats, which are written in single precision.

    Returns:
        N messages.

    Example:
        >>> messages = encode_examples({"ids": np.array([[3, 300]]), "weights": np.array([[1.0]])})
        >>> decoded = decode_examples(messages, ["ids", "weights"])
        >>> decoded["ids"][0].tolist(), decoded["weights"][0].tolist()
        ([3, 300], [1.0])
    """
    columns = []
    for name, array in features.items():
        rows = array.reshape(len(array), -1)
        is_float = np.issubdtype(array.dtype, np.floating)
        payloads = [row.tobytes() for row in rows.astype("<f4")] if is_float else _encode_varints(rows)
        columns.append((_field(1, name.encode()), _FLOATS if is_float else _INTEGERS, payloads))
    messages = []
    for row in range(len(next(iter(features.values())))):
        entries = [
            _field(1, key + _field(2, _field(kind, _field(1, payloads[row])))) for key, kind, payloads in columns
        ]
        messages.append(_field(1, b"".join(entries)))
    return messages


def decode_examples(messages: Sequence[bytes], names: Sequence[str]) -> dict[str, list[np.ndarray]]:
    """Read the numbers of some features.

    Args:
        messages: the messages.
        names: names of the features to read.

    Returns:
        For every name the values of each message, int64 or float32; a feature that a message lacks has none.

    Raises:
        ValueError: a message is not an Example; `args[1]` is its index.
    """
    integers: dict[str, list[bytes]] = {name: [] for name in names}
    floats: dict[str, list[bytes]] = {name: [] for name in names}
    for index, message in enumerate(messages):
        try:
            found = _payloads(message)
        except (IndexError, UnicodeDecodeError, ValueError) as error:
            raise ValueError("it is no tf.train.Example", index) from error
        for name in names:
            kind, payload = found.get(name, (_INTEGERS, b""))
            integers[name].append(payload if kind == _INTEGERS else b"")
            floats[name].append(payload if kind == _FLOATS else b"")
    return {
        name: [np.frombuffer(row, "<f4") for row in floats[name]]
        if any(floats[name])
        else _decode_varints(integers[name])
        for name in names
    }


def feature_names(message: bytes) -> list[str]:
    """Return the names of a message's features."""
    return sorted(_payloads(message))


def _payloads(message: bytes) -> dict[str, tuple[int, bytes]]:
    """Return the kind of list and the bytes of its numbers for each feature."""
    found: dict[str, tuple[int, bytes]] = {}
    for _, features in _fields(message, 1):
        for _, entry in _fields(features, 1):
            name, feature = "", b""
            for number, content in _fields(entry, 1, 2):
                name, feature = (content.decode(), feature) if number == 1 else (name, content)
            for kind, numbers in _fields(feature, _INTEGERS, _FLOATS):
                # Whether the numbers lie in one field or each in one of its own: their bytes are the same.
                found[name] = (kind, b"".join([content for _, content in _fields(numbers, 1)]))
    return found


def _fields(message: bytes, *wanted: int) -> list[tuple[int, bytes]]:
    found = []
    at, end = 0, len(message)
    while at < end:
        key, at = (message[at], at + 1) if message[at] < 0x80 else _read_varint(message, at)
        kind, start = key & 7, at
        if kind == _BYTES:
            length, start = (message[at], at + 1) if message[at] < 0x80 else _read_varint(message, at)
            at = start + length
        elif kind == _VARINT:
            _, at = _read_varint(message, at)
        elif kind in (_FIXED32, _FIXED64):
            at += 4 if kind == _FIXED32 else 8
        else:
            raise ValueError("unknown kind of field")
        if at > end:
            raise ValueError("field reaches beyond the message")
        if key >> 3 in wanted:
            found.append((key >> 3, message[start:at]))
    return found


def _read_varint(message: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def _field(number: int, content: bytes) -> bytes:
    length, prefix = len(content), bytes([number << 3 | _BYTES])
    while length > 0x7F:
        prefix += bytes([length & 0x7F | 0x80])
        length >>= 7
    return prefix + bytes([length]) + content


def _encode_varints(rows: np.ndarray) -> list[bytes]:
    values = rows.astype("uint64")
    sizes = np.ones(values.shape, "int64")
    for bits in range(7, 64, 7):
        sizes += values >= np.uint64(1 << bits)
    ends = np.cumsum(sizes.ravel())
    starts = (ends - sizes.ravel()).reshape(values.shape)
    encoded = np.zeros(int(ends[-1]) if len(ends) else 0, "uint8")
    for byte in range(int(sizes.max(initial=0))):
        has_byte, goes_on = sizes > byte, sizes > byte + 1
        seven_bits = (values >> np.uint64(7 * byte)) & np.uint64(0x7F)
        encoded[starts[has_byte] + byte] = (seven_bits + np.uint64(0x80) * goes_on)[has_byte]
    borders = np.concatenate([[0], np.cumsum(sizes.sum(axis=1))]).tolist()
    content = encoded.tobytes()
    return [content[start:end] for start, end in pairwise(borders)]


def _decode_varints(rows: list[bytes]) -> list[np.ndarray]:
    encoded = np.frombuffer(b"".join(rows), "uint8")
    lengths = np.cumsum([len(row) for row in rows])
    if not (encoded & 0x80).any():  # one byte each, as masks and segments are
        return np.split(encoded.astype("int64"), lengths[:-1])
    ends = np.flatnonzero(encoded < 0x80)
    starts = np.concatenate([[0], ends[:-1] + 1])[: len(ends)]
    sizes = ends - starts + 1
    values = np.zeros(len(ends), "int64")
    for byte in range(min(int(sizes.max(initial=0)), 10)):
        has_byte = sizes > byte
        values[has_byte] |= (encoded[starts[has_byte] + byte].astype("int64") & 0x7F) << (7 * byte)
    return np.split(values, np.searchsorted(ends, lengths)[:-1])

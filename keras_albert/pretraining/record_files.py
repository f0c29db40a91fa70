"""TensorFlow's record files (TFRecord), read and written without TensorFlow.

TensorFlow's own reader would load it beside JAX or PyTorch, and reads all that lies before a record; this one steps
over it. The layout (tensorflow/core/lib/io/record_writer.h): for each record its length as uint64, the masked CRC-32C
of that, the bytes, and their masked CRC-32C, all little-endian.
"""

import os
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import numpy as np

from keras_albert.presets.output_folder import writing

_HEADER = 12
_FOOTER = 4


def _crc_table() -> np.ndarray:
    table = np.arange(256, dtype="uint32")
    for _ in range(8):
        table = np.where(table & 1, (table >> 1) ^ np.uint32(0x82F63B78), table >> 1)
    return table


_TABLE = _crc_table()
_TABLE_LIST = _TABLE.tolist()


def masked_crcs(records: Sequence[bytes]) -> np.ndarray:
    """Return the masked CRC-32C of every record, uint32 (records,).

    The n-th byte of all records at once: Python has no CRC-32C of its own.

    Example:
        >>> masked_crcs([b"123456789"]).tolist() == [_mask(0xE3069283)]
        True
    """
    lengths = np.array([len(record) for record in records], "int64")
    order = np.argsort(-lengths, kind="stable")
    bytes_at = np.zeros((int(lengths.max(initial=0)), len(records)), "uint8")
    for column, row in enumerate(order.tolist()):
        bytes_at[: lengths[row], column] = np.frombuffer(records[row], "uint8")
    # How many records reach as far as each byte; these come first.
    reaching = len(records) - np.searchsorted(np.sort(lengths), np.arange(len(bytes_at)), side="right")
    crcs = np.full(len(records), 0xFFFFFFFF, "uint32")
    for column, count in enumerate(reaching.tolist()):
        crc = crcs[:count]
        crcs[:count] = _TABLE[(crc ^ bytes_at[column, :count]) & 0xFF] ^ (crc >> 8)
    result = np.empty_like(crcs)
    result[order] = ~crcs
    return ((result >> 15) | (result << 17)) + np.uint32(0xA282EAD8)


def _mask(crc: int) -> int:
    return (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF


def _masked_crc_of_length(length: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in length:
        crc = _TABLE_LIST[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return _mask(crc ^ 0xFFFFFFFF)


def write_records(path: str | Path, groups: Iterator[list[bytes]]) -> int:
    """Write a record file under a temporary name, then rename it.

    Args:
        path: the file; its folder must be there.
        groups: the records, some at a time.

    Returns:
        The number of records.

    Raises:
        OutputError: the file cannot be written.
    """
    path = Path(path)
    temporary = path.with_name(f".{path.name}-{os.getpid()}")
    written = 0
    with writing(path):
        try:
            with temporary.open("xb") as file:
                for records in groups:
                    for record, crc in zip(records, masked_crcs(records).tolist(), strict=True):
                        length = struct.pack("<Q", len(record))
                        file.write(length + struct.pack("<I", _masked_crc_of_length(length)))
                        file.write(record + struct.pack("<I", crc))
                    written += len(records)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    return written


def read_records(path: str | Path, group_size: int, first: int = 0) -> Iterator[list[bytes]]:
    """Read a record file from a record on, some records at a time, and check them.

    Args:
        path: the file.
        group_size: records in a group; the last one may have fewer.
        first: the number of the record to begin with, from 0.

    Yields:
        Lists of records.

    Raises:
        ValueError: the file is damaged, or no record file.
    """
    with Path(path).open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        number = _skip(file, path, size, first)
        while True:
            records: list[bytes] = []
            crcs: list[bytes] = []
            while len(records) < group_size:
                length = _length_of_next(file, path, size, number + len(records))
                if length is None:
                    break
                content = file.read(length + _FOOTER)
                records.append(content[:length])
                crcs.append(content[length:])
            wrong = np.flatnonzero(masked_crcs(records) != np.frombuffer(b"".join(crcs), "<u4"))
            if len(wrong):
                raise _damaged(path, number + int(wrong[0]), "its checksum is another one")
            if records:
                yield records
            if len(records) < group_size:
                return
            number += len(records)


def count_records(path: str | Path) -> int:
    """Return the number of records of a file, stepping over their contents.

    Raises:
        ValueError: the file is damaged, or no record file.
    """
    with Path(path).open("rb") as file:
        return _skip(file, path, os.fstat(file.fileno()).st_size, None)


def _skip(file: BinaryIO, path: str | Path, size: int, limit: int | None) -> int:
    """Step over records, all if there is no limit, and return how many these were."""
    number = 0
    while limit is None or number < limit:
        length = _length_of_next(file, path, size, number)
        if length is None:
            break
        file.seek(length + _FOOTER, os.SEEK_CUR)
        number += 1
    return number


def _length_of_next(file: BinaryIO, path: str | Path, size: int, number: int) -> int | None:
    header = file.read(_HEADER)
    if not header:
        return None
    if len(header) < _HEADER:
        raise _damaged(path, number, "the file ends inside of it")
    length, crc = struct.unpack("<QI", header)
    if crc != _masked_crc_of_length(header[:8]):
        reason = "its length has another checksum"
        raise _damaged(
            path, number, reason if number else f"{reason}; is this a TFRecord file, and not a compressed one?"
        )
    if length + _FOOTER > size - file.tell():
        raise _damaged(path, number, "the file ends inside of it")
    return int(length)


def _damaged(path: str | Path, number: int, reason: str) -> ValueError:
    return ValueError(
        f"Expected a TFRecord file that is whole. Received: {path}, damaged at record {number} (counted from 0): "
        f"{reason}. Make or copy the file anew."
    )

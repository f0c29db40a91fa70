"""Reading the JSON values of a file one by one, however they are joined."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_BLANK = re.compile(r"\s*")


def json_objects(path: Path) -> Iterator[tuple[int, Any]]:
    """Yield the JSON values of a file and their lines: one, one a line, or one right behind the other.

    RACE's own files end without a line end, so that `cat` joins them on one line.

    Args:
        path: the file; UTF-8, with or without a byte order mark.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: bytes that are not UTF-8, or not JSON; with the line.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp()) / "all.txt"
        >>> _ = path.write_text('{"a": 1}{"a": 2}\\n\\n{"a": 3}', encoding="utf-8")
        >>> list(json_objects(path))
        [(1, {'a': 1}), (1, {'a': 2}), (3, {'a': 3})]
    """
    if not path.is_file():
        raise FileNotFoundError(f"There is no file {path}. Check the path; relative ones start from {Path.cwd()}.")
    content = path.read_bytes()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ValueError(
            f"{path}, line {line}: expected UTF-8. Received: byte 0x{content[error.start]:02x}. Save the file as UTF-8."
        ) from error
    decoder = json.JSONDecoder()
    place, line = 0, 1
    while True:
        start = _end_of_blank(text, place)
        line += text.count("\n", place, start)
        if start == len(text):
            return
        try:
            value, place = decoder.raw_decode(text, start)
        except json.JSONDecodeError as error:
            raise ValueError(f"{path}, line {error.lineno}, column {error.colno}: not JSON ({error.msg}).") from error
        yield line, value
        line += text.count("\n", start, place)


def _end_of_blank(text: str, place: int) -> int:
    match = _BLANK.match(text, place)
    return place if match is None else match.end()

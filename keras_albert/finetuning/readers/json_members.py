"""Reading a JSON file whole, and saying where in it something is missing."""

import gzip
import json
import zlib
from pathlib import Path
from typing import Any

_NAMES = {dict: "an object", list: "a list", str: "text", int: "a whole number", bool: "true or false"}


def read_json(path: str | Path) -> Any:
    """Read a whole JSON file.

    Args:
        path: a `.json` file, possibly with `.gz` after that; UTF-8, with or without a byte order mark.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: another ending, a damaged archive, bytes that are not UTF-8, or not JSON; with line and column.
    """
    path = Path(path)
    if not path.name.lower().removesuffix(".gz").endswith(".json"):
        raise ValueError(f"Expected a file that ends in .json or .json.gz. Received: {path}")
    if not path.is_file():
        raise FileNotFoundError(f"There is no file {path}. Check the path; relative ones start from {Path.cwd()}.")
    try:
        content = gzip.decompress(path.read_bytes()) if path.name.lower().endswith(".gz") else path.read_bytes()
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ValueError(f"The file {path} is truncated or damaged ({error}): copy or download it again.") from error
    try:
        return json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ValueError(
            f"{path}, line {line}: expected UTF-8. Received: byte 0x{content[error.start]:02x}, "
            f"number {error.start} of the file. Save the file as UTF-8."
        ) from error
    except json.JSONDecodeError as error:
        raise ValueError(
            f"{path}, line {error.lineno}, column {error.colno}: expected JSON. Received: {error.msg}"
        ) from error


def member(owner: Any, name: str, kind: type, where: str) -> Any:
    """Return a member of a JSON object.

    Args:
        owner: the object.
        name: the member's name.
        kind: its type: dict, list, str, int or bool.
        where: the file and the place of the object in it, for messages.

    Raises:
        ValueError: `owner` is no object, has no such member, or one of another type.

    Example:
        >>> member({"context": 5}, "context", str, "dev.json: data[0].paragraphs[2]")
        Traceback (most recent call last):
            ...
        ValueError: dev.json: data[0].paragraphs[2]: expected 'context' to be text. Received: 5
    """
    if not isinstance(owner, dict):
        raise ValueError(f"{where}: expected an object with {name!r}. Received: {shown(owner)}")
    if name not in owner:
        there = ", ".join(map(repr, owner)) or "none"
        raise ValueError(f"{where}: expected a member {name!r} ({_NAMES[kind]}). Received: an object with {there}")
    value = owner[name]
    # JSON's true is an int in Python.
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise ValueError(f"{where}: expected {name!r} to be {_NAMES[kind]}. Received: {shown(value)}")
    return value


def shown(value: Any) -> str:
    """Return the beginning of a value as JSON, for messages."""
    return f"{json.dumps(value, ensure_ascii=False):.80}"

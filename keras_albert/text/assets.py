"""Reading and writing of a tokenizer's vocabulary file."""

import secrets
from pathlib import Path

__all__ = ["read_file", "write_file"]


def read_file(path: Path, wanted: str) -> bytes:
    """Return the content of a file.

    Args:
        path: the file.
        wanted: what the caller asks for, for the error.

    Raises:
        ValueError: there is no such file, or it can't be read.
    """
    try:
        return path.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        raise ValueError(
            f"Can't read {wanted}. Received: path={str(path)[:200]!r} ({error}). Check the path."
        ) from error


def write_file(path: Path, content: bytes) -> None:
    """Write a file whole or not at all: under a temporary name in its folder first, then renamed."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        temporary.write_bytes(content)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise

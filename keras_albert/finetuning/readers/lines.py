"""The lines of a text file, one by one: plain or compressed, UTF-8 with or without a byte order mark."""

import gzip
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

_BOM = b"\xef\xbb\xbf"


@contextmanager
def open_lines(path: Path) -> Iterator[Iterator[str]]:
    """Yield an iterator of the decoded lines, each with its line end.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: a compressed file that is damaged, or bytes that are not UTF-8; with the line.
    """
    check_file(path)
    try:
        with gzip.open(path) if path.name.lower().endswith(".gz") else path.open("rb") as file:
            yield _decoded(file, path)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ValueError(f"The file {path} is truncated or damaged ({error}): copy or download it again.") from error


def check_file(path: Path) -> None:
    """Raise a FileNotFoundError where there is no such file."""
    if not path.exists():
        raise FileNotFoundError(f"There is no file {path}. Check the path; relative ones start from {Path.cwd()}.")


def _decoded(lines: Iterable[bytes], path: Path) -> Iterator[str]:
    for number, line in enumerate(lines, start=1):
        content = line.removeprefix(_BOM) if number == 1 else line
        try:
            yield content.decode("utf-8")
        except UnicodeDecodeError as error:
            raise ValueError(
                f"{path}, line {number}: expected UTF-8. Received: byte 0x{content[error.start]:02x} at position "
                f"{error.start} of the line. Save the file as UTF-8."
            ) from error

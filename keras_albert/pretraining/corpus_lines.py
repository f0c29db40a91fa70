"""The lines of text files, plain or gzipped, in bounded memory; what is not UTF-8 is replaced and counted."""

import gzip
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

# A longer line is cut at a blank, so that a file without line breaks does not fill the memory.
MAX_LINE_BYTES = 2**20
_REPLACEMENT = "\ufffd"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_UTF8_MARK = b"\xef\xbb\xbf"


@dataclass
class ReadingCounts:
    """What was met while a corpus was read.

    Attributes:
        bytes_read: bytes of the files, compressed ones as they are on the disk.
        documents: documents, parts of a split one each for itself.
        characters: characters of them.
        replaced_characters: U+FFFD that took the place of what is not UTF-8.
        split_lines: how often a line of more than 1 MiB was cut.
        split_documents: how often a document was cut that has more characters than one may have.
        rows_without_text: rows of tables whose text is missing (null).
    """

    bytes_read: int = 0
    documents: int = 0
    characters: int = 0
    replaced_characters: int = 0
    split_lines: int = 0
    split_documents: int = 0
    rows_without_text: int = 0


@contextmanager
def opened(path: Path) -> Iterator[tuple[IO[bytes], Callable[[], int]]]:
    """Yield a file's content as bytes, unpacked where its name ends in `.gz`, and a function to its place on the disk.

    Raises:
        ValueError: a gzip file is damaged or cut off, or a text is UTF-16.
        OSError: the file can't be read.
    """
    with path.open("rb") as raw:
        if path.suffix.lower() != ".gz":
            _check_encoding(path, raw.read(2))
            raw.seek(0)
            yield raw, raw.tell
            return
        try:
            with gzip.GzipFile(fileobj=raw) as unpacked:
                yield unpacked, raw.tell
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise ValueError(f"{path} is damaged, or no gzip file ({error}). Copy or make it again.") from error


def whole_lines(file: IO[bytes], counts: ReadingCounts) -> Iterator[str]:
    """Yield every line as it is, without its line break; one line is held in memory."""
    for number, line in enumerate(file):
        yield _decode(line.removeprefix(_UTF8_MARK) if number == 0 else line, counts).rstrip("\r\n")


def bounded_lines(file: IO[bytes], counts: ReadingCounts) -> Iterator[str]:
    """Yield every line without white space around it; a line of more than 1 MiB comes in parts, none of them empty."""
    carried = b""
    is_rest_of_line = False
    is_first = True
    while read := file.readline(MAX_LINE_BYTES):
        line = carried + (read.removeprefix(_UTF8_MARK) if is_first else read)
        is_first = False
        is_cut = len(read) == MAX_LINE_BYTES and not read.endswith(b"\n")
        end = _place_to_cut(line) if is_cut else len(line)
        carried = line[end:]
        text = _decode(line[:end], counts).strip()
        if text or not (is_rest_of_line or is_cut):
            yield text
        counts.split_lines += is_cut
        is_rest_of_line = is_cut
    if carried:
        yield _decode(carried, counts).strip()


def _decode(line: bytes, counts: ReadingCounts) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        text = line.decode("utf-8", errors="replace")
        counts.replaced_characters += text.count(_REPLACEMENT) - line.count(_REPLACEMENT.encode())
        return text


def _place_to_cut(line: bytes) -> int:
    """Return where a part may end: after the last blank, else before the last, maybe incomplete character."""
    blank = line.rfind(b" ")
    if blank > 0:
        return blank + 1
    end = len(line) - 1
    while end > len(line) - 4 and line[end] & 0xC0 == 0x80:  # not the first byte of a character
        end -= 1
    return end


def _check_encoding(path: Path, start: bytes) -> None:
    if start in _UTF16_MARKS:
        raise ValueError(f"Expected a text in UTF-8. Received: {path} in UTF-16. Save it as UTF-8.")

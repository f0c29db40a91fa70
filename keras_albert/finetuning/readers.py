"""Reading labelled texts from tables: TSV as GLUE writes it, CSV, and JSON lines.

`_read_tsv` of google-research/albert classifier_utils.py: in TSV a quotation mark is an ordinary character.
"""

import csv
import gzip
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from keras_albert.finetuning.examples import Examples

_BOM = b"\xef\xbb\xbf"
_LONGEST_CELL = 2**31 - 1  # Python's csv module stops at 131,072 characters by default

# A line of a table: its number in the file, from 1, and the wanted cells.
Row = tuple[int, list[Any]]


def read_examples(
    path: str | Path, text: str = "text", text_pair: str | None = None, label: str | None = None
) -> Examples:
    """Read texts, and pairs and labels where their columns are named, from a table.

    Args:
        path: a `.tsv` (GLUE's: a header, tabs, quotation marks as they are), `.csv` (a header, commas, ordinary
            quoting) or `.jsonl` file (an object a line), possibly with `.gz` after that; UTF-8.
        text: the column of the texts.
        text_pair: the column of the second texts.
        label: the column of the labels: names or whole numbers.

    Returns:
        The examples, in the order of the file; lines with nothing on them are left out.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: another ending, no such column, a row with another number of cells than the header, a text that is
            missing, an empty label, no row at all, or bytes that are not UTF-8; with the file and the line.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp()) / "tiny.csv"
        >>> _ = path.write_text('remark,mark\\n"good, and cheap",1\\n', encoding="utf-8")
        >>> read_examples(path, text="remark", label="mark").texts
        ['good, and cheap']
    """
    path = Path(path)
    wanted = [column for column in (text, text_pair, label) if column is not None]
    rows_of = _format_of(path)
    texts: list[str] = []
    pairs: list[str] = []
    labels: list[str] = []
    with _lines(path) as lines:
        for number, cells in rows_of(lines, path, wanted):
            values = dict(zip(wanted, cells, strict=True))
            texts.append(_text(values[text], path, number, text))
            if text_pair is not None:
                pairs.append(_text(values[text_pair], path, number, text_pair))
            if label is not None:
                labels.append(_label(values[label], path, number, label))
    if not texts:
        raise ValueError(f"Expected rows of text in {path}. Received: a file without any")
    return Examples(texts, None if text_pair is None else pairs, None if label is None else labels, str(path))


def _format_of(path: Path) -> Callable[[Iterable[str], Path, Sequence[str]], Iterator[Row]]:
    formats = {".tsv": _tsv_rows, ".csv": _csv_rows, ".jsonl": _json_rows}
    name = path.name.lower().removesuffix(".gz")
    ending = Path(name).suffix
    if ending not in formats:
        raise ValueError(
            f"Expected a file that ends in {', '.join(formats)}, or in one of these and .gz. Received: {path}"
        )
    return formats[ending]


@contextmanager
def _lines(path: Path) -> Iterator[Iterator[str]]:
    """Yield the decoded lines of a file, read one by one."""
    if not path.exists():
        raise FileNotFoundError(f"There is no file {path}. Check the path; relative ones start from {Path.cwd()}.")
    try:
        with gzip.open(path) if path.name.lower().endswith(".gz") else path.open("rb") as file:
            yield _decoded(file, path)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ValueError(f"The file {path} is truncated or damaged ({error}): copy or download it again.") from error


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


def _tsv_rows(lines: Iterable[str], path: Path, wanted: Sequence[str]) -> Iterator[Row]:
    cells = ((number, line.rstrip("\r\n").split("\t")) for number, line in enumerate(lines, start=1))
    return _cells_by_name(((number, row) for number, row in cells if row != [""]), path, wanted)


def _csv_rows(lines: Iterable[str], path: Path, wanted: Sequence[str]) -> Iterator[Row]:
    reader = csv.reader(lines, strict=True)
    limit = csv.field_size_limit(_LONGEST_CELL)
    try:
        yield from _cells_by_name(((reader.line_num, row) for row in reader if row), path, wanted)
    except csv.Error as error:
        raise ValueError(f"{path}, line {reader.line_num}: not a row of CSV ({error}).") from error
    finally:
        csv.field_size_limit(limit)


def _cells_by_name(rows: Iterator[tuple[int, list[str]]], path: Path, wanted: Sequence[str]) -> Iterator[Row]:
    _, header = next(rows, (0, None))
    if header is None:
        raise ValueError(f"Expected a header and rows in {path}. Received: an empty file")
    columns = [name.strip() for name in header]
    for name in wanted:
        if columns.count(name) != 1:
            raise _no_column(name, columns, path, 1)
    places = [columns.index(name) for name in wanted]
    for number, row in rows:
        if len(row) != len(columns):
            raise ValueError(
                f"{path}, line {number}: expected {len(columns)} cells ({', '.join(columns)}). Received: {len(row)}"
            )
        yield number, [row[place] for place in places]


def _json_rows(lines: Iterable[str], path: Path, wanted: Sequence[str]) -> Iterator[Row]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise ValueError(f"{path}, line {number}: not JSON ({error}).") from error
        if not isinstance(row, dict):
            raise ValueError(f"{path}, line {number}: expected an object. Received: {line.strip():.80}")
        for name in wanted:
            if name not in row:
                raise _no_column(name, list(row), path, number)
        yield number, [row[name] for name in wanted]


def _no_column(name: str, columns: Sequence[str], path: Path, number: int) -> ValueError:
    there = ", ".join(columns)
    problem = "several columns are" if name in columns else "no column is"
    return ValueError(f"{path}, line {number}: {problem} named {name!r}. The columns are: {there}.")


def _text(value: Any, path: Path, number: int, column: str) -> str:
    if not isinstance(value, str):
        raise ValueError(
            f"{path}, line {number}: expected text in {column!r}. Received: {json.dumps(value):.80}. "
            "Drop the row, or put an empty string there."
        )
    return value


def _label(value: Any, path: Path, number: int, column: str) -> str:
    name = value if isinstance(value, str) else json.dumps(value) if isinstance(value, int) else ""
    if not name.strip():
        raise ValueError(
            f"{path}, line {number}: expected a name or a whole number in {column!r}. "
            f"Received: {json.dumps(value, ensure_ascii=False):.80}"
        )
    return name.strip()

"""The named columns of a table, row by row: TSV as GLUE writes it, CSV, JSON lines and Parquet.

`_read_tsv` of google-research/albert classifier_utils.py: in TSV a quotation mark is an ordinary character.
"""

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from keras_albert.finetuning.readers.lines import open_lines
from keras_albert.finetuning.readers.parquet import parquet_columns, parquet_rows

_LONGEST_CELL = 2**31 - 1  # Python's csv module stops at 131,072 characters by default
# CLUE's files of JSON lines end in .json.
FORMATS = {".tsv": "tsv", ".csv": "csv", ".jsonl": "jsonl", ".json": "jsonl", ".parquet": "parquet"}


class Row(NamedTuple):
    """A row of a table.

    Attributes:
        place: where it stands in the file, such as "line 3".
        cells: its cells by column, of the columns that were asked for; None for a row with too few cells.
    """

    place: str
    cells: dict[str, Any] | None


@dataclass(frozen=True)
class Columns:
    """What to read of a table.

    Args:
        required: the columns that must be there.
        optional: columns that are read where they are there.
        header: the names of the columns of a TSV file without a header; None where its first line has them.
        ragged: whether a TSV row may have more cells than the header, and one with fewer comes without cells instead
            of as an error.
    """

    required: Sequence[str]
    optional: Sequence[str] = ()
    header: Sequence[str] | None = None
    ragged: bool = False

    def found(self, there: Sequence[str], path: Path, place: str) -> list[str]:
        """Return the columns to read among those that are there; a ValueError where a required one is not."""
        for name in self.required:
            if there.count(name) != 1:
                problem = "several columns are" if name in there else "no column is"
                raise ValueError(f"{path}, {place}: {problem} named {name!r}. The columns are: {', '.join(there)}.")
        return [*self.required, *(name for name in self.optional if name in there)]


def table_format(path: Path) -> str:
    """Return "tsv", "csv", "jsonl" or "parquet" by a file's ending, before any `.gz`; a ValueError for others."""
    name = path.name.lower()
    kind = FORMATS.get(Path(name.removesuffix(".gz")).suffix)
    if kind is None or (kind == "parquet" and name.endswith(".gz")):
        endings = [ending for ending, other in FORMATS.items() if other != "parquet"]
        raise ValueError(
            f"Expected a file that ends in {', '.join(endings)}, one of these and .gz, or .parquet. Received: {path}"
        )
    return kind


def table_rows(path: Path, columns: Columns, kind: str | None = None) -> Iterator[Row]:
    """Yield the rows of a table, one at a time; lines with nothing on them are left out.

    Args:
        path: the file.
        columns: what to read.
        kind: "tsv", "csv", "jsonl" or "parquet"; None goes by the ending.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: another ending, no such column, a row with another number of cells than the header, or content that
            is not of the format; with the file and the line.
    """
    kind = kind or table_format(path)
    if kind == "parquet":
        names = columns.found(parquet_columns(path), path, "schema")
        yield from (Row(f"row {number}", row) for number, row in parquet_rows(path, names))
        return
    with open_lines(path) as lines:
        yield from {"tsv": _tsv_rows, "csv": _csv_rows, "jsonl": _json_rows}[kind](lines, path, columns)


def _tsv_rows(lines: Iterable[str], path: Path, columns: Columns) -> Iterator[Row]:
    cells = ((number, line.rstrip("\r\n").split("\t")) for number, line in enumerate(lines, start=1))
    yield from _cells_by_name(((number, row) for number, row in cells if row != [""]), path, columns)


def _csv_rows(lines: Iterable[str], path: Path, columns: Columns) -> Iterator[Row]:
    reader = csv.reader(lines, strict=True)
    limit = csv.field_size_limit(_LONGEST_CELL)
    try:
        yield from _cells_by_name(((reader.line_num, row) for row in reader if row), path, columns)
    except csv.Error as error:
        raise ValueError(f"{path}, line {reader.line_num}: not a row of CSV ({error}).") from error
    finally:
        csv.field_size_limit(limit)


def _cells_by_name(rows: Iterator[tuple[int, list[str]]], path: Path, columns: Columns) -> Iterator[Row]:
    header = columns.header
    if header is None:
        _, header = next(rows, (0, None))
    if header is None:
        raise ValueError(f"Expected a header and rows in {path}. Received: an empty file")
    there = [name.strip() for name in header]
    places = {name: there.index(name) for name in columns.found(there, path, "line 1")}
    for number, row in rows:
        if columns.ragged and len(row) < len(there):
            yield Row(f"line {number}", None)
            continue
        if len(row) != len(there) and not columns.ragged:
            raise ValueError(
                f"{path}, line {number}: expected {len(there)} cells ({', '.join(there)}). Received: {len(row)}"
            )
        yield Row(f"line {number}", {name: row[place] for name, place in places.items()})


def _json_rows(lines: Iterable[str], path: Path, columns: Columns) -> Iterator[Row]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise ValueError(f"{path}, line {number}: not JSON ({error}). Each line holds one object.") from error
        if not isinstance(row, dict):
            raise ValueError(f"{path}, line {number}: expected an object. Received: {line.strip():.80}")
        yield Row(f"line {number}", {name: row[name] for name in columns.found(list(row), path, f"line {number}")})

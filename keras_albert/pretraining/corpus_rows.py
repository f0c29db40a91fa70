"""The texts of tables, one document a row: JSON lines and Parquet, in memory bounded by a row or a batch of rows."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from keras_albert.pretraining.corpus_lines import ReadingCounts, whole_lines

_BATCH_ROWS = 64


def json_texts(path: Path, file: IO[bytes], column: str, counts: ReadingCounts) -> Iterator[str]:
    """Yield the text of each line of a file of JSON objects; blank lines and null texts are left out.

    Raises:
        ValueError: a line is no JSON object, or has no such member, or one that is no text.
    """
    for number, line in enumerate(whole_lines(file, counts), start=1):
        if not line.strip():
            continue
        place = f"{path}, line {number}"
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{place}: expected a JSON object. Received: {line[:60]!r} ({error}).") from error
        if not isinstance(row, dict):
            raise ValueError(f"{place}: expected a JSON object. Received: {line[:60]!r}.")
        if column not in row:
            raise _no_column(place, column, list(row))
        if (text := _text(row[column], place, column, counts)) is not None:
            yield text


def parquet_texts(path: Path, column: str, counts: ReadingCounts) -> Iterator[tuple[str, float]]:
    """Yield the text of each row of a Parquet file, and the share of the rows that are read; null texts are left out.

    Raises:
        ImportError: pyarrow is not installed.
        ValueError: it is no Parquet file, or has no such column, or one that is no text.
    """
    try:
        import pyarrow as arrow
        import pyarrow.parquet
    except ImportError as error:
        raise ImportError(
            f"Reading {path} needs pyarrow: install it with `pip install keras-albert[parquet]`, or save the table as "
            ".jsonl."
        ) from error
    try:
        with arrow.parquet.ParquetFile(path, memory_map=True) as file:
            names = file.schema_arrow.names
            if column not in names:
                raise _no_column(str(path), column, names)
            rows, number = file.metadata.num_rows, 0
            for batch in file.iter_batches(_BATCH_ROWS, columns=[column], use_threads=False):
                for value in batch.column(0).to_pylist():
                    number += 1
                    text = _text(value, f"{path}, row {number}", column, counts)
                    if text is not None:
                        yield text, number / rows
    except arrow.ArrowInvalid as error:
        raise ValueError(f"{path}: not a Parquet file, or damaged ({error}). Copy or make it again.") from error


def _text(value: Any, place: str, column: str, counts: ReadingCounts) -> str | None:
    if value is None:
        counts.rows_without_text += 1
    elif not isinstance(value, str):
        raise ValueError(
            f"{place}: expected a text in {column!r}. Received: {value!r:.60}. Name the column of texts (`--text`; "
            "`text=` in Python)."
        )
    return value


def _no_column(place: str, column: str, names: list[str]) -> ValueError:
    return ValueError(
        f"{place}: expected a column {column!r}. Received: {', '.join(map(repr, names[:20])) or 'none'}. Name the "
        "column of texts (`--text`; `text=` in Python)."
    )

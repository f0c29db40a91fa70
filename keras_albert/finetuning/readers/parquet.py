"""The rows of a Parquet file, a batch at a time. It needs pyarrow, which the extra "parquet" brings."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from keras_albert.finetuning.readers.lines import check_file

_BATCH_ROWS = 1024


def parquet_columns(path: Path) -> list[str]:
    """Return the names of the columns.

    Raises:
        ImportError: pyarrow is not installed.
        FileNotFoundError: there is no such file.
        ValueError: it is no Parquet file.
    """
    with _opened(path) as file:
        return list(file.schema_arrow.names)


def parquet_rows(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the number of each row, from 1, and its cells; errors as of `parquet_columns`."""
    number = 0
    with _opened(path) as file:
        for batch in file.iter_batches(_BATCH_ROWS, columns=list(columns)):
            for row in batch.to_pylist():
                number += 1
                yield number, row


def _opened(path: Path) -> Any:
    try:
        import pyarrow as arrow
        import pyarrow.parquet
    except ImportError as error:
        raise ImportError(
            f"Reading {path} needs pyarrow: install it with `pip install keras-albert[parquet]`, or save the table as "
            ".tsv, .csv or .jsonl."
        ) from error
    check_file(path)
    try:
        return arrow.parquet.ParquetFile(path)
    except arrow.ArrowInvalid as error:
        raise ValueError(f"{path}: not a Parquet file ({error}).") from error

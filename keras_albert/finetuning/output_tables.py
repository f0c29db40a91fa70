"""Tables of rows, labels and predictions, as text: TSV, CSV and JSON lines, which `read_examples` reads again."""

import csv
import io
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from keras_albert.presets.output_folder import write_file, writing

ENDINGS = (".tsv", ".csv", ".jsonl")


def check_ending(path: str | Path, endings: Sequence[str] = ENDINGS) -> str:
    """Return a table's ending, before anything is computed for it; a ValueError for one that can't be written."""
    ending = Path(path).suffix.lower()
    if ending not in endings:
        raise ValueError(f"Expected a file that ends in {', '.join(endings)}. Received: {path}")
    return ending


def table_text(columns: Mapping[str, Sequence[Any]], ending: str = ".tsv", has_header: bool = True) -> str:
    """Return columns of one length as a table.

    Args:
        columns: the columns by name: texts, numbers, lists, or None for nothing.
        ending: `.tsv` (tabs and line ends inside of a text become blanks), `.csv` or `.jsonl`.
        has_header: whether the names stand in the first line.

    Raises:
        ValueError: another ending.

    Example:
        >>> table_text({"text": ["so\\tso"], "prediction": ["yes"], "probability": [0.75]})
        'text\\tprediction\\tprobability\\nso so\\tyes\\t0.750000\\n'
    """
    check_ending(f"table{ending}")
    rows = list(zip(*columns.values(), strict=True))
    if ending == ".jsonl":
        objects = (dict(zip(columns, map(_plain, row), strict=True)) for row in rows)
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in objects)
    cells = [[_cell(value) for value in row] for row in rows]
    lines = [list(columns), *cells] if has_header else cells
    if ending == ".tsv":
        return "".join("\t".join(" ".join(cell.split()) for cell in line) + "\n" for line in lines)
    content = io.StringIO()
    csv.writer(content, lineterminator="\n").writerows(lines)
    return content.getvalue()


def write_table(path: str | Path, columns: Mapping[str, Sequence[Any]]) -> None:
    """Write a table in the format of its ending; it appears when it is whole.

    Raises:
        ValueError: an ending that is no table's.
        OutputError: the file cannot be written.
    """
    write_file(path, table_text(columns, check_ending(path)))


def write_table_in_parts(path: str | Path, parts: Iterable[Mapping[str, Sequence[Any]]]) -> int:
    """Write a table whose rows come part by part, so that it need not fit into memory; return the number of rows.

    Raises:
        ValueError: an ending that is no table's.
        OutputError: the file cannot be written.
    """
    path, rows = Path(path), 0
    ending = check_ending(path)
    temporary = path.with_name(f".{path.name}-{os.getpid()}")
    with writing(path):
        try:
            with temporary.open("x", encoding="utf-8", errors="replace", newline="") as file:
                for number, columns in enumerate(parts):
                    file.write(table_text(columns, ending, has_header=number == 0))
                    rows += len(next(iter(columns.values())))
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    return rows


def worst_rows(columns: Mapping[str, Sequence[Any]], errors: np.ndarray, most: int) -> dict[str, list[Any]]:
    """Return the rows whose answers are most wrong, worst first, with the column `error`.

    Args:
        columns: the table of all N rows.
        errors: float (N,), 0 where the answer is right.
        most: how many rows at most.
    """
    order = [row for row in np.argsort(-errors, kind="stable")[:most].tolist() if errors[row] > 0]
    return {
        "error": [float(errors[row]) for row in order],
        **{name: [column[row] for row in order] for name, column in columns.items()},
    }


def markdown_table(columns: Mapping[str, Sequence[Any]], longest: int = 120) -> str:
    """Return columns as a table of Markdown, with cells cut after `longest` characters."""

    def shown(value: Any) -> str:
        text = " ".join(_cell(value, digits=4).split())
        text = text if len(text) <= longest else f"{text[: longest - 1]}…"
        return text.replace("|", "\\|").replace("<", "&lt;")

    lines = [list(columns), ["---"] * len(columns)]
    lines += [[shown(value) for value in row] for row in zip(*columns.values(), strict=True)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _cell(value: Any, digits: int = 6) -> str:
    value = _plain(value)
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.{digits}f}"
    if isinstance(value, (list, tuple)):
        return "; ".join(_cell(part, digits) for part in value)
    return str(value)

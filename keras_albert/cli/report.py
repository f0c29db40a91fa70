"""Tables and JSON on the standard output, progress on the standard error."""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

_UNWRAPPED = 10_000  # characters: a file or another program gets every line whole


def print_table(columns: Sequence[str], rows: Sequence[Sequence[Any]], numeric: Sequence[str] = ()) -> None:
    """Print a table.

    Args:
        columns: the heading of each column.
        rows: the cells.
        numeric: the columns that are aligned at the right.
    """
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, justify="right" if column in numeric else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(str(cell)) for cell in row))
    _console().print(table)


def print_facts(facts: Mapping[str, Any]) -> None:
    """Print names and values, one pair a line."""
    width = max(map(len, facts))
    for name, value in facts.items():
        print(f"{name:<{width}}  {value}".rstrip())


def capitalized(text: str) -> str:
    """Return a text whose first letter is large; the others stay as they are."""
    return text[:1].upper() + text[1:]


def print_json(content: Any) -> None:
    """Print a value as indented JSON."""
    print(json.dumps(content, indent=2, ensure_ascii=False))


@contextmanager
def progress_on_stderr() -> Iterator[int]:
    """Send Keras's progress to the standard error; yield its `verbose`: a bar on a terminal, else a line an epoch."""
    with redirect_stdout(sys.stderr):
        yield 1 if sys.stderr.isatty() else 2


def _console() -> Console:
    console = Console(highlight=False, soft_wrap=False)
    return console if console.is_terminal else Console(highlight=False, width=_UNWRAPPED)

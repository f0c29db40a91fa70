"""From the cells of a table to texts and labels: names of classes, lists of names, numbers."""

import json
import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Literal

# What a cell of labels holds: the name of a class, several of them, or a score.
LabelType = Literal["name", "names", "number"]


@dataclass(frozen=True)
class LabelFormat:
    """How labels are written.

    Args:
        type: "name" is a class, by name or whole number; "names" any number of them, as a list in JSON or Parquet, and
            elsewhere with separators or as a JSON list; "number" a score.
        separator: what stands between several names in one cell.
        class_names: the classes that there are; None takes every name.
    """

    type: LabelType = "name"
    separator: str = "|"
    class_names: Collection[str] | None = None

    def read(self, value: Any, where: str, column: str) -> Any:
        """Return the label that a cell holds: a name, a list of names, or a float.

        Args:
            value: the cell.
            where: the file and the line, for messages.
            column: its column, for messages.

        Raises:
            ValueError: the cell holds something else, or a name that is no class.

        Example:
            >>> LabelFormat("names").read("new|dear", "a.tsv, line 2", "tags")
            ['new', 'dear']
            >>> LabelFormat("number").read("4.75", "a.tsv, line 2", "score")
            4.75
        """
        if self.type == "number":
            return _number(value, where, column)
        if self.type == "names":
            return list(dict.fromkeys(self._name(name, where, column) for name in self._split(value, where, column)))
        return self._name(value, where, column)

    def _name(self, value: Any, where: str, column: str) -> str:
        # A float is no name: a table's tool made it of a whole number beside an empty cell.
        name = value.strip() if isinstance(value, str) else json.dumps(value) if isinstance(value, int) else ""
        if not name:
            raise ValueError(
                f"{where}: expected a name or a whole number in column {column!r}. Received: {shown(value)}"
            )
        if self.class_names is not None and name not in self.class_names:
            raise ValueError(
                f"{where}: expected a label among {list(self.class_names)} in column {column!r}. Received: {name!r}"
            )
        return name

    def _split(self, value: Any, where: str, column: str) -> list[Any]:
        if isinstance(value, list):
            return value
        if not isinstance(value, str):
            raise ValueError(f"{where}: expected a list of names in column {column!r}. Received: {shown(value)}")
        if value.lstrip().startswith("["):
            try:
                return json.loads(value)
            except json.JSONDecodeError as error:
                raise ValueError(
                    f"{where}: expected a JSON list in column {column!r}. Received: {value:.80}"
                ) from error
        return [name for name in value.split(self.separator) if name.strip()]


def text_of(value: Any, where: str, column: str) -> str:
    """Return a cell that holds text; a ValueError for one that holds something else."""
    if not isinstance(value, str):
        raise ValueError(
            f"{where}: expected text in column {column!r}. Received: {shown(value)}. Drop the row, or put an empty "
            "string there."
        )
    return value


def shown(value: Any) -> str:
    """Return the beginning of a cell as JSON, for messages."""
    return f"{json.dumps(value, ensure_ascii=False, default=str):.80}"


def _number(value: Any, where: str, column: str) -> float:
    try:
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"{where}: expected a number in column {column!r}. Received: {shown(value)}")
    return number

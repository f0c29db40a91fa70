"""Which columns of a table hold an example's texts, label and name, and how to read them."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from keras_albert.finetuning.readers.cells import LabelFormat, shown, text_of
from keras_albert.finetuning.readers.columns import Row
from keras_albert.finetuning.readers.streams import Example


@dataclass(frozen=True)
class ExampleColumns:
    """The columns of an example; None for those that a table lacks.

    Args:
        text: the column of the texts.
        text_pair: the column of the second texts.
        label: the column of the labels.
        id: the column of the rows' names.
        labels: how the labels are written.
    """

    text: str
    text_pair: str | None = None
    label: str | None = None
    id: str | None = None
    labels: LabelFormat = field(default_factory=LabelFormat)

    @property
    def names(self) -> list[str]:
        """The columns that there are."""
        return [name for name in (self.text, self.text_pair, self.label, self.id) if name is not None]

    def read(self, row: Row, path: Path) -> Example:
        """Return the example that a row holds; label and id are None where the row has no such column.

        Raises:
            ValueError: a text that is missing, or a label or an id that is none.
        """
        cells, where = row.cells or {}, f"{path}, {row.place}"
        return Example(
            text_of(cells[self.text], where, self.text),
            None if self.text_pair is None else text_of(cells[self.text_pair], where, self.text_pair),
            None if self.label not in cells else self.labels.read(cells[self.label], where, self.label),
            None if self.id not in cells else _id(cells[self.id], where, self.id),
        )


def _id(value: Any, where: str, column: str) -> str:
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise ValueError(f"{where}: expected a name or a whole number in column {column!r}. Received: {shown(value)}")
    return str(value)

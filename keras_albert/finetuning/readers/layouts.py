"""How an official data set of texts lies in its files, and reading one of them."""

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from keras_albert.finetuning.readers.cells import LabelFormat
from keras_albert.finetuning.readers.columns import Columns, Row, table_rows
from keras_albert.finetuning.readers.example_columns import ExampleColumns
from keras_albert.finetuning.readers.examples import Examples
from keras_albert.finetuning.readers.lines import open_lines
from keras_albert.finetuning.readers.streams import Example, collect

# What stands in the place of a label on which the annotators did not agree.
_NO_GOLD = "-"


@dataclass(frozen=True)
class Layout:
    """The files of a data set.

    Args:
        kind: "tsv" or "jsonl", whatever the files' names end in.
        text: the column of the texts.
        label: the column of the labels; None where no file has labels.
        text_pair: the column of the second texts; None for single texts.
        id: the column of the rows' names, which training files often lack.
        class_names: the classes in the order of their numbers; None for scores.
        headerless: the columns of files without a header; None where all have one.
        ragged: whether rows with missing cells are left out, and cells that are too many are ignored.
        partly_gold: whether rows labelled "-" are left out.
    """

    kind: str
    text: str
    label: str | None
    text_pair: str | None = None
    id: str = "index"
    class_names: tuple[str, ...] | None = None
    headerless: Sequence[str] | None = None
    ragged: bool = False
    partly_gold: bool = False

    def read(self, path: str | Path, labelled: bool = True, max_rows: int | None = None, seed: int = 0) -> Examples:
        """Read one file.

        Args:
            path: the file, possibly compressed (`.gz`).
            labelled: whether it must have labels; otherwise they are read where they are there.
            max_rows: how many rows to keep at most, drawn at random while reading; None for all.
            seed: the same seed draws the same rows.

        Raises:
            FileNotFoundError: there is no such file.
            ValueError: the file is not in this layout, or a label is no class; with file, line and column.

        Warns:
            UserWarning: rows were left out, with their number.
        """
        return collect(self.stream(Path(path), labelled), str(path), max_rows, seed)

    def stream(self, path: Path, labelled: bool = True) -> Iterator[Example]:
        """Yield the examples of one file, one at a time; errors and warnings as of `read`."""
        labels = LabelFormat("number" if self.class_names is None else "name", class_names=self.class_names)
        example = ExampleColumns(self.text, self.text_pair, self.label, self.id, labels)
        short = without_gold = 0
        for row in table_rows(path, self._columns(path, labelled), self.kind):
            if row.cells is None:
                short += 1
            elif self._has_no_gold(row):
                without_gold += 1
            else:
                yield example.read(row, path)
        _warn(short, "rows with missing cells", path)
        _warn(without_gold, f"rows without a gold label ({_NO_GOLD!r})", path)

    def _columns(self, path: Path, labelled: bool) -> Columns:
        texts = [name for name in (self.text, self.text_pair) if name is not None]
        label = [] if self.label is None else [self.label]
        header = self.headerless if self.headerless is not None and not self._has_header(path) else None
        if labelled and not label:
            raise ValueError(f"Expected labels in {path}, but this data set has none. Read it as a test file.")
        required, optional = (texts + label, [self.id]) if labelled else (texts, [*label, self.id])
        return Columns(required, optional, header, self.ragged)

    def _has_header(self, path: Path) -> bool:
        with open_lines(path) as lines:
            return self.text in next(lines, "").rstrip("\r\n").split("\t")

    def _has_no_gold(self, row: Row) -> bool:
        return self.partly_gold and row.cells is not None and row.cells.get(self.label or "") == _NO_GOLD


def _warn(rows: int, what: str, path: Path) -> None:
    if rows:
        warnings.warn(f"Left out {rows:,} {what} of {path}.", stacklevel=3)

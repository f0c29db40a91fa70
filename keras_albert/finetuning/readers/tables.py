"""Reading labelled texts from one's own tables: TSV as GLUE writes it, CSV, JSON lines and Parquet."""

from collections.abc import Collection, Iterator
from pathlib import Path

from keras_albert.finetuning.readers.cells import LabelFormat, LabelType
from keras_albert.finetuning.readers.columns import Columns, table_rows
from keras_albert.finetuning.readers.example_columns import ExampleColumns
from keras_albert.finetuning.readers.examples import Examples
from keras_albert.finetuning.readers.streams import Example, collect, in_chunks


def read_examples(
    path: str | Path,
    text: str = "text",
    text_pair: str | None = None,
    label: str | None = None,
    *,
    id: str | None = None,
    label_type: LabelType = "name",
    separator: str = "|",
    class_names: Collection[str] | None = None,
    max_rows: int | None = None,
    seed: int = 0,
) -> Examples:
    """Read texts, and pairs, labels and ids where their columns are named, from a table.

    Args:
        path: a `.tsv` (GLUE's: a header, tabs, quotation marks as they are), `.csv` (a header, commas, ordinary
            quoting) or `.jsonl` file (an object a line; `.json` too), possibly with `.gz` after that, UTF-8; or a
            `.parquet` file.
        text: the column of the texts.
        text_pair: the column of the second texts.
        label: the column of the labels.
        id: the column of the rows' names.
        label_type: "name" for classes, by name or whole number; "names" for several each, as a list or with separators
            between them; "number" for scores.
        separator: what stands between several names in one cell.
        class_names: the classes that there are; None takes every name.
        max_rows: how many rows to keep at most, drawn at random while reading; None for all.
        seed: the same seed draws the same rows.

    Returns:
        The examples, in the order of the file; lines with nothing on them are left out.

    Raises:
        FileNotFoundError: there is no such file.
        ImportError: a Parquet file without pyarrow.
        ValueError: another ending, no such column, a row with another number of cells than the header, a text that is
            missing, a label that is none, no row at all, or content that is not of the format; with file, line and
            column.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp()) / "tiny.csv"
        >>> _ = path.write_text('remark,mark\\n"good, and cheap",1\\n', encoding="utf-8")
        >>> read_examples(path, text="remark", label="mark").texts
        ['good, and cheap']
    """
    columns = ExampleColumns(text, text_pair, label, id, LabelFormat(label_type, separator, class_names))
    return collect(_examples(Path(path), columns), str(path), max_rows, seed)


def stream_examples(
    path: str | Path,
    text: str = "text",
    text_pair: str | None = None,
    label: str | None = None,
    *,
    id: str | None = None,
    label_type: LabelType = "name",
    separator: str = "|",
    class_names: Collection[str] | None = None,
    chunk_rows: int = 10_000,
) -> Iterator[Examples]:
    """Yield a table piece by piece, so that it need not fit into memory.

    Args:
        path: as of `read_examples`, and so the other arguments and the errors.
        text: the column of the texts.
        text_pair: the column of the second texts.
        label: the column of the labels.
        id: the column of the rows' names.
        label_type: "name", "names" or "number".
        separator: what stands between several names in one cell.
        class_names: the classes that there are.
        chunk_rows: rows in a piece; the last may have fewer.
    """
    columns = ExampleColumns(text, text_pair, label, id, LabelFormat(label_type, separator, class_names))
    return in_chunks(_examples(Path(path), columns), str(path), chunk_rows)


def _examples(path: Path, columns: ExampleColumns) -> Iterator[Example]:
    for row in table_rows(path, Columns(columns.names)):
        yield columns.read(row, path)

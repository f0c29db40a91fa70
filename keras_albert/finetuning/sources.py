"""Where the rows of a run come from: a named data set in its folder, or files of one's own."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from keras_albert.finetuning.kinds import (
    Classification,
    Kind,
    MultipleChoice,
    QuestionAnswering,
    Regression,
    Tagging,
)
from keras_albert.finetuning.named_tasks import NamedTask, named_task
from keras_albert.finetuning.readers.choices import read_choices
from keras_albert.finetuning.readers.conll import read_conll
from keras_albert.finetuning.readers.examples import Examples
from keras_albert.finetuning.readers.rows import Rows
from keras_albert.finetuning.readers.squad_json import read_questions
from keras_albert.finetuning.readers.tables import read_examples, stream_examples
from keras_albert.finetuning.readers.tagged import read_tagged

# What a user writes (`--kind`) for files of one's own.
KINDS_OF_FILES: Mapping[str, Kind] = MappingProxyType(
    {
        "classification": Classification(),
        "multi-label": Classification(multi_label=True),
        "regression": Regression(),
        "tagging": Tagging(),
        "span": QuestionAnswering(head="span"),
        "verifier": QuestionAnswering(head="verifier"),
        "multiple-choice": MultipleChoice(),
    }
)


@dataclass(frozen=True)
class Source:
    """Where rows come from.

    Args:
        task: the name of a data set; None for files.
        data: its folder.
        files: a file for each split, instead of task and folder.
        kind_name: what the files hold, a key of `KINDS_OF_FILES`.
        text: the column of the texts of a table.
        text_pair: the column of the second texts; None for single texts.
        label: the column of the labels.
    """

    task: str | None = None
    data: str | None = None
    files: Mapping[str, str] = field(default_factory=dict)
    kind_name: str = "classification"
    text: str = "text"
    text_pair: str | None = None
    label: str = "label"

    @property
    def named(self) -> NamedTask | None:
        """The named data set; a ValueError where there is none of that name."""
        return None if self.task is None else named_task(self.task)

    @property
    def kind(self) -> Kind:
        """The kind of task."""
        return KINDS_OF_FILES[self.kind_name] if self.named is None else self.named.kind

    def read(self, split: str, max_rows: int | None = None, seed: int = 0) -> Rows:
        """Read the rows of a split, with their labels where it has some.

        Args:
            split: "train", "dev" or "test".
            max_rows: how many rows to keep at most, drawn at random; None for all.
            seed: the same seed draws the same rows.

        Raises:
            FileNotFoundError: a file that is not there.
            ValueError: a file that is not as expected; with file, line and column.
        """
        if self.named is not None:
            return self.named.read(str(self.data), split, max_rows, seed)
        return read_file(self.files[split], self, max_rows=max_rows, seed=seed)

    def as_dict(self) -> dict[str, Any]:
        """Return what `config.json` keeps: absolute paths, so that it can be read from anywhere."""
        files = {split: str(Path(file).absolute()) for split, file in self.files.items()}
        data = None if self.data is None else str(Path(self.data).absolute())
        return {**asdict(self), "files": files, "data": data}

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> "Source":
        """Return what `as_dict` gave."""
        return cls(**content)


def read_file(path: str, source: Source, has_labels: bool = True, max_rows: int | None = None, seed: int = 0) -> Rows:
    """Read a file of one's own.

    Args:
        path: a table for texts (`read_examples`), CoNLL or JSON lines for tags, SQuAD's JSON for questions, JSON lines
            for choices.
        source: says the kind and the columns.
        has_labels: whether the column of the labels of a table is read.
        max_rows: how many rows to keep at most, drawn at random; None for all.
        seed: the same seed draws the same rows.
    """
    kind = source.kind
    if isinstance(kind, Tagging):
        tabular = Path(path).name.lower().removesuffix(".gz").endswith((".jsonl", ".parquet"))
        return (read_tagged(path) if tabular else read_conll(path)).sample(max_rows, seed)
    if isinstance(kind, QuestionAnswering):
        return read_questions(path).sample(max_rows, seed)
    if isinstance(kind, MultipleChoice):
        return read_choices(path).sample(max_rows, seed)
    return read_examples(
        path,
        source.text,
        source.text_pair,
        source.label if has_labels else None,
        label_type=label_type_of(kind),
        max_rows=max_rows,
        seed=seed,
    )


def stream_file(path: str, source: Source) -> Iterator[Rows]:
    """Yield the rows of a file without labels, tables piece by piece, so that these need not fit into memory."""
    if isinstance(source.kind, (Classification, Regression)):
        yield from stream_examples(path, source.text, source.text_pair)
    else:
        yield read_file(path, source, has_labels=False)


def label_type_of(kind: Kind) -> Any:
    """Return what a cell of labels holds, as `read_examples` takes it."""
    if isinstance(kind, Regression):
        return "number"
    return "names" if isinstance(kind, Classification) and kind.multi_label else "name"


def texts_as_rows(texts: list[str], source: str) -> Examples:
    """Return texts that came without a file."""
    return Examples(texts, source=source)

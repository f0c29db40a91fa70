"""Where the rows of a run come from: a named data set in its folder, or files of one's own."""

from collections.abc import Callable, Iterator, Mapping
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


def file_kind_of(kind: Kind) -> str:
    """Return what a user writes (`--kind`) for files of a kind.

    Example:
        >>> file_kind_of(QuestionAnswering(head="verifier", normalization="cmrc"))
        'verifier'
    """

    def shape(kind: Kind) -> tuple[Any, ...]:
        return type(kind), getattr(kind, "multi_label", None), getattr(kind, "head", None)

    return next(name for name, known in KINDS_OF_FILES.items() if shape(known) == shape(kind))


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
    if isinstance(kind, (Classification, Regression)):
        label = source.label if has_labels else None
        label_type = kind.label_type
        return read_examples(
            path, source.text, source.text_pair, label, label_type=label_type, max_rows=max_rows, seed=seed
        )
    return _reader_of(kind, path)(path).sample(max_rows, seed)


def stream_file(path: str, kind: Kind, text: str = "text", text_pair: str | None = None) -> Iterator[Rows]:
    """Yield the rows of a file without labels, tables part by part, so that these need not fit into memory.

    Args:
        path: as of `read_file`.
        kind: what the file holds.
        text: the column of the texts of a table.
        text_pair: the column of the second texts.
    """
    if isinstance(kind, (Classification, Regression)):
        yield from stream_examples(path, text, text_pair)
    else:
        yield _reader_of(kind, path)(path)


def _reader_of(kind: Kind, path: str) -> Callable[[str], Rows]:
    if isinstance(kind, QuestionAnswering):
        return read_questions
    if isinstance(kind, MultipleChoice):
        return read_choices
    is_table = Path(path).name.lower().removesuffix(".gz").endswith((".jsonl", ".parquet"))
    return read_tagged if is_table else read_conll

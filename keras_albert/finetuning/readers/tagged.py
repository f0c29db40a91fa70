"""Texts whose words have tags, such as those of named entities: in memory, and from JSON lines of one's own."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from keras_albert.finetuning.readers.columns import Columns, table_rows
from keras_albert.finetuning.readers.rows import Rows
from keras_albert.tasks.token_classification.words import Span, join_words


@dataclass(frozen=True)
class TaggedExamples(Rows):
    """Texts, where their words stand, and a tag for each word where there are tags.

    Args:
        texts: N texts.
        word_spans: for each text the [start, end) of each word, in order and apart.
        tags: for each text the tag of each word; None for texts without tags.
        ids: what the file calls each row; None where it has no name.
        source: where they come from, for messages.

    Raises:
        ValueError: no text, columns of different lengths, a span outside of its text or before the one to its left,
            another number of tags than of words; with the row.

    Example:
        >>> TaggedExamples.from_words([["New", "York", "!"]], [["B-LOC", "I-LOC", "O"]]).word_spans
        [[(0, 3), (4, 8), (9, 10)]]
    """

    texts: list[str]
    word_spans: list[list[Span]]
    tags: list[list[str]] | None = None
    ids: list[str] | None = None

    def __post_init__(self) -> None:
        """Check the numbers of rows, the spans and the numbers of tags."""
        super().__post_init__()
        for row, (text, spans) in enumerate(zip(self.texts, self.word_spans, strict=True)):
            previous = 0
            for start, end in spans:
                if not previous <= start <= end <= len(text):
                    raise ValueError(
                        f"Expected spans of words in order and inside of the text, in row {row} of {self.source}. "
                        f"Received: ({start}, {end}) after {previous}, a text of {len(text)} characters"
                    )
                previous = end
            if self.tags is not None and len(self.tags[row]) != len(spans):
                raise ValueError(
                    f"Expected one tag for each word in row {row} of {self.source}. "
                    f"Received: {len(spans)} words, {len(self.tags[row])} tags"
                )

    @classmethod
    def from_words(
        cls,
        words: Sequence[Sequence[str]],
        tags: Sequence[Sequence[str]] | None = None,
        ids: Sequence[str] | None = None,
        source: str = "the rows",
    ) -> Self:
        """Put words into texts, a blank between them.

        Args:
            words: N lists of words.
            tags: N lists of as many tags, or None.
            ids: N names, or None.
            source: where they come from.
        """
        joined = [join_words(list(row)) for row in words]
        return cls(
            [text for text, _ in joined],
            [spans for _, spans in joined],
            None if tags is None else [list(row) for row in tags],
            None if ids is None else list(ids),
            source=source,
        )

    @property
    def words(self) -> list[list[str]]:
        """The words of each text: what a token classifier's `fit` and `predict` take."""
        return [
            [text[start:end] for start, end in spans] for text, spans in zip(self.texts, self.word_spans, strict=True)
        ]


def read_tagged(path: str | Path, words: str = "words", tags: str | None = "tags", id: str = "id") -> TaggedExamples:
    """Read lists of words and of tags from a file of JSON lines (or Parquet).

    Args:
        path: a `.jsonl`, `.jsonl.gz` or `.parquet` file.
        words: the column of the words, a list of strings in each row.
        tags: the column of the tags, a list of as many strings; None for words alone.
        id: the column of the rows' names, read where it is there.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: no such column, something else than lists of strings, or another number of tags than of words; with
            file and line.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp()) / "tiny.jsonl"
        >>> _ = path.write_text('{"words": ["in", "Rome"], "tags": ["O", "B-LOC"]}\\n', encoding="utf-8")
        >>> read_tagged(path).tags
        [['O', 'B-LOC']]
    """
    path = Path(path)
    rows: dict[str, list[Any]] = {"words": [], "tags": [], "ids": []}
    for place, cells in table_rows(path, Columns([words] if tags is None else [words, tags], [id])):
        where = f"{path}, {place}"
        cells = cells or {}
        rows["words"].append(_strings(cells[words], where, words))
        if tags is not None:
            row_tags = _strings(cells[tags], where, tags)
            if len(row_tags) != len(rows["words"][-1]):
                raise ValueError(
                    f"{where}: expected one tag for each word. "
                    f"Received: {len(rows['words'][-1])} words, {len(row_tags)} tags"
                )
            check_tags(row_tags, where, tags)
            rows["tags"].append(row_tags)
        if id in cells:
            rows["ids"].append(str(cells[id]))
    if not rows["words"]:
        raise ValueError(f"Expected rows of words in {path}. Received: a file without any")
    ids = rows["ids"] if len(rows["ids"]) == len(rows["words"]) else None
    return TaggedExamples.from_words(rows["words"], None if tags is None else rows["tags"], ids, str(path))


def check_tags(tags: Sequence[str], where: str, column: str | int) -> None:
    """Check the form of tags: O, a label, or a prefix with a type.

    Raises:
        ValueError: a tag that is empty, has white space in it, or is a prefix and a hyphen without a type.
    """
    for tag in tags:
        if not tag or any(map(str.isspace, tag)) or tag.startswith("-") or tag.endswith("-"):
            raise ValueError(f"{where}, column {column}: expected a tag such as O, B-person or NOUN. Received: {tag!r}")


def _strings(value: Any, where: str, column: str) -> list[str]:
    if hasattr(value, "tolist"):
        value = value.tolist()
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError(f"{where}, column {column!r}: expected a list of strings. Received: {value!r:.80}")
    return value

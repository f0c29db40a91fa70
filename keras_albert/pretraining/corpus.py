"""A corpus of raw text: files to documents, each a list of lines, streamed in order.

Google's form of text has one sentence a line and a blank line between documents (README of google-research/albert).
"""

import glob
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from keras_albert.pretraining.corpus_lines import MAX_LINE_BYTES, ReadingCounts, bounded_lines, opened
from keras_albert.pretraining.corpus_rows import json_texts, parquet_texts

LINES = ("paragraph", "sentence", "wrapped")
_TEXT, _JSON, _PARQUET = ".txt", ".jsonl", ".parquet"
ENDINGS = (_TEXT, f"{_TEXT}.gz", _JSON, f"{_JSON}.gz", _PARQUET)
_Lines = Iterator[str | None]


@dataclass(frozen=True)
class CorpusSettings:
    """How files are read.

    Args:
        lines: what a line of a text is: "paragraph", to be split into sentences; "sentence", taken as it is; or
            "wrapped", a part of a paragraph, which goes on until a blank line (a `.txt` file is one document then).
            Otherwise a blank line ends a document of a `.txt` file.
        text: the column of the texts in tables, whose rows are a document each.
        max_document_characters: a document with more goes on as another one, cut between lines.
    """

    lines: str = "paragraph"
    text: str = "text"
    max_document_characters: int = 4_000_000

    def __post_init__(self) -> None:
        if self.lines not in LINES:
            raise ValueError(f"Expected lines among {', '.join(LINES)}. Received: lines={self.lines!r}")
        if self.max_document_characters < 1:
            raise ValueError(
                f"Expected a positive number. Received: max_document_characters={self.max_document_characters}"
            )


def find_files(paths: str | Path | Iterable[str | Path]) -> list[Path]:
    """Return the files that paths mean, in the order of the paths; a file named twice comes twice.

    Args:
        paths: files, patterns such as `corpus/*.txt.gz` (`**` for any depth), or folders, whose files of known endings
            are taken at any depth. What a pattern or a folder gives is sorted.

    Raises:
        ValueError: nothing is there, or a file whose ending tells no format.
    """
    files: list[Path] = []
    for path in [paths] if isinstance(paths, str | Path) else paths:
        files += _files_of(Path(path).expanduser())
    if not files:
        raise ValueError(f"Expected files of text. Received: none. Name some that end in {', '.join(ENDINGS)}.")
    return files


@dataclass
class Corpus:
    """Documents of text from files, read anew at each iteration.

    Args:
        files: as `find_files` returns them.
        settings: how they are read.

    Attributes:
        counts: what the iteration that is under way, or was the last, has met.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp()) / "two.txt"
        >>> path.write_text("A cat. It sat.\\nIt slept.\\n\\nA dog.\\n")
        33
        >>> list(Corpus([path]))
        [['A cat. It sat.', 'It slept.'], ['A dog.']]
    """

    files: Sequence[Path]
    settings: CorpusSettings = field(default_factory=CorpusSettings)
    counts: ReadingCounts = field(default_factory=ReadingCounts)

    def __iter__(self) -> Iterator[list[str]]:
        self.counts = ReadingCounts()
        before = 0
        for path in self.files:
            size = path.stat().st_size

            def at(place: float, before: int = before) -> None:
                self.counts.bytes_read = before + int(place)

            yield from self._documents(self._lines(path, at))
            before += size
            at(0, before)

    def _documents(self, lines: _Lines) -> Iterator[list[str]]:
        document: list[str] = []
        size = 0
        for line in lines:
            is_full = line is not None and size + len(line) > self.settings.max_document_characters
            if document and (line is None or is_full):
                self.counts.split_documents += is_full
                self.counts.documents += 1
                self.counts.characters += size
                yield document
                document, size = [], 0
            if line:
                document.append(line)
                size += len(line)

    def _lines(self, path: Path, at: Callable[[float], None]) -> _Lines:
        """Yield the lines of a file, of paragraphs or sentences, None where a document ends."""
        is_wrapped = self.settings.lines == "wrapped"
        if _format(path) == _PARQUET:
            size = path.stat().st_size
            for text, share in parquet_texts(path, self.settings.text, self.counts):
                yield from self._lines_of_text(text)
                at(share * size)
            return
        with opened(path) as (file, place):
            if _format(path) == _JSON:
                for text in json_texts(path, file, self.settings.text, self.counts):
                    yield from self._lines_of_text(text)
                    at(place())
                return
            lines = bounded_lines(file, self.counts)
            for line in _unwrapped(lines) if is_wrapped else lines:
                yield line or None
                if not line:
                    at(place())
            yield None

    def _lines_of_text(self, text: str) -> _Lines:
        lines = (line.strip() for line in text.split("\n"))
        yield from (line for line in (_unwrapped(lines) if self.settings.lines == "wrapped" else lines) if line)
        yield None


def _unwrapped(lines: Iterable[str]) -> Iterator[str]:
    """Join lines to paragraphs, which a blank line ends."""
    parts: list[str] = []
    size = 0
    for line in lines:
        if parts and (not line or size > MAX_LINE_BYTES):
            yield " ".join(parts)
            parts, size = [], 0
        if line:
            parts.append(line)
            size += len(line)
    if parts:
        yield " ".join(parts)


def _files_of(path: Path) -> list[Path]:
    if path.is_dir():
        files = sorted(file for file in path.rglob("*") if file.is_file() and _format(file) is not None)
        if not files:
            raise ValueError(f"Expected files that end in {', '.join(ENDINGS)}. Received: none in the folder {path}.")
        return files
    if not path.exists() and glob.has_magic(str(path)):
        files = sorted(file for file in map(Path, glob.glob(str(path), recursive=True)) if file.is_file())  # noqa: PTH207
        if not files:
            raise ValueError(f"Expected files. Received: the pattern {str(path)!r}, which fits none.")
    elif not path.exists():
        raise ValueError(f"Expected a file of text. Received: {path}, which is not there. Check the path.")
    else:
        files = [path]
    for file in files:
        if _format(file) is None:
            raise ValueError(
                f"Expected files that end in {', '.join(ENDINGS)}. Received: {file}. Rename it by what it holds."
            )
    return files


def _format(path: Path) -> str | None:
    name = path.name.lower().removesuffix(".gz")
    if name.endswith(_PARQUET) and path.suffix.lower() == ".gz":
        return None
    return next((ending for ending in (_TEXT, _JSON, _PARQUET) if name.endswith(ending)), None)

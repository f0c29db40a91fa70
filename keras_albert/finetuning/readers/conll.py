"""The format of the CoNLL tasks: a word a line with its columns, a blank line between sentences."""

from collections.abc import Iterator
from pathlib import Path

from keras_albert.finetuning.readers.lines import open_lines
from keras_albert.finetuning.readers.tagged import TaggedExamples, check_tags
from keras_albert.tasks.token_classification.entities import OUTSIDE, has_prefix

_DOCUMENT = "-DOCSTART-"
# Not all of Unicode's white space: a no-break space can be a word.
_BLANKS = " \t\r\n"

# A line's number in the file, and its cells.
_Line = tuple[int, list[str]]


def read_conll(path: str | Path, tag_column: int | None = -1) -> TaggedExamples:
    """Read sentences of tagged words.

    Each line has a word in its first column, and as many columns as the first line. Columns stand apart by single tabs
    where the line has one (a word may then hold blanks), else by blanks. A line with nothing or only blanks and tabs on
    it ends a sentence, and so does one that begins with `-DOCSTART-`, which is left out. Texts are the words with a
    blank between them.

    Args:
        path: the file, possibly compressed (`.gz`); UTF-8.
        tag_column: which column holds the tags, counted from 0 or from the end (-1 is the last); None for words without
            tags. A file of one column has no tags either.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: another number of columns, an empty word, no such column, a tag of no known form, a plain label
            among tags with prefixes, or no word at all; with file, line and column.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp()) / "tiny.conll"
        >>> _ = path.write_text("in IN O\\nRome NNP B-LOC\\n\\nHi UH O\\n", encoding="utf-8")
        >>> read_conll(path).texts, read_conll(path).tags
        (['in Rome', 'Hi'], [['O', 'B-LOC'], ['O']])
    """
    path = Path(path)
    sentences: list[list[str]] = []
    tags: list[list[str]] = []
    first_line: dict[str, int] = {}  # where each tag is first met
    number_of_columns = place = 0
    for sentence in _sentences(path):
        if not number_of_columns:
            number_of_columns = len(sentence[0][1])
            place = _place(tag_column, number_of_columns, path, sentence[0][0])
        sentences.append([])
        tags.append([])
        for line, cells in sentence:
            _check_cells(cells, number_of_columns, path, line)
            sentences[-1].append(cells[0])
            if place:
                check_tags([cells[place]], f"{path}, line {line}", place + 1)
                tags[-1].append(cells[place])
                first_line.setdefault(cells[place], line)
    if not sentences:
        raise ValueError(f"Expected words in {path}. Received: a file without any")
    _check_one_scheme(first_line, path, place + 1)
    return TaggedExamples.from_words(sentences, tags if place else None, source=str(path))


def _sentences(path: Path) -> Iterator[list[_Line]]:
    sentence: list[_Line] = []
    with open_lines(path) as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip(_BLANKS) and not line.startswith(_DOCUMENT):
                sentence.append((number, _cells(line)))
            elif sentence:
                yield sentence
                sentence = []
    if sentence:
        yield sentence


def _cells(line: str) -> list[str]:
    line = line.rstrip("\r\n")
    if "\t" in line:
        return [cell.strip(" ") for cell in line.split("\t")]
    return [cell for cell in line.split(" ") if cell]


def _place(tag_column: int | None, columns: int, path: Path, line: int) -> int:
    """Return the column of the tags from 0, or 0, which is the words', for none."""
    if tag_column is None or (columns == 1 and tag_column == -1):
        return 0
    place = tag_column + columns if tag_column < 0 else tag_column
    if not 0 < place < columns:
        raise ValueError(
            f"{path}, line {line}: expected tags in column {tag_column}, counted from 0 or from the end, beside the "
            f"words in column 0. Received: {columns} columns"
        )
    return place


def _check_cells(cells: list[str], columns: int, path: Path, line: int) -> None:
    if len(cells) != columns:
        raise ValueError(
            f"{path}, line {line}: expected {columns} columns, as in the first line. Received: {len(cells)}, {cells}"
        )
    if not cells[0]:
        raise ValueError(f"{path}, line {line}, column 1: expected a word. Received: nothing before {cells[1:]}")


def _check_one_scheme(first_line: dict[str, int], path: Path, column: int) -> None:
    """Refuse plain labels among tags with prefixes: another column, most likely, or a slip."""
    prefixed = [tag for tag in first_line if has_prefix(tag) and len(tag) > 1]
    plain = [tag for tag in first_line if not has_prefix(tag) and tag != OUTSIDE]
    if prefixed and plain:
        raise ValueError(
            f"{path}, line {first_line[plain[0]]}, column {column}: expected O or a prefix and a type, such as "
            f"{prefixed[0]!r} in line {first_line[prefixed[0]]}. Received: {plain[0]!r}"
        )

"""CLUENER 2020: Chinese texts with entities of ten types, as JSON lines with spans."""

import warnings
from pathlib import Path
from typing import Any, NamedTuple

from keras_albert.finetuning.readers.cells import text_of
from keras_albert.finetuning.readers.columns import Columns, table_rows
from keras_albert.finetuning.readers.json_members import shown
from keras_albert.finetuning.readers.tagged import TaggedExamples
from keras_albert.tasks.token_classification.entities import OUTSIDE
from keras_albert.tasks.token_classification.words import Span, split_characters


class _Entity(NamedTuple):
    start: int
    last: int  # inclusive, as in the file
    label: str


def read_cluener(path: str | Path) -> TaggedExamples:
    """Read texts of CLUENER, with a BIO tag for each character that is not white space.

    A line is `{"text": ..., "label": {type: {mention: [[first, last], ...]}}}`, where both ends of a span belong to it.
    Tags can't overlap: of entities that share a character the longest stays (of equal ones the first), and a warning
    says how many were left out.

    Args:
        path: the file; without `label` in its lines, as `test.json`, the texts have no tags.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: a text or a label of another form, a span outside of its text or of other characters than its
            mention; labels in some lines only; with file and line.
    """
    path = Path(path)
    texts: list[str] = []
    spans: list[list[Span]] = []
    tags: list[list[str]] = []
    ids: list[str] = []
    entities = left_out = 0
    for place, cells in table_rows(path, Columns(["text"], ["label", "id"]), "jsonl"):
        where, cells = f"{path}, {place}", cells or {}
        text = text_of(cells["text"], where, "text")
        spans.append(split_characters(text))
        if "label" in cells:
            found = _entities(cells["label"], text, where)
            kept = _apart(found)
            tags.append(_tags(kept, spans[-1]))
            entities, left_out = entities + len(found), left_out + len(found) - len(kept)
        if "id" in cells:
            ids.append(str(cells["id"]))
        texts.append(text)
        if tags and len(tags) < len(texts):
            raise ValueError(f"{where}, column 'label': expected entities as in the lines before. Received: none")
    if not texts:
        raise ValueError(f"Expected texts in {path}. Received: a file without any")
    if left_out:
        warnings.warn(
            f"{path}: {left_out:,} of {entities:,} entities overlap with a longer one and were left out.", stacklevel=2
        )
    return TaggedExamples(texts, spans, tags or None, ids if len(ids) == len(texts) else None, source=str(path))


def _entities(label: Any, text: str, where: str) -> list[_Entity]:
    found = []
    for kind, mentions in _items(label, where):
        for mention, spans in _items(mentions, where):
            for span in spans if isinstance(spans, list) else [spans]:
                is_span = isinstance(span, list) and len(span) == 2 and all(type(end) is int for end in span)
                if not is_span or not 0 <= span[0] <= span[1] < len(text):
                    raise ValueError(
                        f"{where}, column 'label': expected [first, last] with both inside of a text of {len(text)} "
                        f"characters. Received: {shown(span)} of {mention!r}"
                    )
                if text[span[0] : span[1] + 1] != mention:
                    raise ValueError(
                        f"{where}, column 'label': expected {mention!r} at {span}. "
                        f"Received: {text[span[0] : span[1] + 1]!r}. Both ends belong to a span."
                    )
                found.append(_Entity(span[0], span[1], kind))
    return found


def _items(value: Any, where: str) -> Any:
    if not isinstance(value, dict):
        raise ValueError(
            f"{where}, column 'label': expected an object such as "
            f'{{"name": {{"mention": [[first, last]]}}}}. Received: {shown(value)}'
        )
    return value.items()


def _apart(entities: list[_Entity]) -> list[_Entity]:
    kept: list[_Entity] = []
    for entity in sorted(entities, key=lambda entity: (entity.start - entity.last, entity.start)):
        if all(entity.last < other.start or other.last < entity.start for other in kept):
            kept.append(entity)
    return kept


def _tags(entities: list[_Entity], spans: list[Span]) -> list[str]:
    tags = [OUTSIDE] * len(spans)
    for start, last, label in entities:
        prefix = "B"
        for word, (place, _) in enumerate(spans):
            if start <= place <= last:
                tags[word] = f"{prefix}-{label}"
                prefix = "I"
    return tags

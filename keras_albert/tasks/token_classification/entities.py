"""Entities out of tags, as CoNLL's scorer (conlleval) reads them.

A tag is `O` (outside), a prefix with a type such as `B-person`, a prefix alone, or a plain label. The prefixes of BIO,
IOB1, BIOES, BILOU and BMES mean: B begins an entity, I and M are inside of one, E and L end it, S and U are one alone.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from keras_albert.tasks.token_classification.words import Span

OUTSIDE = "O"
# Every prefix by the one of BIOES that means the same.
PREFIXES = {"B": "B", "I": "I", "M": "I", "E": "E", "L": "E", "S": "S", "U": "S"}
# What the type of a prefix without one is called, as in segmentation of words.
NO_TYPE = "_"


@dataclass(frozen=True)
class Entity:
    """Something that was found in a text.

    Args:
        label: its type.
        start: where it begins in the text, in characters.
        end: where it ends, exclusive: `text[start:end]` of the whole text.
        text: the characters there.
        score: mean probability of its words' tags, in [0, 1].
    """

    label: str
    start: int
    end: int
    text: str
    score: float


class Chunk(NamedTuple):
    """Words that are one entity: `words[first:end]`."""

    label: str
    first: int
    end: int


def parse_tag(tag: str) -> tuple[str, str]:
    """Return the prefix of a tag, as one of BIOES or O, and its type.

    A label without a prefix is a type whose words are all inside.

    Example:
        >>> [parse_tag(tag) for tag in ("B-creative-work", "U-LOC", "O", "NOUN", "S")]
        [('B', 'creative-work'), ('S', 'LOC'), ('O', ''), ('I', 'NOUN'), ('S', '_')]
    """
    if tag == OUTSIDE:
        return OUTSIDE, ""
    if has_prefix(tag):
        return PREFIXES[tag[0]], tag[2:] or NO_TYPE
    return "I", tag


def has_prefix(tag: str) -> bool:
    """Whether a tag is a prefix, alone or before a hyphen.

    Example:
        >>> [has_prefix(tag) for tag in ("I-LOC", "M", "LOC", "O")]
        [True, True, False, False]
    """
    return tag[:1] in PREFIXES and (len(tag) == 1 or tag[1] == "-")


def chunks(tags: Iterable[str]) -> list[Chunk]:
    """Return the entities of one text's tags, in order.

    One begins at B and S; at I and E where nothing of the same type goes on before it (after O, E or S, another type,
    or at the start). It ends before the next one, and before O. So a stray I begins an entity, and plain labels in a
    row are one.

    Example:
        >>> chunks(["B-PER", "I-PER", "O", "I-LOC", "B-LOC"])
        [Chunk(label='PER', first=0, end=2), Chunk(label='LOC', first=3, end=4), Chunk(label='LOC', first=4, end=5)]
    """
    found: list[Chunk] = []
    first = 0
    previous = OUTSIDE, ""
    end = 0
    for end, tag in enumerate(tags, start=1):
        prefix, label = parse_tag(tag)
        goes_on = prefix in "IE" and previous[0] in "BI" and label == previous[1]
        if not goes_on:
            if previous[0] != OUTSIDE:
                found.append(Chunk(previous[1], first, end - 1))
            first = end - 1
        previous = prefix, label
    if previous[0] != OUTSIDE:
        found.append(Chunk(previous[1], first, end))
    return found


def entities_of(tags: Sequence[str], probabilities: Sequence[float], spans: Sequence[Span], text: str) -> list[Entity]:
    """Return the entities of one text.

    Args:
        tags: the tag of each word.
        probabilities: the probability of each of these tags.
        spans: the [start, end) of each word.
        text: the whole text.

    Example:
        >>> entities_of(["O", "B-LOC", "I-LOC"], [0.9, 0.5, 1.0], [(0, 2), (3, 6), (8, 12)], "in New  York")
        [Entity(label='LOC', start=3, end=12, text='New  York', score=0.75)]
    """
    entities = []
    for label, first, end in chunks(tags):
        start, stop = spans[first][0], spans[end - 1][1]
        score = sum(probabilities[first:end]) / (end - first)
        entities.append(Entity(label, start, stop, text[start:stop], float(score)))
    return entities

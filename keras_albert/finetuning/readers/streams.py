"""From a stream of single examples to `Examples`: all of them, some drawn at random, or piece by piece."""

import random
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from keras_albert.finetuning.readers.examples import Examples

_Item = TypeVar("_Item")


class Example(NamedTuple):
    """One text or pair of texts, as a reader meets it.

    Attributes:
        text: the text.
        pair: the second text, or None.
        label: a name, a list of names or a float; None where the file has no labels.
        id: what the file calls it, or None.
    """

    text: str
    pair: str | None = None
    label: Any = None
    id: str | None = None


def collect(examples: Iterable[Example], source: str, max_rows: int | None = None, seed: int = 0) -> Examples:
    """Put examples into columns.

    Args:
        examples: the examples; either all have a pair, a label, an id, or none has.
        source: where they come from.
        max_rows: how many to keep at most, drawn at random; None for all. No more are ever held in memory.
        seed: the same seed draws the same rows.

    Raises:
        ValueError: no example, or fewer than one row asked for.

    Example:
        >>> collect([Example("a", label="x"), Example("b", label="y")], "a.tsv").columns()
        {'texts': ['a', 'b'], 'labels': ['x', 'y']}
    """
    rows = list(examples) if max_rows is None else reservoir(examples, max_rows, seed)
    if not rows:
        raise ValueError(f"Expected rows of text in {source}. Received: a file without any")
    texts, pairs, labels, ids = (list(column) for column in zip(*rows, strict=True))
    first = rows[0]
    return Examples(
        texts,
        None if first.pair is None else pairs,
        None if first.label is None else labels,
        None if first.id is None else ids,
        source=source,
    )


def in_chunks(examples: Iterable[Example], source: str, chunk_rows: int) -> Iterator[Examples]:
    """Yield `Examples` of at most that many rows, in order; errors as of `collect`.

    Example:
        >>> [chunk.texts for chunk in in_chunks([Example("a"), Example("b"), Example("c")], "a.tsv", chunk_rows=2)]
        [['a', 'b'], ['c']]
    """
    if chunk_rows < 1:
        raise ValueError(f"Expected at least one row in a chunk. Received: chunk_rows={chunk_rows}")
    rows = iter(examples)
    chunk = list(islice(rows, chunk_rows))
    while True:
        yield collect(chunk, source)
        chunk = list(islice(rows, chunk_rows))
        if not chunk:
            return


def reservoir(items: Iterable[_Item], size: int, seed: int) -> list[_Item]:
    """Draw items of a stream at random, each with the same chance, and keep them in their order.

    Holds `size` items at any time: Vitter, "Random sampling with a reservoir" (1985), algorithm R.

    Args:
        items: the stream.
        size: how many to keep at most.
        seed: the same seed draws the same places.

    Raises:
        ValueError: fewer than one item asked for.

    Example:
        >>> reservoir("abc", size=5, seed=0)
        ['a', 'b', 'c']
    """
    if size < 1:
        raise ValueError(f"Expected at least one row. Received: rows={size}")
    generator = random.Random(seed)
    kept: list[tuple[int, _Item]] = []
    for position, item in enumerate(items):
        if position < size:
            kept.append((position, item))
        elif (place := generator.randrange(position + 1)) < size:
            kept[place] = (position, item)
    return [item for _, item in sorted(kept, key=lambda pair: pair[0])]

"""Labelled texts in memory: what the readers return and what the runs take."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Examples:
    """Texts or pairs of texts, with their labels where there are some.

    Args:
        texts: N texts.
        pairs: the N second texts; None for single texts.
        labels: the N names of classes; None for texts without labels.
        source: where they come from, for messages.

    Raises:
        ValueError: no text at all, or another number of pairs or labels than of texts.
    """

    texts: list[str]
    pairs: list[str] | None = None
    labels: list[str] | None = None
    source: str = "the texts"

    def __post_init__(self) -> None:
        """Check the numbers of rows."""
        if not self.texts:
            raise ValueError(f"Expected at least one text in {self.source}. Received: none")
        for name, column in (("pairs", self.pairs), ("labels", self.labels)):
            if column is not None and len(column) != len(self.texts):
                raise ValueError(
                    f"Expected as many {name} as texts in {self.source}. "
                    f"Received: {len(self.texts):,} texts, {len(column):,} {name}"
                )

    def __len__(self) -> int:
        """Return the number of texts."""
        return len(self.texts)

    @property
    def inputs(self) -> Any:
        """What a task's `fit` and `predict` take: the texts, or the two columns of the pairs."""
        return self.texts if self.pairs is None else (self.texts, self.pairs)

    def sample(self, rows: int | None, seed: int) -> "Examples":
        """Draw rows at random and keep them in their order, so that files sorted by label serve as well.

        Args:
            rows: how many at most; None for all.
            seed: the same seed draws the same rows.

        Example:
            >>> Examples(["a", "b", "c", "d"], labels=["0", "0", "1", "1"]).sample(2, seed=1).texts
            ['b', 'c']
        """
        if rows is not None and rows < 1:
            raise ValueError(f"Expected at least one row. Received: rows={rows}")
        if rows is None or rows >= len(self):
            return self
        chosen = np.sort(np.random.default_rng(seed).choice(len(self), rows, replace=False)).tolist()

        def part(column: list[str]) -> list[str]:
            return [column[row] for row in chosen]

        return Examples(
            part(self.texts),
            None if self.pairs is None else part(self.pairs),
            None if self.labels is None else part(self.labels),
            self.source,
        )

    def label_numbers(self, class_names: Sequence[str]) -> np.ndarray:
        """Return the number of each row's class, int64 (N,).

        Args:
            class_names: the name of each class, in the order of their numbers.

        Raises:
            ValueError: there are no labels, or one is no class.

        Example:
            >>> Examples(["a", "b"], labels=["no", "yes"]).label_numbers(["yes", "no"])
            array([1, 0])
        """
        if self.labels is None:
            raise ValueError(f"Expected labels in {self.source}. Received: none. Name the column that holds them.")
        numbers = {name: number for number, name in enumerate(class_names)}
        unknown = sorted(set(self.labels) - numbers.keys())
        if unknown:
            rows = sum(label not in numbers for label in self.labels)
            raise ValueError(
                f"Expected labels among {list(class_names)} in {self.source}. "
                f"Received: {unknown[:5]} in {rows:,} of {len(self):,} rows"
            )
        return np.array([numbers[label] for label in self.labels], "int64")


def class_names_of(examples: Examples) -> list[str]:
    """Return the classes that occur, sorted: by number where all are whole numbers, else by name.

    Raises:
        ValueError: there are no labels, or fewer than two classes.

    Example:
        >>> class_names_of(Examples(["a", "b", "c"], labels=["10", "9", "10"]))
        ['9', '10']
    """
    if examples.labels is None:
        raise ValueError(f"Expected labels in {examples.source}. Received: none. Name the column that holds them.")
    names = sorted(set(examples.labels))
    if len(names) < 2:
        raise ValueError(f"Expected at least two classes in {examples.source}. Received: {names}")
    return sorted(names, key=int) if all(name.isdecimal() for name in names) else names

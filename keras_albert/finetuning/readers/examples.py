"""Labelled texts in memory: what the readers return and what the runs take."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from keras_albert.finetuning.readers.rows import Rows


@dataclass(frozen=True)
class Examples(Rows):
    """Texts or pairs of texts, with their labels where there are some.

    Args:
        texts: N texts.
        pairs: the N second texts; None for single texts.
        labels: N labels: names of classes, lists of names (several classes each), or floats (scores); None for texts
            without labels.
        ids: what the file calls each row, for submissions; None where it has no name.
        source: where they come from, for messages.

    Raises:
        ValueError: no text at all, or another number of pairs or labels than of texts.

    Example:
        >>> Examples(["a", "b", "c", "d"], labels=["0", "0", "1", "1"]).sample(2, seed=1).texts
        ['b', 'c']
    """

    texts: list[str]
    pairs: list[str] | None = None
    labels: list[Any] | None = None
    ids: list[str] | None = None

    @property
    def inputs(self) -> Any:
        """What a task's `fit` and `predict` take: the texts, or the two columns of the pairs."""
        return self.texts if self.pairs is None else (self.texts, self.pairs)

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
        labels = self._labels()
        numbers = {name: number for number, name in enumerate(class_names)}
        if not all(isinstance(label, str) for label in labels):
            other = next(label for label in labels if not isinstance(label, str))
            raise ValueError(f"Expected one name for each row as label in {self.source}. Received: {other!r}")
        unknown = sorted(set(labels) - numbers.keys())
        if unknown:
            rows = sum(label not in numbers for label in labels)
            raise ValueError(
                f"Expected labels among {list(class_names)} in {self.source}. "
                f"Received: {unknown[:5]} in {rows:,} of {len(self):,} rows"
            )
        return np.array([numbers[label] for label in labels], "int64")

    def label_matrix(self, class_names: Sequence[str]) -> np.ndarray:
        """Return which classes each row has, float32 (N, C): 1 where it has one, else 0.

        Args:
            class_names: the C names.

        Raises:
            ValueError: there are no labels, they are no lists of names, or one is no class.

        Example:
            >>> Examples(["a", "b"], labels=[["new", "dear"], []]).label_matrix(["dear", "new"])
            array([[1., 1.],
                   [0., 0.]], dtype=float32)
        """
        labels = self._lists_of_names()
        numbers = {name: number for number, name in enumerate(class_names)}
        unknown = sorted({name for names in labels for name in names} - numbers.keys())
        if unknown:
            raise ValueError(f"Expected labels among {list(class_names)} in {self.source}. Received: {unknown[:5]}")
        matrix = np.zeros((len(labels), len(class_names)), "float32")
        for row, names in enumerate(labels):
            matrix[row, [numbers[name] for name in names]] = 1
        return matrix

    def label_values(self) -> np.ndarray:
        """Return the labels as numbers, float64 (N,).

        Raises:
            ValueError: there are no labels, or one is no number.

        Example:
            >>> Examples(["a", "b"], labels=[5.0, 0.25]).label_values()
            array([5.  , 0.25])
        """
        for label in self._labels():
            if isinstance(label, bool) or not isinstance(label, (int, float)) or not math.isfinite(label):
                raise ValueError(f"Expected numbers as labels in {self.source}. Received: {label!r}")
        return np.array(self.labels, "float64")

    def _labels(self) -> list[Any]:
        if self.labels is None:
            raise ValueError(f"Expected labels in {self.source}. Received: none. Name the column that holds them.")
        return self.labels

    def _lists_of_names(self) -> list[Any]:
        for label in self._labels():
            if not isinstance(label, (list, tuple)):
                raise ValueError(f"Expected lists of names as labels in {self.source}. Received: {label!r}")
        return self._labels()


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
    lists = [label if isinstance(label, (list, tuple)) else [label] for label in examples.labels]
    names = sorted({name for label in lists for name in label})
    if len(names) < 2:
        raise ValueError(f"Expected at least two classes in {examples.source}. Received: {names}")
    return sorted(names, key=int) if all(name.isdecimal() for name in names) else names

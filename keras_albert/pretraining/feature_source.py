"""Rows from TFRecord files of Google's features: pairs and masks were made once, for every epoch."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from keras_albert.pretraining.batches import Instances
from keras_albert.pretraining.google_features import count_features, read_features


class FeatureSource:
    """Rows from files, a window at a time; the windows come in another order in every epoch.

    Args:
        files: the files.
        window_rows: rows in a window, about, where a file has so many.
        sequence_length: tokens in a row.
        vocabulary_size: ids are below it.
        seed: seed of the order.

    Attributes:
        rows: the number of rows.

    Raises:
        ValueError: no file, no row, or a damaged file.
    """

    def __init__(
        self, files: Sequence[Path], window_rows: int, sequence_length: int, vocabulary_size: int, seed: int
    ) -> None:
        self._sequence_length = sequence_length
        self._vocabulary_size = vocabulary_size
        self._seed = seed
        self._windows: list[tuple[Path, int, int]] = []
        for file in files:
            rows = count_features(file)
            parts = max(1, round(rows / window_rows))
            ends = [rows * part // parts for part in range(parts + 1)]
            self._windows += [(file, first, end) for first, end in pairwise(ends) if end > first]
        self.rows = sum(end - first for _, first, end in self._windows)
        if not self._windows:
            raise ValueError(f"Expected TFRecord files with rows. Received: {len(files)} files without any.")
        file = self._windows[0][0]
        next(read_features(file, rows_at_once=1, sequence_length=sequence_length))  # of another length: an error now

    def number_of_windows(self, epoch: int) -> int:
        """Return how many windows an epoch has."""
        return len(self._windows)

    def window(self, epoch: int, number: int) -> Instances:
        """Return the rows of a window.

        Raises:
            ValueError: rows of another length, or with ids that the vocabulary lacks.
        """
        order = np.random.default_rng([self._seed, epoch]).permutation(len(self._windows))
        return self._read(*self._windows[order[number]])

    def evaluation_rows(self, count: int) -> Instances:
        """Return the first rows, `count` at most."""
        file, first, end = self._windows[0]
        return self._read(file, first, min(end, first + count))

    def piece_counts(self, vocabulary_size: int) -> np.ndarray:
        """Count the masked pieces of a window, int64 (V,): what is to be predicted is a sample of all text."""
        rows = self.window(0, 0)
        return np.bincount(rows["mask_ids"][rows["mask_weights"] > 0], minlength=vocabulary_size)

    def _read(self, file: Path, first: int, end: int) -> Instances:
        parts = read_features(file, rows_at_once=end - first, first=first, sequence_length=self._sequence_length)
        rows = next(parts)
        largest = max(int(rows["token_ids"].max()), int(rows["mask_ids"].max()))
        if largest >= self._vocabulary_size:
            raise ValueError(
                f"The rows in {file} were made with another vocabulary: they have the id {largest:,}, the tokenizer "
                f"has {self._vocabulary_size:,} pieces. Name the tokenizer that they were made with."
            )
        return rows

"""Batches of raw input for `fit`, `evaluate` and `predict`: tokenized once, packed batch by batch."""

from typing import Any

import keras
import numpy as np

from keras_albert.tasks.preprocessor import AlbertPreprocessor
from keras_albert.text.batching import batches_in_order_of_length, shuffled_batches


class TextBatches(keras.utils.PyDataset):
    """Batches of similar length out of texts in memory, with Keras's interface for datasets.

    Args:
        preprocessor: tokenizes and packs.
        x: raw input of the task, such as N texts or pairs of texts.
        y: its labels, or None.
        sample_weight: float (N,), or None.
        batch_size: rows in a batch.
        shuffle: whether every epoch draws new batches; False gives batches in order of length.
        keep_batch_size: whether the last batch is filled with copies of a row, so that every batch has one size (for
            prediction, whose surplus rows the caller drops).

    Raises:
        ValueError: the input, or labels or weights that don't fit it; see the preprocessor's `encode_rows`.
    """

    def __init__(
        self,
        preprocessor: AlbertPreprocessor,
        x: Any,
        y: Any = None,
        sample_weight: Any = None,
        batch_size: int = 32,
        shuffle: bool = False,
        keep_batch_size: bool = False,
    ) -> None:
        super().__init__()
        self.preprocessor = preprocessor
        self.encoded, self.y, self.sample_weight = preprocessor.encode_rows(x, y, sample_weight)
        preprocessor.report(self.encoded)
        self.batch_size = batch_size
        self.shuffle = shuffle
        self.keep_batch_size = keep_batch_size and len(self.encoded) > batch_size
        # Keras's seed (keras.utils.set_random_seed seeds NumPy's global generator) decides the order.
        self._rng = np.random.default_rng(np.random.randint(2**31))
        self.lengths = np.minimum(self.encoded.lengths, preprocessor.longest_row)
        self.draw_batches()

    def draw_batches(self) -> None:
        """Decide which rows meet in this epoch's batches."""
        if self.shuffle:
            self.batches = shuffled_batches(self.lengths, self.batch_size, self._rng)
        else:
            self.batches = batches_in_order_of_length(self.lengths, self.batch_size)

    @property
    def order(self) -> np.ndarray:
        """The row of `x` behind each row of the batches one after the other, int (N,)."""
        return np.concatenate(self.batches)

    def __len__(self) -> int:
        return len(self.batches)

    def __getitem__(self, index: int) -> Any:
        rows = self.batches[index]
        if self.keep_batch_size and len(rows) < self.batch_size:
            rows = np.concatenate([rows, np.repeat(rows[-1:], self.batch_size - len(rows))])
        return self.batch_of(rows)

    def batch_of(self, rows: np.ndarray) -> Any:
        """Return some rows, packed: `x`, `(x, y)` or `(x, y, sample_weight)`."""
        return self.preprocessor.arrange(
            self.preprocessor.features(self.encoded, rows),
            keras.tree.map_structure(lambda labels: None if labels is None else labels[rows], self.y),
            None if self.sample_weight is None else self.sample_weight[rows],
        )

    def on_epoch_end(self) -> None:
        """Draw new batches for the next epoch."""
        self.draw_batches()

"""Which rows go together in a batch, so that little padding is computed."""

import numpy as np

from keras_albert.text.packing import ALLOWED_LENGTHS

# Rows are grouped by length within a shuffled window of this many batches: wide enough that a batch holds little
# padding, narrow enough that an epoch's order stays random.
WINDOW_BATCHES = 64


def batches_in_order_of_length(lengths: np.ndarray, batch_size: int) -> list[np.ndarray]:
    """Split all rows into batches of similar length, shortest first; every row is in exactly one.

    Args:
        lengths: int (rows,).
        batch_size: rows in a batch; the last one may hold fewer.

    Returns:
        Row indices of each batch.

    Raises:
        ValueError: a batch of no rows.

    Example:
        >>> [batch.tolist() for batch in batches_in_order_of_length(np.array([9, 3, 8, 4]), 2)]
        [[1, 3], [2, 0]]
    """
    _check_positive("batch_size", batch_size)
    order = np.argsort(lengths, kind="stable")
    return [order[start : start + batch_size] for start in range(0, len(order), batch_size)]


def shuffled_batches(
    lengths: np.ndarray, batch_size: int, rng: np.random.Generator, window_batches: int = WINDOW_BATCHES
) -> list[np.ndarray]:
    """Draw an epoch's batches: rows shuffled, grouped by similar length within a window, batches shuffled.

    Which rows meet changes with every call: lengths that are padded to the same allowed length count as equal, which
    costs nothing. The smaller batch (where `batch_size` does not divide the number of rows) is drawn at random from all
    rows, not from the longest, and comes at any place.

    Args:
        lengths: int (rows,).
        batch_size: rows in a batch.
        rng: the random generator.
        window_batches: batches in a window; the rows of a window are sorted by padded length.

    Returns:
        Row indices of each batch; every row is in exactly one.

    Raises:
        ValueError: a batch of no rows, or a window of no batches.
    """
    _check_positive("batch_size", batch_size)
    _check_positive("window_batches", window_batches)
    order = rng.permutation(len(lengths))
    whole = len(order) - len(order) % batch_size
    batches = [order[whole:]] if whole < len(order) else []
    window = batch_size * window_batches
    for start in range(0, whole, window):
        rows = order[start : min(start + window, whole)]
        rows = rows[np.argsort(np.searchsorted(ALLOWED_LENGTHS, lengths[rows]), kind="stable")]
        batches.extend(rows.reshape(-1, batch_size))
    return [batches[index] for index in rng.permutation(len(batches))]


def _check_positive(name: str, value: int) -> None:
    if value < 1:
        raise ValueError(f"Expected {name} to be at least 1. Received: {name}={value}")

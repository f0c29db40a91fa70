"""Tags and weights of words, checked and brought to one array."""

from collections.abc import Sequence
from typing import Any

import numpy as np

_EXPECTED = "Expected y as a list with a list of tags for each text, one tag for each word."


def tag_numbers(y: Any, tags: Sequence[str]) -> list[np.ndarray]:
    """Turn the tags of texts into their numbers, and check the numbers that are given.

    Args:
        y: for each text the names or the numbers of its words' tags.
        tags: the names, in the order of their numbers.

    Returns:
        int32 (W,) for each text.

    Raises:
        ValueError: a tag that is none of these, something else than a list of tags; with the row.

    Example:
        >>> [numbers.tolist() for numbers in tag_numbers([["O", "B-LOC"], [1]], ["O", "B-LOC"])]
        [[0, 1], [1]]
    """
    numbers = {name: number for number, name in enumerate(tags)}
    return [_numbers_of_row(row_tags, row, numbers) for row, row_tags in enumerate(_rows(y))]


def _rows(y: Any) -> list[Any]:
    if isinstance(y, str | bytes) or not hasattr(y, "__len__"):
        raise ValueError(f"{_EXPECTED} Received: y={y!r:.100}")
    return list(y)


def _numbers_of_row(row_tags: Any, row: int, numbers: dict[str, int]) -> np.ndarray:
    if isinstance(row_tags, str | bytes) or not hasattr(row_tags, "__len__"):
        raise ValueError(f"{_EXPECTED} Received: {row_tags!r:.100} in row {row}")
    result = np.zeros(len(row_tags), "int32")
    for word, tag in enumerate(row_tags):
        is_number = isinstance(tag, int | np.integer) and not isinstance(tag, bool | np.bool_)
        number = tag if is_number else numbers.get(tag) if isinstance(tag, str) else None
        if number is None or not 0 <= number < len(numbers):
            known = f"{list(numbers)} or their numbers from 0 to {len(numbers) - 1}"
            raise ValueError(f"Expected tags among {known:.600}. Received: {tag!r} in row {row}, word {word}")
        result[word] = number
    return result


def flat_labels(y: Any, word_counts: np.ndarray) -> np.ndarray:
    """Put the tags of all texts into one array.

    Args:
        y: for each text the numbers of its words' tags.
        word_counts: number of words of each text, int (N,).

    Returns:
        int32 (words,).

    Raises:
        ValueError: another number of texts or of words, or names, which only the task knows; with row and counts.
    """
    rows = [np.asarray(row_tags) for row_tags in _rows(y)]
    _check_counts(rows, word_counts, "y", "tag")
    for row, numbers in enumerate(rows):
        if numbers.size and numbers.dtype.kind not in "iu":
            raise ValueError(
                f"Expected the numbers of tags. Received: {numbers[0]!r} in row {row}. The model knows the names: call "
                "its `fit` or `evaluate` on the texts, or pass `model.prepare_labels(y)`."
            )
    return np.concatenate([numbers.astype("int32") for numbers in rows])


def flat_weights(sample_weight: Any, word_counts: np.ndarray) -> np.ndarray:
    """Put the weights of all words into one array.

    Args:
        sample_weight: a weight for each text, (N,), or for each text a list with a weight for each word.
        word_counts: number of words of each text, int (N,).

    Returns:
        float32 (words,).

    Raises:
        ValueError: another number of texts or of words; with row and counts.

    Example:
        >>> flat_weights([2.0, 0.5], np.array([1, 2])).tolist()
        [2.0, 0.5, 0.5]
    """
    rows = [np.asarray(weights, "float32") for weights in sample_weight]
    if rows and all(weights.ndim == 0 for weights in rows) and len(rows) == len(word_counts):
        return np.repeat(np.stack(rows), word_counts)
    _check_counts(rows, word_counts, "sample_weight", "weight")
    return np.concatenate(rows)


def _check_counts(rows: list[np.ndarray], word_counts: np.ndarray, name: str, item: str) -> None:
    if len(rows) != len(word_counts):
        raise ValueError(
            f"Expected a list of {item}s for each text. Received: {len(word_counts)} texts, {len(rows)} rows of {name}"
        )
    for row, (values, count) in enumerate(zip(rows, word_counts, strict=True)):
        if values.ndim != 1 or len(values) != count:
            raise ValueError(
                f"Expected one {item} for each word. Received: {count} words and {values.size} {item}s in row {row}. "
                "Pass lists of words where the tags belong to other words than the texts are split into."
            )

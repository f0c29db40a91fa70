"""From the labels that users have (names, numbers, sets of these) to the arrays that a classifier trains on."""

from collections.abc import Sequence
from typing import Any

import numpy as np


def class_numbers(y: Any, num_classes: int, class_names: Sequence[str] | None) -> np.ndarray:
    """Turn names into integers, and check the range of integer labels.

    Args:
        y: a name or an integer for each text; other arrays are returned as they are.
        num_classes: the number C of classes.
        class_names: a name for each class, or None.

    Returns:
        int32 (N,) for names, else `y` as an array.

    Raises:
        ValueError: a label that is no class, a name where there are no names, or several labels for a text.

    Example:
        >>> class_numbers(["yes", "no"], 2, ["no", "yes"]).tolist()
        [1, 0]
    """
    if isinstance(y, (list, tuple)) and any(isinstance(labels, (set, frozenset)) for labels in y):
        raise ValueError(f"Expected one label for each text. Received: y={y!r:.100}. {_SEVERAL}")
    try:
        labels = np.asarray(y)
    except ValueError as error:
        raise ValueError(
            f"Expected one label for each text. Received: y={y!r:.100}, lists of different lengths. {_SEVERAL}"
        ) from error
    if labels.dtype.kind in "USO" and labels.size and isinstance(labels.flat[0], str):
        numbers = _numbers_of(labels.ravel().tolist(), class_names)
        return np.array(numbers, "int32").reshape(labels.shape)
    is_class_number = labels.ndim == 1 or labels.shape[1:] == (1,)
    if labels.dtype.kind in "iu" and is_class_number and labels.size:
        _check_range(labels, num_classes)
    return labels


_SEVERAL = "Several labels for a text need a model with multi_label=True."


def multi_hot(y: Any, num_classes: int, class_names: Sequence[str] | None) -> np.ndarray:
    """Turn the sets of classes of texts into rows of zeros and ones.

    Args:
        y: for each text a list, tuple or set of names or class numbers, which may be empty; or an array (N, C) of
            numbers in [0, 1] ((N,) does too where C is 1). Numbers in lists are class numbers, never zeros and ones.
        num_classes: the number C of classes.
        class_names: a name for each class, or None.

    Returns:
        float32 (N, C).

    Raises:
        ValueError: a label that is no class, a label instead of a list of them, an array of another shape or out of
            range, or lists that may be meant as zeros and ones.

    Example:
        >>> multi_hot([{"sports"}, ["law", "sports"], []], 2, ["law", "sports"]).tolist()
        [[0.0, 1.0], [1.0, 1.0], [0.0, 0.0]]
        >>> multi_hot([[2], [0, 1]], 3, None).tolist()
        [[0.0, 0.0, 1.0], [1.0, 1.0, 0.0]]
    """
    if hasattr(y, "__array__"):  # columns of a data frame and tensors too
        y = np.asarray(y)
        if y.dtype.kind in "biuf":
            return _checked_multi_hot(y, num_classes)
    rows = list(y)
    if rows and all(isinstance(row, np.ndarray) and row.dtype.kind in "biuf" for row in rows):
        return _checked_multi_hot(np.stack(rows), num_classes)
    for position, row in enumerate(rows):
        if not isinstance(row, (list, tuple, set, frozenset, np.ndarray)):
            raise ValueError(
                "Expected a list or set of labels for each text, as the model has multi_label=True. "
                f"Received: {row!r:.100} in row {position}; write [{row!r:.100}]."
            )
    if rows and all(_looks_multi_hot(row, num_classes) for row in rows):
        raise ValueError(
            f"These labels may be class numbers, or zeros and ones for {num_classes} classes. Received: y={y!r:.100}. "
            "Pass zeros and ones as `numpy.array(y)`, class numbers as sets."
        )
    hot = np.zeros((len(rows), num_classes), "float32")
    for position, row in enumerate(rows):
        hot[position, _numbers_of_row(row, position, num_classes, class_names)] = 1.0
    return hot


def _checked_multi_hot(array: np.ndarray, num_classes: int) -> np.ndarray:
    if array.ndim == 1 and num_classes == 1:
        array = array[:, None]
    if array.ndim != 2 or array.shape[1] != num_classes:
        raise ValueError(
            f"Expected labels of shape (N, {num_classes}), a column for each class. Received: y.shape={array.shape}. "
            "Pass class numbers as lists or sets: [[0, 2], [1]]."
        )
    # Written so that a NaN fails too.
    wrong = np.flatnonzero(~((array >= 0) & (array <= 1)).all(axis=1))
    if wrong.size:
        raise ValueError(f"Expected labels in [0, 1]. Received: {array[wrong[0]].tolist()} in row {wrong[0]}")
    return array.astype("float32")


def _looks_multi_hot(row: Any, num_classes: int) -> bool:
    is_ordered = isinstance(row, (list, tuple)) and len(row) == num_classes
    return is_ordered and all(not isinstance(value, str) and value in (0, 1) for value in row)


def _numbers_of_row(row: Any, position: int, num_classes: int, class_names: Sequence[str] | None) -> list[int]:
    labels = list(row)
    if any(isinstance(label, str) for label in labels):
        return _numbers_of(labels, class_names)
    numbers = np.asarray(labels)
    if numbers.size and numbers.dtype.kind not in "iu":
        raise ValueError(
            f"Expected names or class numbers. Received: {labels!r:.100} in row {position}. Pass zeros and ones as "
            "an array, `numpy.array(y)`."
        )
    _check_range(numbers, num_classes)
    return [int(number) for number in labels]


def _numbers_of(names: list[Any], class_names: Sequence[str] | None) -> list[int]:
    if class_names is None:
        raise ValueError(f"Labels are names, and the model has none: pass class_names=. Received: {names[0]!r}")
    numbers = {name: number for number, name in enumerate(class_names)}
    unknown = sorted({name for name in names if name not in numbers}, key=str)
    if unknown:
        raise ValueError(f"Expected labels among {list(class_names)}. Received: {unknown[:5]}")
    return [numbers[name] for name in names]


def _check_range(labels: np.ndarray, num_classes: int) -> None:
    wrong = labels[(labels < 0) | (labels >= num_classes)]
    if wrong.size:
        raise ValueError(
            f"Expected labels from 0 to {num_classes - 1} (num_classes={num_classes}). "
            f"Received: {sorted(set(wrong.ravel().tolist()))[:5]} in {wrong.size:,} of {labels.size:,} labels"
        )

"""What people pass as multiple-choice examples and as labels, brought to lists of strings and to integers.

`RaceProcessor` of google-research/albert race_utils.py, for any number of options.
"""

from collections.abc import Sequence
from string import ascii_uppercase
from typing import Any

import numpy as np

NAMES = ("context", "question", "options")
EXPECTED = (
    "Expected multiple-choice examples: a tuple of three columns `(contexts, questions, options)`, where options is a "
    'list of lists of strings, or a list of {"context": ..., "question": ..., "options": [...]}.'
)


def as_columns(x: Any) -> tuple[list[str], list[str], list[list[str]]]:
    """Turn examples into their columns.

    Args:
        x: a tuple of N contexts, N questions and N lists of options (lists, arrays or pandas columns), or a list of N
            objects with these names in the singular (`options` in the plural).

    Raises:
        ValueError: no example, columns of different lengths, something that is not text, or fewer than two options.

    Example:
        >>> as_columns([{"context": "It rains.", "question": "Is it dry?", "options": ["yes", "no"]}])
        (['It rains.'], ['Is it dry?'], [['yes', 'no']])
    """
    contexts, questions, options = _split(x)
    lengths = {"contexts": len(contexts), "questions": len(questions), "options": len(options)}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"Expected a context, a question and a list of options in each example. Received: {lengths}")
    if not contexts:
        raise ValueError(f"{EXPECTED} Received: no example at all")
    return (
        [_text(text, f"contexts[{row}]") for row, text in enumerate(contexts)],
        [_text(text, f"questions[{row}]") for row, text in enumerate(questions)],
        [_option_texts(texts, row) for row, texts in enumerate(options)],
    )


def label_numbers(y: Any) -> np.ndarray:
    """Turn labels into the positions of the right options, counted from 0.

    Args:
        y: N integers, or N letters from "A" (the first option) to "Z".

    Returns:
        int64 (N,).

    Raises:
        ValueError: neither integers nor such letters, or not one for each example.

    Example:
        >>> label_numbers(["B", "A"])
        array([1, 0])
    """
    labels = np.asarray(y)
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.ndim == 1 and labels.dtype.kind in "iu":
        return labels.astype("int64")
    values: list[Any] = labels.tolist() if labels.ndim == 1 else [None]
    if all(isinstance(value, int) and not isinstance(value, bool) for value in values):
        return np.array(values, "int64")
    if all(isinstance(value, str) and len(value) == 1 and value in ascii_uppercase for value in values):
        return np.array([ascii_uppercase.index(value) for value in values], "int64")
    raise ValueError(
        "Expected the position of the right option for each example: whole numbers from 0, or letters from A. "
        f"Received: y of shape {labels.shape} and dtype {labels.dtype}, {labels.ravel()[:5].tolist()}"
    )


def check_labels(labels: np.ndarray, option_counts: np.ndarray) -> None:
    """Check that each label is a position among the example's own options.

    Args:
        labels: int (N,).
        option_counts: number of options of each example, int (N,).

    Raises:
        ValueError: another number of labels, or a label that is no option.
    """
    if labels.shape != option_counts.shape:
        raise ValueError(
            f"Expected one label for each example. Received: {len(option_counts)} examples, y.shape={labels.shape}"
        )
    wrong = np.flatnonzero((labels < 0) | (labels >= option_counts))
    if wrong.size:
        row = int(wrong[0])
        raise ValueError(
            f"Expected labels from 0 to {option_counts[row] - 1}, as example {row} has {option_counts[row]} options. "
            f"Received: y[{row}]={labels[row]} ({wrong.size:,} of {len(labels):,} labels are no option)"
        )


def _split(x: Any) -> tuple[list[Any], list[Any], list[Any]]:
    if isinstance(x, tuple) and len(x) == 3 and not any(isinstance(column, str | bytes | dict) for column in x):
        contexts, questions, options = (_as_list(column) for column in x)
        return contexts, questions, options
    if isinstance(x, list | tuple) and all(isinstance(example, dict) for example in x):
        for row, example in enumerate(x):
            missing = [name for name in NAMES if name not in example]
            if missing:
                raise ValueError(f"{EXPECTED} Received: example {row} without {', '.join(missing)}: {list(example)}")
        contexts, questions, options = ([example[name] for example in x] for name in NAMES)
        return contexts, questions, options
    advice = "; put it in a list" if isinstance(x, dict) and isinstance(x.get("context"), str) else ""
    size = f" of {len(x)}" if isinstance(x, Sequence) else ""
    raise ValueError(f"{EXPECTED} Received: a {type(x).__name__}{size}{advice}")


def _as_list(column: Any) -> list[Any]:
    if isinstance(column, list | tuple):
        return list(column)
    array = np.asarray(column) if hasattr(column, "__array__") else None
    if array is None or array.ndim == 0:
        raise ValueError(f"{EXPECTED} Received: a column of type {type(column).__name__}")
    return list(array)


def _option_texts(options: Any, row: int) -> list[str]:
    if isinstance(options, str | bytes) or not hasattr(options, "__len__"):
        raise ValueError(f"Expected a list of options. Received: options[{row}]={options!r:.100}; put it in a list")
    if len(options) < 2:
        raise ValueError(f"Expected at least two options. Received: {len(options)} in options[{row}]")
    return [_text(text, f"options[{row}][{position}]") for position, text in enumerate(options)]


def _text(value: Any, name: str) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if not isinstance(value, str):
        raise ValueError(
            f"Expected text. Received: {name}={value!r:.100} of type {type(value).__name__}. "
            "Drop the example, or put an empty string there."
        )
    return str(value)  # a NumPy string becomes a plain one

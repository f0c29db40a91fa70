"""What people pass as text, turned into one or two lists of strings: the segments of each row."""

import sys
from typing import Any

import numpy as np

EXPECTED = (
    "Expected text: a list or array of strings, or a pair of them: `(first_texts, second_texts)` or a list of "
    "`(first, second)`."
)


def is_text(x: Any) -> bool:
    """Whether `x` is text in one of the forms that `as_segments` takes (an empty list counts as text)."""
    if isinstance(x, str | bytes):
        return True
    if isinstance(x, list | tuple):
        # Missing values are passed over: text with a gap is still text, and `as_segments` says where the gap is.
        return len(x) == 0 or is_text(next((value for value in x if not _is_missing(value)), None))
    dtype = getattr(x, "dtype", None)
    if is_tensorflow_tensor(x):
        return bool(dtype == "string")
    if getattr(dtype, "kind", "") in ("U", "S", "T"):
        return True
    return str(dtype) in ("object", "str", "string") and is_text(np.asarray(x, dtype=object).ravel().tolist())


def is_tensorflow_tensor(x: Any) -> bool:
    """Whether `x` is a TensorFlow tensor, eager or symbolic; TensorFlow is not imported for the question."""
    tensorflow = sys.modules.get("tensorflow")
    return tensorflow is not None and hasattr(tensorflow, "is_tensor") and bool(tensorflow.is_tensor(x))


def as_segments(x: Any) -> tuple[list[str], list[str] | None]:
    """Turn a batch of texts, or of pairs, into a list of first segments and one of second segments.

    Args:
        x: a list, array or pandas column of strings (or UTF-8 bytes; what is not UTF-8 becomes U+FFFD); a tuple of two
            of these; a list or (rows, 2) array of pairs.

    Returns:
        The first segments, and the second ones (None where there is one segment).

    Raises:
        ValueError: nothing in it, segments of different number, a missing value, or something that is not text.

    Example:
        >>> as_segments(["a", "b"])
        (['a', 'b'], None)
        >>> as_segments([("a", "b"), ("c", "d")])
        (['a', 'c'], ['b', 'd'])
    """
    if isinstance(x, tuple) and len(x) == 2 and not isinstance(x[0], str | bytes):
        first, second = (_as_strings(segment) for segment in x)
        if len(first) != len(second):
            raise ValueError(
                f"Expected as many second segments as first ones. Received: {len(first)} first, {len(second)} second"
            )
        return first, second
    if isinstance(x, tuple) and len(x) == 1 and not isinstance(x[0], str | bytes):
        return as_segments(x[0])
    rows = _as_list(x)
    if rows and all(isinstance(row, list | tuple | np.ndarray) for row in rows):
        if any(len(row) != 2 for row in rows):
            raise ValueError(f"{EXPECTED} Received: rows of {sorted({len(row) for row in rows})} texts")
        return _as_strings([row[0] for row in rows]), _as_strings([row[1] for row in rows])
    return _as_strings(rows), None


def _as_list(x: Any) -> list[Any]:
    if isinstance(x, list | tuple):
        return list(x)
    array = np.asarray(x) if hasattr(x, "__array__") else None
    if isinstance(x, str | bytes) or (array is not None and array.ndim == 0):
        raise ValueError(f"{EXPECTED} Received: one value, {x!r:.100}; put it in a list")
    if array is not None:
        return list(array)
    raise ValueError(f"{EXPECTED} Received: {type(x).__name__}")


def _as_strings(texts: Any) -> list[str]:
    strings = [text.decode("utf-8", "replace") if isinstance(text, bytes) else text for text in _as_list(texts)]
    if not strings:
        raise ValueError(f"{EXPECTED} Received: no text at all")
    for row, text in enumerate(strings):
        if not isinstance(text, str):
            advice = " Drop missing values, or replace them by an empty string." if _is_missing(text) else ""
            raise ValueError(f"{EXPECTED} Received: {text!r:.100} ({type(text).__name__}) in row {row}.{advice}")
    return strings


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and value != value)  # a NaN differs from itself

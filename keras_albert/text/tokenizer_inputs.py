"""What users pass as texts and as ids, brought to plain lists of `str` and `int`."""

import sys
from collections.abc import Callable
from typing import Any

import keras
import numpy as np

__all__ = ["is_symbolic", "to_id_rows", "to_texts", "tokenize_in_graph"]

_EXPECTED_TEXTS = "Expected a string, or a list, tuple or one-dimensional array of strings."


def to_texts(inputs: Any) -> tuple[list[str], bool]:
    """Return texts as a list, and whether they came as a batch.

    Args:
        inputs: a string (or UTF-8 bytes; what is not UTF-8 becomes U+FFFD), or a list, tuple, array, eager TensorFlow
            tensor or data-frame column of them.

    Raises:
        ValueError: anything else; a missing value (None, NaN) in a batch is named by its position.
    """
    if isinstance(inputs, (str, bytes)):
        return [_to_text(inputs, "inputs")], False
    if not isinstance(inputs, (list, tuple)):
        if not hasattr(inputs, "__array__"):
            raise ValueError(f"{_EXPECTED_TEXTS} Received: inputs={inputs!r:.100} of type {type(inputs).__name__}.")
        array = np.asarray(inputs)
        if array.ndim == 0:
            return [_to_text(array.item(), "inputs")], False
        if array.ndim > 1:
            raise ValueError(f"{_EXPECTED_TEXTS} Received: inputs of shape {array.shape}. Pass one column at a time.")
        inputs = array.tolist()
    # One pass at C speed tells the usual case.
    if set(map(type, inputs)) <= {str}:
        return list(inputs), True
    return [_to_text(value, f"inputs[{position}]") for position, value in enumerate(inputs)], True


def _to_text(value: Any, name: str) -> str:
    if isinstance(value, str):
        return str(value)
    if isinstance(value, bytes):
        return value.decode("utf-8", errors="replace")
    advice = "Pass one column of texts."
    if value is None or value != value:  # a NaN differs from itself
        advice = "Drop missing values, or replace them by an empty string."
    raise ValueError(f"{_EXPECTED_TEXTS} Received: {name}={value!r:.100} of type {type(value).__name__}. {advice}")


def to_id_rows(inputs: Any) -> tuple[list[list[int]], bool]:
    """Return ids as a list of rows, and whether they came as a batch.

    Args:
        inputs: one id, a row of ids or a batch of rows: numbers, lists, arrays, tensors of any backend, or a ragged
            TensorFlow tensor.

    Raises:
        ValueError: not whole numbers, or more than two dimensions.
    """
    if hasattr(inputs, "to_list"):
        inputs = inputs.to_list()
    if isinstance(inputs, (list, tuple)) and any(hasattr(row, "__len__") and np.ndim(row) > 0 for row in inputs):
        return [_to_id_row(row) for row in inputs], True
    array = _to_array(inputs)
    if array.ndim == 2:
        return [_to_id_row(row) for row in array], True
    return [_to_id_row(array)], False


def _to_id_row(row: Any) -> list[int]:
    array = np.atleast_1d(_to_array(row))
    if array.ndim != 1 or (array.size and not np.issubdtype(array.dtype, np.integer)):
        raise ValueError(f"Expected one or two dimensions of whole numbers as ids. Received: {row!r:.200}")
    return array.tolist()


def _to_array(values: Any) -> np.ndarray:
    if not isinstance(values, np.ndarray) and keras.ops.is_tensor(values):
        return keras.ops.convert_to_numpy(values)
    return np.asarray(values)


def is_symbolic(inputs: Any) -> bool:
    """Say whether `inputs` is a tensor of a TensorFlow graph, without importing TensorFlow."""
    tensorflow = sys.modules.get("tensorflow")
    is_symbolic_tensor = getattr(tensorflow, "is_symbolic_tensor", None)  # absent where TensorFlow is not installed
    return is_symbolic_tensor is not None and is_symbolic_tensor(inputs)


def tokenize_in_graph(encode: Callable[[list[str]], list[list[int]]], inputs: Any) -> Any:
    """Run a Python encoder as an operation of a TensorFlow graph, so that graph and eager calls share one code.

    Args:
        encode: from a list of texts to a list of rows of ids; called from several threads at once.
        inputs: symbolic string tensor of shape () or (B,).

    Returns:
        int32 ids: a tensor of shape (None,) for a scalar, else a `tf.RaggedTensor` of shape (B, None).

    Raises:
        ValueError: not a string tensor, or of more dimensions.
    """
    import tensorflow as tf

    if inputs.dtype != tf.string or inputs.shape.rank not in (0, 1):
        raise ValueError(
            f"{_EXPECTED_TEXTS} Received: a tensor of dtype {inputs.dtype.name} and shape {inputs.shape} inside a "
            "TensorFlow graph. Pass one column at a time."
        )

    def encode_batch(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        rows = encode(to_texts(np.atleast_1d(np.asarray(values, dtype=object)))[0])
        lengths = np.array([len(row) for row in rows], dtype=np.int64)
        ids = np.fromiter((id for row in rows for id in row), dtype=np.int32, count=int(lengths.sum()))
        return ids, lengths

    # stateful=False: the same texts always give the same ids, so TensorFlow may prune or share the operation.
    ids, lengths = tf.numpy_function(encode_batch, [inputs], [tf.int32, tf.int64], stateful=False)
    ids.set_shape([None])
    if inputs.shape.rank == 0:
        return ids
    lengths.set_shape(inputs.shape)
    return tf.RaggedTensor.from_row_lengths(ids, lengths, validate=False)

from collections.abc import Callable
from typing import Any

import keras
import numpy as np
import pytest
import tensorflow as tf

from keras_albert.text.tokenizer_inputs import is_symbolic, to_id_rows, to_texts


class Column:
    """Converts to an array of objects, as a data-frame column does."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.array(["a", "b"], dtype=object)


@pytest.mark.parametrize(
    ("inputs", "expected"),
    [
        ("a", (["a"], False)),
        ("", ([""], False)),
        (np.str_("a"), (["a"], False)),
        ("ü".encode(), (["ü"], False)),
        (b"a\xff", (["a\ufffd"], False)),
        (np.array("a"), (["a"], False)),
        ([], ([], True)),
        (["a", "b"], (["a", "b"], True)),
        (("a", b"b"), (["a", "b"], True)),
        (np.array(["a", "bc"]), (["a", "bc"], True)),
        (np.array([b"a", b"bc"]), (["a", "bc"], True)),
        (np.array(["a", b"bc"], dtype=object), (["a", "bc"], True)),
        (np.array([], dtype=str), ([], True)),
        (Column(), (["a", "b"], True)),
    ],
)
def test_to_texts(inputs: Any, expected: tuple[list[str], bool]) -> None:
    texts, batched = to_texts(inputs)
    assert (texts, batched) == expected
    assert {type(text) for text in texts} <= {str}


def test_to_texts_of_eager_tensorflow_tensors() -> None:
    assert to_texts(tf.constant("ü")) == (["ü"], False)
    assert to_texts(tf.constant(["a", "b"])) == (["a", "b"], True)


@pytest.mark.parametrize("inputs", [None, 7, 1.5, float("nan"), {"a": 1}, {"a"}, object(), (text for text in "ab")])
def test_to_texts_refuses_what_is_no_text(inputs: Any) -> None:
    with pytest.raises(ValueError, match=r"Expected a string.*Received: inputs="):
        to_texts(inputs)


@pytest.mark.parametrize("missing", [None, float("nan")])
@pytest.mark.parametrize("container", [list, tuple, lambda values: np.array(values, dtype=object)])
def test_to_texts_names_the_place_of_a_missing_value(missing: Any, container: Callable[[list[Any]], Any]) -> None:
    with pytest.raises(ValueError, match=r"Received: inputs\[1\]=(None|nan).*Drop missing values"):
        to_texts(container(["a", missing]))


@pytest.mark.parametrize("inputs", [[["a"]], np.array([["a"]]), np.array([1, 2]), [1], [("a", "b")]])
def test_to_texts_refuses_numbers_and_more_than_one_column(inputs: Any) -> None:
    with pytest.raises(ValueError, match="Expected a string"):
        to_texts(inputs)


@pytest.mark.parametrize(
    ("inputs", "expected"),
    [
        (3, ([[3]], False)),
        ([], ([[]], False)),
        ([3, 4], ([[3, 4]], False)),
        (np.array([3, 4], "int32"), ([[3, 4]], False)),
        ([[3], [4, 5]], ([[3], [4, 5]], True)),
        ([[], []], ([[], []], True)),
        (np.array([[3, 4]]), ([[3, 4]], True)),
        ([np.array([3]), np.array([4, 5])], ([[3], [4, 5]], True)),
        ([np.int64(3)], ([[3]], False)),
    ],
)
def test_to_id_rows(inputs: Any, expected: tuple[list[list[int]], bool]) -> None:
    rows, batched = to_id_rows(inputs)
    assert (rows, batched) == expected
    assert {type(id) for row in rows for id in row} <= {int}


def test_to_id_rows_of_tensors() -> None:
    assert to_id_rows(keras.ops.convert_to_tensor([[3, 4], [5, 6]])) == ([[3, 4], [5, 6]], True)
    assert to_id_rows(keras.ops.convert_to_tensor(3)) == ([[3]], False)
    assert to_id_rows(tf.constant([3, 4])) == ([[3, 4]], False)
    assert to_id_rows(tf.ragged.constant([[3], [4, 5]])) == ([[3], [4, 5]], True)


@pytest.mark.parametrize(
    "inputs", [None, "a", 1.5, [1.5], [True], ["a"], [None], np.zeros((1, 1, 1), "int32"), [[[1]]]]
)
def test_to_id_rows_refuses_what_is_no_id(inputs: Any) -> None:
    with pytest.raises(ValueError, match="Expected one or two dimensions of whole numbers"):
        to_id_rows(inputs)


def test_is_symbolic_inside_a_graph_only() -> None:
    seen = []
    tf.data.Dataset.from_tensors("a").map(lambda text: (seen.append(is_symbolic(text)), text)[1])
    assert seen == [True]
    assert not is_symbolic(tf.constant("a"))
    assert not is_symbolic("a")

import importlib.util
import sys

import numpy as np
import pytest

from keras_albert.text.segments import as_segments, is_tensorflow_tensor, is_text

pytestmark = pytest.mark.any_backend

TEXTS = ["a café", "", "b b"]
OTHERS = ["x", "y", "z"]
STRING_DTYPE = np.dtypes.StringDType() if hasattr(np.dtypes, "StringDType") else object  # NumPy 2


def utf8(texts: list[str]) -> np.ndarray:
    return np.array([text.encode() for text in texts])


BATCHES = {
    "list": TEXTS,
    "tuple": tuple(TEXTS),
    "list_of_bytes": [text.encode() for text in TEXTS],
    "unicode_array": np.array(TEXTS),
    "bytes_array": utf8(TEXTS),
    "object_array": np.array(TEXTS, dtype=object),
    "object_array_of_bytes": np.array([text.encode() for text in TEXTS], dtype=object),
    "string_array": np.array(TEXTS, dtype=STRING_DTYPE),
    "tuple_of_one": (TEXTS,),
}
PAIRS = {
    "tuple_of_lists": (TEXTS, OTHERS),
    "tuple_of_tuples": (tuple(TEXTS), tuple(OTHERS)),
    "tuple_of_arrays": (np.array(TEXTS), np.array(OTHERS, dtype=object)),
    "tuple_of_list_and_bytes": (TEXTS, utf8(OTHERS)),
    "list_of_tuples": list(zip(TEXTS, OTHERS, strict=True)),
    "list_of_lists": [list(pair) for pair in zip(TEXTS, OTHERS, strict=True)],
    "tuple_of_three_pairs": tuple(zip(TEXTS, OTHERS, strict=True)),
    "unicode_table": np.array([TEXTS, OTHERS]).T,
    "bytes_table": np.array([utf8(TEXTS), utf8(OTHERS)]).T,
    "object_table": np.array([TEXTS, OTHERS], dtype=object).T,
    "string_table": np.array([TEXTS, OTHERS], dtype=STRING_DTYPE).T,
}
if importlib.util.find_spec("pandas"):
    import pandas

    COLUMN = pandas.Series(TEXTS, index=[7, 8, 9])
    BATCHES |= {"column": COLUMN, "object_column": COLUMN.astype(object), "string_column": COLUMN.astype("string")}
    PAIRS |= {
        "tuple_of_columns": (COLUMN, pandas.Series(OTHERS)),
        "column_of_pairs": pandas.Series(list(zip(TEXTS, OTHERS, strict=True))),
    }


@pytest.mark.parametrize("x", BATCHES.values(), ids=BATCHES)
def test_segments_of_texts(x):
    assert is_text(x)
    assert as_segments(x) == (TEXTS, None)


@pytest.mark.parametrize("x", PAIRS.values(), ids=PAIRS)
def test_segments_of_pairs(x):
    assert is_text(x)
    assert as_segments(x) == (TEXTS, OTHERS)


@pytest.mark.parametrize("x", [*BATCHES.values(), *PAIRS.values()], ids=[*BATCHES, *PAIRS])
def test_segments_are_lists_of_str(x):
    for segments in as_segments(x):
        assert segments is None or (type(segments) is list and all(isinstance(text, str) for text in segments))


def test_two_strings_in_a_tuple_are_two_texts():
    # A pair is a tuple of two lists; `("a", "b")` is as much a batch as `["a", "b"]`, and so is a tuple of one.
    assert as_segments(("a", "b")) == (["a", "b"], None)
    assert as_segments(("a",)) == (["a"], None)


def test_bytes_that_are_not_utf8_become_replacement_characters():
    assert as_segments([b"caf\xe9"]) == (["caf\N{REPLACEMENT CHARACTER}"], None)


NAN = float("nan")
REFUSED = {
    "none": (None, "Received: NoneType"),
    "number": (3, "Received: int"),
    "dict": ({"text": ["a"]}, "Received: dict"),
    "set": ({"a"}, "Received: set"),
    "string": ("a b", "Received: one value, 'a b'; put it in a list"),
    "bytes": (b"a", "Received: one value, b'a'; put it in a list"),
    "scalar_array": (np.array("a"), "Received: one value, .*; put it in a list"),
    "empty_list": ([], "Received: no text at all"),
    "empty_array": (np.array([], dtype="U1"), "Received: no text at all"),
    "empty_pair": (([], []), "Received: no text at all"),
    "none_in_list": (["a", None], r"Received: None \(NoneType\) in row 1. Drop missing values"),
    "nan_in_list": ([NAN, "a"], r"Received: nan \(float\) in row 0. Drop missing values"),
    "nan_in_array": (np.array(["a", NAN], dtype=object), r"Received: nan \(float\) in row 1. Drop missing values"),
    "none_in_pair": ([("a", "b"), ("c", None)], r"Received: None \(NoneType\) in row 1. Drop missing values"),
    "none_as_segment": ((["a"], None), "Received: NoneType"),
    "numbers": ([1, 2], r"Received: 1 \(int\) in row 0"),
    "number_in_list": (["a", 2.5], r"Received: 2.5 \(float\) in row 1"),
    "array_of_numbers": (np.array([1, 2]), r"Received: .*1.* \(int64\) in row 0"),
    "unequal_numbers": ((["a", "b"], ["c"]), "Received: 2 first, 1 second"),
    "string_as_second": ((["a"], "b"), "Received: one value, 'b'; put it in a list"),
    "string_as_first": (("a", ["b"]), r"Received: \['b'\] \(list\) in row 1"),
    "rows_of_three": ([("a", "b", "c"), ("d", "e", "f")], r"Received: rows of \[3\] texts"),
    "table_of_three": (np.array([["a", "b", "c"]]), r"Received: rows of \[3\] texts"),
    "table_of_one": (np.array([["a"], ["b"]]), r"Received: rows of \[1\] texts"),
    "rows_of_two_and_three": ([("a", "b"), ("d", "e", "f")], r"Received: rows of \[2, 3\] texts"),
    "three_segments": ((["a"], ["b"], ["c"]), r"Received: rows of \[1\] texts"),
    "texts_and_pairs": (["a", ("b", "c")], r"Received: \('b', 'c'\) \(tuple\) in row 1"),
    "nested_pairs": ([[["a"], ["b"]]], r"Received: \['a'\] \(list\) in row 0"),
}


@pytest.mark.parametrize(("x", "message"), REFUSED.values(), ids=REFUSED)
def test_segments_refuse(x, message):
    with pytest.raises(ValueError, match=f"(?s)^Expected .*{message}"):
        as_segments(x)


@pytest.mark.parametrize(
    "x",
    [[], ["a"], [None, "a"], [NAN, "a"], np.array([None, "a"], dtype=object), "a", b"a", np.array("a"), [[]]],
    ids=repr,
)
def test_text_with_gaps_is_text_and_is_left_to_the_error_of_segments(x):
    assert is_text(x)


@pytest.mark.parametrize(
    "x",
    [
        None,
        1,
        [1, 2],
        [None],
        np.arange(3),
        np.array([1, "a"], dtype=object),
        [np.zeros(2)],
        {"token_ids": ["a"]},
        [[1]],
    ],
    ids=repr,
)
def test_arrays_of_numbers_are_no_text(x):
    assert not is_text(x)


def test_tensorflow_tensors_are_known_without_importing_tensorflow(monkeypatch):
    monkeypatch.delitem(sys.modules, "tensorflow", raising=False)
    assert not is_tensorflow_tensor(["a"])
    assert "tensorflow" not in sys.modules


def test_tensorflow_tensors_eager_and_symbolic():
    tf = pytest.importorskip("tensorflow")
    symbolic = []

    @tf.function
    def trace(texts):
        symbolic.append(is_tensorflow_tensor(texts))
        return texts

    texts = tf.constant(["a", "b"])
    trace(texts)
    assert symbolic == [True]
    assert is_tensorflow_tensor(texts)
    assert is_text(texts)
    assert not is_text(tf.constant([1, 2]))
    assert not is_tensorflow_tensor(np.array(["a"]))
    assert as_segments(texts) == (["a", "b"], None)

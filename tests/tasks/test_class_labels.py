"""Labels in every form that users have, for one class and for several classes of a text."""

import numpy as np
import pytest

from keras_albert.tasks.class_labels import class_numbers, multi_hot

pytestmark = pytest.mark.any_backend

NAMES = ("law", "sports", "art")
HOT = [[0, 1, 0], [1, 1, 0], [0, 0, 0]]


@pytest.mark.parametrize(
    "labels",
    [
        [["sports"], ("sports", "law"), []],
        [{"sports"}, {"law", "sports"}, set()],
        [[1], [0, 1], []],
        [{1}, frozenset({0, 1}), ()],
        [[np.int64(1)], np.array([0, 1]), []],
        np.array(HOT),
        np.array(HOT, bool),
        np.array(HOT, "float32"),
        [np.array(row) for row in HOT],
    ],
)
def test_several_labels_become_zeros_and_ones(labels):
    received = multi_hot(labels, 3, NAMES)
    assert received.dtype == "float32"
    assert received.tolist() == HOT


def test_columns_of_lists_become_zeros_and_ones():
    column = np.empty(3, dtype=object)
    column[:] = [["sports"], ["law", "sports"], []]
    assert multi_hot(column, 3, NAMES).tolist() == HOT


def test_degrees_of_a_class_are_kept():
    assert multi_hot(np.array([[0.25, 1.0]]), 2, None).tolist() == [[0.25, 1.0]]


def test_one_class_takes_a_row_of_zeros_and_ones():
    assert multi_hot(np.array([1, 0]), 1, None).tolist() == [[1.0], [0.0]]


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["law", "sports"], r"'law' in row 0; write \['law'\]"),
        ([["law"], 2], r"2 in row 1; write \[2\]"),
        ([["law", "cooking"]], r"among \['law', 'sports', 'art'\]. Received: \['cooking'\]"),
        ([["law", 1]], r"Received: \[1\]"),
        ([[0], [3]], r"from 0 to 2 .*Received: \[3\]"),
        ([[0, -1]], r"from 0 to 2 .*Received: \[-1\]"),
        ([[0.0, 1.0], [1.0]], r"zeros and ones as an array"),
        ([[0, 1, 1], [1, 0, 0]], r"may be class numbers.*`numpy.array\(y\)`, class numbers as sets"),
        (np.array([0, 2]), r"shape \(N, 3\).*Received: y.shape=\(2,\).*\[\[0, 2\], \[1\]\]"),
        (np.zeros((2, 4)), r"shape \(N, 3\).*Received: y.shape=\(2, 4\)"),
        (np.array([[0, 0, 1], [0, 0, 2]]), r"in \[0, 1\]. Received: \[0, 0, 2\] in row 1"),
        (np.array([[0, 0, np.nan]]), r"in \[0, 1\]. Received: .*nan.* in row 0"),
    ],
)
def test_labels_of_another_form_are_refused(labels, message):
    with pytest.raises(ValueError, match=message):
        multi_hot(labels, 3, NAMES)


def test_zeros_and_ones_in_lists_are_never_read_as_class_numbers():
    with pytest.raises(ValueError, match="may be class numbers"):
        multi_hot([[0, 1], [1, 0]], 2, None)
    assert multi_hot([{0, 1}, {1}], 2, None).tolist() == [[1.0, 1.0], [0.0, 1.0]]


def test_names_without_names_in_the_model_are_refused():
    with pytest.raises(ValueError, match="pass class_names="):
        multi_hot([["law"]], 3, None)


@pytest.mark.parametrize("labels", [[{"law"}, {"art"}], [["law"], ["law", "art"]]])
def test_several_labels_for_one_class_are_refused(labels):
    with pytest.raises(ValueError, match="multi_label=True"):
        class_numbers(labels, 3, NAMES)


def test_one_label_becomes_its_number():
    assert class_numbers(["art", "law"], 3, NAMES).tolist() == [2, 0]
    assert class_numbers([2, 0], 3, None).tolist() == [2, 0]

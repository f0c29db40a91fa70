"""Tags and weights of words: names, numbers, and what is refused."""

import numpy as np
import pytest

from keras_albert.tasks.token_classification.labels import flat_labels, flat_weights, tag_numbers

pytestmark = pytest.mark.any_backend

TAGS = ["O", "B-LOC"]


@pytest.mark.parametrize(
    "y, message",
    [
        ([["O"], ["O", "B-PER"]], "Received: 'B-PER' in row 1, word 1"),
        ([[0, 2]], "Received: 2 in row 0, word 1"),
        ([[-1]], "Received: -1"),
        ([[True]], "Received: True"),
        ([[0.0]], "Received: 0.0"),
        (["O O"], "Received: 'O O' in row 0"),
        ("O", "Received: y='O'"),
    ],
)
def test_tags_that_the_model_does_not_have_are_refused(y, message):
    with pytest.raises(ValueError, match=message):
        tag_numbers(y, TAGS)


def test_tags_that_do_not_match_the_words_are_refused_with_row_and_counts():
    with pytest.raises(ValueError, match="3 words and 2 tags in row 1"):
        flat_labels([[0], [0, 1]], np.array([1, 3]))
    with pytest.raises(ValueError, match="2 texts, 1 rows of y"):
        flat_labels([[0]], np.array([1, 3]))


def test_names_are_for_the_task():
    with pytest.raises(ValueError, match="prepare_labels"):
        flat_labels([["O"]], np.array([1]))


def test_weights_are_of_texts_or_of_words():
    counts = np.array([1, 0, 2])
    assert flat_weights([3.0, 1.0, 0.5], counts).tolist() == [3.0, 0.5, 0.5]
    assert flat_weights([[1.0], [], [0.0, 2.0]], counts).tolist() == [1.0, 0.0, 2.0]
    with pytest.raises(ValueError, match="0 words and 1 weights in row 1"):
        flat_weights([[1.0], [2.0], [0.0, 2.0]], counts)
    with pytest.raises(ValueError, match="3 texts, 2 rows of sample_weight"):
        flat_weights([1.0, 2.0], counts)

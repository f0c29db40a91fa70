"""Windows over long contexts; expected values counted by hand."""

import numpy as np
import pytest

from keras_albert.tasks.question_answering.windows import QuestionWindows, max_context_windows, window_spans

pytestmark = pytest.mark.any_backend


@pytest.mark.parametrize(
    ("num_tokens", "room", "stride", "expected"),
    [
        (0, 4, 2, [[0, 0]]),
        (4, 4, 2, [[0, 4]]),
        (5, 4, 2, [[0, 4], [2, 3]]),
        (9, 4, 4, [[0, 4], [4, 4], [8, 1]]),
        (9, 4, 100, [[0, 4], [4, 4], [8, 1]]),  # no stride skips tokens
    ],
)
def test_window_spans_cover_the_context(num_tokens, room, stride, expected):
    assert window_spans(num_tokens, room, stride).tolist() == expected


def test_max_context_is_the_earlier_window_on_a_tie():
    # Token 2 has one neighbour on its worse side in both windows of four; token 3 has more in the second.
    assert max_context_windows(np.array([[0, 4], [1, 4]])).tolist() == [0, 0, 0, 1, 1]


def test_max_context_prefers_the_longer_window_by_a_hundredth_of_its_length():
    # Token 2 is at an edge of both windows: 0 + 0.03 against 0 + 0.04.
    assert max_context_windows(np.array([[0, 3], [2, 4]])).tolist() == [0, 0, 1, 1, 1, 1]


def test_starts_that_count_are_context_tokens_with_most_context():
    windows = QuestionWindows(np.array([[0, 3], [2, 2]]), offset=2)
    expected = [[False, False, True, True, True, False], [False, False, False, True, False, False]]
    assert windows.starts_that_count(6).tolist() == expected

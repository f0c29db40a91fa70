"""Windows of long texts: nothing is lost, and a word counts where it has most context."""

from itertools import pairwise

import numpy as np
import pytest

from keras_albert.tasks.token_classification.windows import rows_with_most_context, window_spans

pytestmark = pytest.mark.any_backend


def test_a_short_text_is_one_window():
    assert window_spans(np.array([2, 3]), capacity=5, overlap=2) == [(0, 2)]
    assert window_spans(np.zeros(0, "int64"), capacity=5, overlap=2) == [(0, 0)]


def test_windows_hold_whole_words():
    # Pieces of the words: 3 | 2 | 4 | 1 | 3; in windows of 5: 3+2, 4+1, 1+3.
    assert window_spans(np.array([3, 2, 4, 1, 3]), capacity=5, overlap=1) == [(0, 2), (2, 4), (3, 5)]


def test_windows_cover_every_word_and_share_what_they_may(rng):
    for _ in range(300):
        capacity = int(rng.integers(3, 12))
        overlap = int(rng.integers(0, capacity))
        counts = rng.integers(1, capacity + 1, int(rng.integers(0, 40)))
        spans = window_spans(counts, capacity, overlap)
        ends = np.concatenate([[0], np.cumsum(counts)])
        assert set(range(len(counts))) == {word for first, end in spans for word in range(first, end)}
        assert all(ends[end] - ends[first] <= capacity for first, end in spans)
        assert all(left[0] < right[0] and left[1] < right[1] for left, right in pairwise(spans))
        shared = [ends[left[1]] - ends[right[0]] for left, right in pairwise(spans[:-1])]
        assert max(shared, default=0) <= overlap


def test_words_belong_to_the_window_with_most_context(rng):
    for _ in range(100):
        counts = rng.integers(1, 5, 30)
        spans = np.array(window_spans(counts, 12, 7))
        ends = np.concatenate([[0], np.cumsum(counts)])
        rows = rows_with_most_context(ends, spans)
        for word, row in enumerate(rows):
            context = [
                min(ends[word] - ends[first], ends[end] - ends[word + 1]) if first <= word < end else -1
                for first, end in spans
            ]
            assert row == int(np.argmax(context))
        assert (np.diff(rows) >= 0).all()

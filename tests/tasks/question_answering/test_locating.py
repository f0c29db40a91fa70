"""Where an answer lies: characters and tokens, counted by hand."""

import numpy as np
import pytest

from keras_albert.tasks.question_answering.locating import TokenizedContext, covering_tokens, locate

pytestmark = pytest.mark.any_backend

CONTEXT = "  Rome is old, Rome"


@pytest.mark.parametrize(("said", "found"), [(2, 2), (0, 2), (8, 2), (9, 15), (15, 15), (99, 15), (-1, 2)])
def test_answer_is_found_at_its_nearest_occurrence(said, found):
    assert locate("Rome", said, CONTEXT) == found


def test_answer_that_is_nowhere_is_not_found():
    assert locate("rome", 2, CONTEXT) is None
    assert locate("Rome", 0, "") is None


def test_overlapping_occurrences_all_count():
    assert locate("aa", 2, "aaab") == 1


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [(0, 1, (0, 0)), (3, 4, (2, 2)), (1, 5, (1, 2)), (0, 8, (0, 3)), (1, 2, None), (6, 8, (3, 3)), (7, 8, None)],
)
def test_covering_tokens_are_whole_tokens(start, end, expected):
    # "a", an empty token before "fox", "fox", "s", in "a foxs. "; a blank belongs to what follows it
    context = TokenizedContext("a foxs. ", np.arange(4), np.array([0, 2, 2, 5]), np.array([1, 2, 5, 7]))
    assert covering_tokens(context, start, end) == expected

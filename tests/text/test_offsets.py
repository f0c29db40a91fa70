import pytest

from keras_albert.text.offsets import to_source_spans

pytestmark = pytest.mark.any_backend


def test_spans_follow_the_alignment() -> None:
    # "É  b" -> "e b": the pieces "e", " ", "b"
    assert to_source_spans([(0, 1), (1, 2), (2, 3)], [0, 1, 3], [1, 3, 4], 4) == [(0, 1), (1, 3), (3, 4)]


def test_an_empty_span_is_a_place_in_the_source() -> None:
    assert to_source_spans([(0, 0), (0, 1), (1, 1)], [2], [3], 5) == [(2, 2), (2, 3), (5, 5)]


def test_spans_never_go_back_when_one_character_becomes_several() -> None:
    # One character stands for "a b": the blank, a piece without characters, falls inside it.
    assert to_source_spans([(0, 1), (2, 2), (2, 3)], [0, 0, 0], [1, 1, 1], 1) == [(0, 1), (0, 1), (0, 1)]

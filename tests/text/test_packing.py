import itertools

import numpy as np
import pytest
from tiny_tokenizers import both

from keras_albert.text.packing import (
    ALLOWED_LENGTHS,
    SpecialIds,
    TokenRows,
    allowed_length,
    pack,
    packed_lengths,
    truncate_pair,
)

pytestmark = pytest.mark.any_backend

SPECIAL = SpecialIds(start=2, end=3, pad=0)


def truncated_one_by_one(first_length: int, second_length: int, budget: int) -> tuple[int, int]:
    while first_length + second_length > budget:
        if first_length > second_length:
            first_length -= 1
        else:
            second_length -= 1
    return first_length, second_length


def packed_by_hand(
    first: list[int], second: list[int] | None, special: SpecialIds, length: int
) -> tuple[list[int], ...]:
    """One row, token by token: ids, segments, mask."""
    if second is None:
        tokens = [special.start, *first[: length - 2], special.end]
        segments = [0] * len(tokens)
    else:
        keep_first, keep_second = truncated_one_by_one(len(first), len(second), length - 3)
        head = [special.start, *first[:keep_first], special.end]
        tail = [*second[:keep_second], special.end]
        tokens, segments = head + tail, [0] * len(head) + [1] * len(tail)
    padding = length - len(tokens)
    return tokens + [special.pad] * padding, segments + [0] * padding, [1] * len(tokens) + [0] * padding


def rows_of_ids(rng: np.random.Generator, lengths: list[int]) -> list[np.ndarray]:
    return [rng.integers(5, 50, length).astype("int32") for length in lengths]


def test_truncation_equals_dropping_tokens_one_by_one():
    for first, second, budget in itertools.product(range(31), range(31), range(61)):
        assert truncate_pair(first, second, budget) == truncated_one_by_one(first, second, budget)


@pytest.mark.parametrize("special", [SPECIAL, SpecialIds(start=101, end=102, pad=7)], ids=["albert", "pad_7"])
@pytest.mark.parametrize("length", [5, 6, 7, 11, 16])
def test_pack_pairs_equals_the_rows_by_hand(rng, special, length):
    lengths = list(itertools.product([0, 1, 2, 3, 7, 20], repeat=2))
    first = rows_of_ids(rng, [pair[0] for pair in lengths])
    second = rows_of_ids(rng, [pair[1] for pair in lengths])
    packed = pack(first, second, special, length)
    for row, (a, b) in enumerate(zip(first, second, strict=True)):
        expected = packed_by_hand(a.tolist(), b.tolist(), special, length)
        assert (
            packed["token_ids"][row].tolist(),
            packed["segment_ids"][row].tolist(),
            packed["padding_mask"][row].tolist(),
        ) == expected


@pytest.mark.parametrize("length", [3, 4, 8, 16])
def test_pack_single_segments_equals_the_rows_by_hand(rng, length):
    first = rows_of_ids(rng, [0, 1, 2, 5, 6, 7, 14, 15, 40])
    packed = pack(first, None, SPECIAL, length)
    for row, a in enumerate(first):
        expected = packed_by_hand(a.tolist(), None, SPECIAL, length)
        assert (
            packed["token_ids"][row].tolist(),
            packed["segment_ids"][row].tolist(),
            packed["padding_mask"][row].tolist(),
        ) == expected


def test_pack_returns_int32_and_leaves_its_input_alone(rng):
    first, second = rows_of_ids(rng, [9, 2]), rows_of_ids(rng, [4, 5])
    before = [row.copy() for row in (*first, *second)]
    packed = pack(first, second, SPECIAL, 8)
    assert {name: (array.dtype, array.shape) for name, array in packed.items()} == dict.fromkeys(
        ("token_ids", "segment_ids", "padding_mask"), (np.dtype("int32"), (2, 8))
    )
    for old, new in zip(before, (*first, *second), strict=True):
        np.testing.assert_array_equal(old, new)


def test_every_row_of_a_ragged_batch_has_the_length_and_ends_with_sep(rng):
    # Three pairs of very unlike lengths, all one token over the limit or more.
    first, second = rows_of_ids(rng, [9, 5, 1]), rows_of_ids(rng, [1, 5, 9])
    packed = pack(first, second, SPECIAL, 11)
    assert packed["token_ids"].shape == (3, 11)
    assert packed["padding_mask"].sum(axis=1).tolist() == [11, 11, 11]
    assert packed["token_ids"][:, 0].tolist() == [2, 2, 2]
    assert packed["token_ids"][:, -1].tolist() == [3, 3, 3]
    assert (packed["token_ids"] == 3).sum(axis=1).tolist() == [2, 2, 2]
    assert packed["segment_ids"].sum(axis=1).tolist() == [1 + 1, 4 + 1, 7 + 1]


def test_the_last_token_before_the_padding_is_sep(rng):
    lengths = rng.integers(0, 30, (40, 2)).tolist()
    first = rows_of_ids(rng, [a for a, _ in lengths])
    for second in (None, rows_of_ids(rng, [b for _, b in lengths])):
        packed = pack(first, second, SPECIAL, 24)
        last = packed["padding_mask"].sum(axis=1) - 1
        assert (packed["token_ids"][np.arange(40), last] == 3).all()
        # The mask is ones, then zeros.
        assert (np.diff(packed["padding_mask"], axis=1) <= 0).all()


def test_a_long_text_is_cut_in_tokens_with_the_special_ones_counted(rng):

    packed = pack(rows_of_ids(rng, [600]), None, SPECIAL, 512)
    assert packed["token_ids"].shape == (1, 512)
    assert packed["token_ids"][0, -1] == 3
    assert packed["padding_mask"].sum() == 512


@both
def test_literal_pad_in_a_text_is_no_padding(make):

    tokenizer = make()
    special = SpecialIds(tokenizer.start_token_id, tokenizer.end_token_id, tokenizer.pad_token_id)
    rows = TokenRows.from_lists(tokenizer.tokenize(["room <pad> the", "[PAD] room [SEP]", "</s>"]))
    packed = pack(list(rows), None, special, int(packed_lengths(rows, None).max()) + 3)
    is_padding = packed["padding_mask"] == 0
    np.testing.assert_array_equal(packed["token_ids"] == special.pad, is_padding)
    assert (is_padding.sum(axis=1) >= 3).all()


def test_allowed_length_is_the_least_one_that_holds_the_longest_row():
    for longest, limit in itertools.product(range(1, 1200), (5, 16, 30, 40, 512, 513, 1024, 2000)):
        length = allowed_length(longest, limit)
        choices = {allowed for allowed in ALLOWED_LENGTHS if allowed <= limit} | {limit}
        assert length == min((choice for choice in choices if choice >= longest), default=limit)


def test_token_rows_hold_each_row():
    rows = TokenRows.from_lists([[5, 6, 7], [], [8]])
    assert len(rows) == 3
    assert [row.tolist() for row in rows] == [[5, 6, 7], [], [8]]
    assert rows[1].dtype == rows.flat.dtype == np.dtype("int32")
    assert rows.lengths.tolist() == [3, 0, 1]
    assert rows.lengths.dtype == np.dtype("int64")
    assert rows[np.int64(2)].tolist() == [8]


def test_token_rows_count_from_the_end_and_refuse_a_row_too_many():
    rows = TokenRows.from_lists([[5, 6], [7]])
    assert rows[-1].tolist() == [7]
    assert rows[-2].tolist() == [5, 6]
    for index in (2, -3):
        with pytest.raises(IndexError):
            rows[index]


def test_token_rows_of_nothing():
    rows = TokenRows.from_lists([])
    assert len(rows) == 0
    assert list(rows) == []
    assert rows.lengths.tolist() == []


def test_packed_lengths_count_the_special_tokens():
    first, second = TokenRows.from_lists([[5, 6], []]), TokenRows.from_lists([[7], []])
    assert packed_lengths(first, None).tolist() == [4, 2]
    assert packed_lengths(first, second).tolist() == [6, 3]

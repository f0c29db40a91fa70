import itertools

import numpy as np
import pytest

from keras_albert.text.batching import WINDOW_BATCHES, batches_in_order_of_length, shuffled_batches
from keras_albert.text.packing import allowed_length

pytestmark = pytest.mark.any_backend


@pytest.fixture
def skewed_lengths(rng) -> np.ndarray:
    """2,000 lengths as of real sentences: most are short, a few very long."""
    return np.clip(rng.lognormal(3, 0.8, 2000), 3, 512).astype("int64")


def padded_share(lengths: np.ndarray, batches: list[np.ndarray]) -> float:
    """The share of padding in all positions, each batch padded to an allowed length."""
    positions = sum(len(batch) * allowed_length(int(lengths[batch].max()), 512) for batch in batches)
    return 1 - lengths.sum() / positions


def share_that_meets_again(first: list[np.ndarray], second: list[np.ndarray]) -> float:
    """Of all pairs of rows that share a batch in one epoch, the share that does in the next."""

    def pairs(batches: list[np.ndarray]) -> set[tuple[int, int]]:
        return {pair for batch in batches for pair in itertools.combinations(sorted(batch.tolist()), 2)}

    return len(pairs(first) & pairs(second)) / len(pairs(first))


@pytest.mark.parametrize("batch_size", [1, 7, 32, 2000, 5000])
def test_every_row_is_in_exactly_one_batch(skewed_lengths, rng, batch_size):
    for batches in (
        batches_in_order_of_length(skewed_lengths, batch_size),
        shuffled_batches(skewed_lengths, batch_size, rng),
        shuffled_batches(skewed_lengths, batch_size, rng, window_batches=3),
    ):
        assert sorted(np.concatenate(batches).tolist()) == list(range(2000))
        sizes = sorted(len(batch) for batch in batches)
        assert len(batches) == -(-2000 // batch_size)
        assert set(sizes[1:]) <= {batch_size}
        assert 0 < sizes[0] <= batch_size


def test_fewer_rows_than_a_batch_give_one_batch(rng):
    lengths = np.array([9, 3, 5])
    (batch,) = shuffled_batches(lengths, 32, rng)
    assert sorted(batch.tolist()) == [0, 1, 2]
    (batch,) = batches_in_order_of_length(lengths, 32)
    assert batch.tolist() == [1, 2, 0]


def test_no_rows_give_no_batches(rng):
    assert shuffled_batches(np.array([], "int64"), 4, rng) == []
    assert batches_in_order_of_length(np.array([], "int64"), 4) == []


def test_order_of_length_is_sorted_and_keeps_the_order_of_equals():
    lengths = np.array([4, 2, 4, 2, 1, 4])
    batches = batches_in_order_of_length(lengths, 2)
    assert [batch.tolist() for batch in batches] == [[4, 1], [3, 0], [2, 5]]


def test_shuffling_differs_between_calls_and_repeats_with_its_seed(skewed_lengths):
    def two_epochs(seed: int) -> list[list[list[int]]]:
        rng = np.random.default_rng(seed)
        return [[batch.tolist() for batch in shuffled_batches(skewed_lengths, 32, rng)] for _ in range(2)]

    first, second = two_epochs(1)
    assert two_epochs(1) == [first, second]
    assert first != second
    assert two_epochs(2)[0] != first


@pytest.mark.parametrize("rows", [2000, 1984])  # with rows left over, and without
def test_other_rows_meet_in_every_epoch_even_where_one_window_holds_all(skewed_lengths, rng, rows):
    lengths = skewed_lengths[:rows]
    first, second = (shuffled_batches(lengths, 32, rng) for _ in range(2))
    # Sorted by exact length, half of the pairs would meet again.
    assert share_that_meets_again(first, second) < 0.2


def test_grouping_by_length_saves_most_of_the_padding(skewed_lengths, rng):
    order = rng.permutation(2000)
    random_batches = [order[start : start + 32] for start in range(0, 2000, 32)]
    grouped = np.mean([padded_share(skewed_lengths, shuffled_batches(skewed_lengths, 32, rng)) for _ in range(5)])
    # Random batches are mostly padding: one long row lengthens all 32.
    assert padded_share(skewed_lengths, random_batches) > 0.7
    assert grouped < 0.35
    assert padded_share(skewed_lengths, batches_in_order_of_length(skewed_lengths, 32)) < 0.3


def test_order_of_batches_has_nothing_to_do_with_length(skewed_lengths, rng):
    correlations = []
    for _ in range(100):
        means = [skewed_lengths[batch].mean() for batch in shuffled_batches(skewed_lengths, 32, rng)]
        correlations.append(np.corrcoef(np.arange(len(means)), means)[0, 1])
    # The standard error of the mean is 1 / sqrt(62 * 100) = 0.013.
    assert abs(np.mean(correlations)) < 0.05
    assert np.std(correlations) < 0.2


def test_the_small_batch_is_of_any_length_and_at_any_place(rng):
    lengths = np.arange(99)
    small = [
        (place, lengths[batch].mean())
        for _ in range(300)
        for place, batch in enumerate(shuffled_batches(lengths, 8, rng))
        if len(batch) == 3
    ]
    places, means = np.array(small).T
    assert len(small) == 300
    assert set(places) == set(range(13))
    # The mean of 3 of 0..98 has mean 49 and standard deviation 28.6 / sqrt(3) = 16.5.
    assert abs(means.mean() - 49) < 5
    assert 13 < means.std() < 20


class InOrder:
    """Stands in for a generator; nothing is shuffled."""

    permutation = staticmethod(np.arange)


def test_rows_of_a_window_are_sorted_by_padded_length():
    # Padded to    48 16 128 24 | 16 48 16 768 | 16
    lengths = np.array([40, 5, 100, 17, 16, 33, 5, 600, 12])
    batches = shuffled_batches(lengths, 2, InOrder(), window_batches=2)
    # Row 8 is left over. Rows 4 and 6 are padded to the same length and stay in their (random) order.
    assert [batch.tolist() for batch in batches] == [[8], [1, 3], [0, 2], [4, 6], [5, 7]]


def test_default_window_holds_its_number_of_batches():
    lengths = np.tile([100, 5], WINDOW_BATCHES * 2)
    batches = shuffled_batches(lengths, 2, InOrder())
    # Two windows: short rows, then long ones, twice.
    expected = ([5] * (WINDOW_BATCHES // 2) + [100] * (WINDOW_BATCHES // 2)) * 2
    assert [lengths[batch].tolist() for batch in batches] == [[length, length] for length in expected]


@pytest.mark.parametrize("batch_size", [0, -1])
def test_refuses_batches_of_no_rows(rng, batch_size):
    with pytest.raises(ValueError, match=f"Received: batch_size={batch_size}"):
        batches_in_order_of_length(np.arange(5), batch_size)
    with pytest.raises(ValueError, match=f"Received: batch_size={batch_size}"):
        shuffled_batches(np.arange(5), batch_size, rng)


@pytest.mark.parametrize("window_batches", [0, -2])
def test_refuses_windows_of_no_batches(rng, window_batches):
    with pytest.raises(ValueError, match=f"Received: window_batches={window_batches}"):
        shuffled_batches(np.arange(5), 2, rng, window_batches)

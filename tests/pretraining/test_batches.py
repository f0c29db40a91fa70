"""The endless stream of batches, its positions, and the thread that runs ahead."""

import itertools
import threading

import numpy as np
import pytest

from keras_albert.pretraining.batches import Position, Prefetched, model_inputs, stream_batches


class Windows:
    """Windows of 7, 3 and 10 numbered rows in every epoch."""

    sizes = (7, 3, 10)

    def number_of_windows(self, epoch):
        return len(self.sizes)

    def window(self, epoch, number):
        start = 1000 * epoch + 100 * number
        return {"token_ids": np.arange(start, start + self.sizes[number])[:, None]}


BEGINNING = Position()


def take(count, batch_size=4, seed=1, position=BEGINNING):
    stream = stream_batches(Windows(), batch_size, seed, position)
    return [(batch["token_ids"][:, 0].tolist(), after) for batch, after in itertools.islice(stream, count)]


def test_an_epoch_takes_whole_batches_of_each_window():
    batches = [rows for rows, _ in take(3)]
    assert [row // 100 for rows in batches for row in rows] == [0] * 4 + [2] * 8
    assert len({row for rows in batches for row in rows}) == 12


def test_the_stream_goes_on_with_the_next_epoch():
    assert [rows[0] // 1000 for rows, _ in take(7)] == [0, 0, 0, 1, 1, 1, 2]


def test_order_is_random_and_another_in_every_epoch():
    first, second = (rows for rows, _ in (take(4)[0], take(4)[3]))
    assert first != sorted(first)
    assert [row % 1000 for row in second] != first
    assert take(1, seed=2)[0][0] != first


@pytest.mark.parametrize("done", [1, 2, 3, 4, 5])
def test_the_stream_goes_on_from_a_position_as_if_never_stopped(done):
    whole = take(8)
    assert take(8 - done, position=whole[done - 1][1]) == whole[done:]


def test_data_that_fill_no_batch_are_an_error():
    with pytest.raises(ValueError, match=r"at most 10 rows at a time.*Received: batch_size=11\."):
        take(1, batch_size=11)


def test_weights_of_the_order_are_zero_where_rows_are_no_pairs():
    names = ("token_ids", "segment_ids", "padding_mask", "mask_positions", "mask_ids", "mask_weights")
    rows = {name: np.ones((2, 3)) for name in names} | {"sentence_order_label": np.array([0, 1])}
    assert model_inputs(rows, has_pairs=True)[2]["sentence_order"].tolist() == [1.0, 1.0]
    assert model_inputs(rows, has_pairs=False)[2]["sentence_order"].tolist() == [0.0, 0.0]


def test_prefetching_keeps_the_order():
    with Prefetched(iter(range(1000))) as numbers:
        assert [next(numbers) for _ in range(300)] == list(range(300))


def test_an_error_of_the_iterator_is_raised_where_its_element_is_taken():
    def numbers():
        yield 1
        raise ValueError("no more")

    with Prefetched(numbers()) as prefetched:
        assert next(prefetched) == 1
        with pytest.raises(ValueError, match="no more"):
            next(prefetched)


def test_leaving_ends_the_thread():
    with Prefetched(itertools.count()) as numbers:
        next(numbers)
    assert not any(thread.name == "pretraining-batches" for thread in threading.enumerate())

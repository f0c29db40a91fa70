from collections import Counter

import pytest

from keras_albert.finetuning.readers.streams import Example, collect, in_chunks, reservoir

pytestmark = pytest.mark.any_backend


def test_columns_that_no_example_has_are_none() -> None:
    examples = collect([Example("a", "b", 0.0, "7"), Example("c", "d", 1.0, "8")], "x.tsv")
    assert examples.columns() == {"texts": ["a", "c"], "pairs": ["b", "d"], "labels": [0.0, 1.0], "ids": ["7", "8"]}
    assert collect([Example("a")], "x.tsv").columns() == {"texts": ["a"]}


def test_no_example_names_the_source() -> None:
    with pytest.raises(ValueError, match=r"rows of text in x\.tsv"):
        collect([], "x.tsv")
    with pytest.raises(ValueError, match=r"rows of text in x\.tsv"):
        list(in_chunks([], "x.tsv", 5))


def test_drawn_rows_keep_their_order_and_depend_on_the_seed_alone() -> None:
    drawn = reservoir(range(100), 10, seed=1)
    assert len(set(drawn)) == 10
    assert drawn == sorted(drawn)
    assert drawn == reservoir(range(100), 10, seed=1)
    assert drawn != reservoir(range(100), 10, seed=2)
    with pytest.raises(ValueError, match="rows=0"):
        reservoir(range(3), 0, seed=1)


def test_every_place_is_drawn_equally_often() -> None:
    counts = Counter(place for seed in range(2000) for place in reservoir(range(8), 2, seed))
    # 500 each; six standard errors of a binomial with p = 1/4 are 116.
    assert all(abs(counts[place] - 500) < 116 for place in range(8))


def test_chunks_are_read_when_they_are_asked_for() -> None:
    read: list[int] = []

    def examples():
        for row in range(7):
            read.append(row)
            yield Example(str(row))

    chunks = in_chunks(examples(), "x.tsv", chunk_rows=3)
    assert next(chunks).texts == ["0", "1", "2"]
    assert len(read) == 3
    assert [chunk.texts for chunk in chunks] == [["3", "4", "5"], ["6"]]
    with pytest.raises(ValueError, match="chunk_rows=0"):
        next(in_chunks([], "x.tsv", 0))

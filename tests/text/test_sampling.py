from collections import Counter

from keras_albert.text.sampling import reservoir_sample


def test_all_items_come_in_order_where_there_are_no_more():
    assert reservoir_sample(iter("abc"), 3, seed=1) == ["a", "b", "c"]
    assert reservoir_sample(iter("abc"), 4, seed=1) == ["a", "b", "c"]
    assert reservoir_sample([], 4, seed=1) == []


def test_the_same_seed_gives_the_same_sample_and_another_one_another():
    samples = [reservoir_sample(range(1000), 20, seed) for seed in (1, 1, 2)]
    assert samples[0] == samples[1] != samples[2]
    assert len(set(samples[0])) == 20


def test_every_item_has_the_same_probability():
    drawn = Counter(item for seed in range(4000) for item in reservoir_sample(range(20), 5, seed))
    # 1000 each, with a standard deviation of 27.
    assert all(abs(drawn[item] - 1000) < 130 for item in range(20))


def test_one_item_of_many():
    drawn = [reservoir_sample(range(100), 1, seed)[0] for seed in range(2000)]
    assert abs(sum(drawn) / len(drawn) - 49.5) < 3  # the mean's standard deviation is 0.65

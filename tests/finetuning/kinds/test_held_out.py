import pytest

from keras_albert.finetuning.kinds.held_out import split_groups

pytestmark = pytest.mark.any_backend


def test_groups_stay_whole() -> None:
    groups = [number // 7 for number in range(700)]
    kept, drawn = split_groups(groups, share=0.05, least=5, seed=3)
    assert sorted(kept + drawn) == list(range(700))
    assert not {groups[row] for row in kept} & {groups[row] for row in drawn}
    assert len(drawn) == 35


def test_the_seed_decides() -> None:
    groups = list(range(400))
    assert split_groups(groups, 0.05, 5, seed=1) == split_groups(groups, 0.05, 5, seed=1)
    assert split_groups(groups, 0.05, 5, seed=1)[1] != split_groups(groups, 0.05, 5, seed=2)[1]


@pytest.mark.parametrize(
    ("groups", "least", "drawn"),
    [
        (list(range(100)), 20, 20),  # more than the share
        (list(range(10)), 20, 5),  # half at most
        (["big"] * 9 + ["small"], 5, 1),  # the big one has more than half
        (["one"] * 10, 5, 0),
        (["one"], 5, 0),
    ],
)
def test_at_least_so_many_and_at_most_half(groups: list[object], least: int, drawn: int) -> None:
    for seed in range(5):
        assert len(split_groups(groups, 0.05, least, seed)[1]) == drawn

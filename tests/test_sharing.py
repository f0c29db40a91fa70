import pytest

from keras_albert.sharing import sharing_plan


def test_plan_share_all():
    assert sharing_plan(4) == [(0, 0)] * 4


def test_plan_two_groups():
    assert sharing_plan(4, num_groups=2) == [(0, 0), (0, 0), (1, 1), (1, 1)]


@pytest.mark.parametrize(
    ("sharing", "expected"),
    [
        ("attention", [(0, 0), (0, 1), (0, 2), (0, 3)]),
        ("feed_forward", [(0, 0), (1, 0), (2, 0), (3, 0)]),
        ("none", [(0, 0), (1, 1), (2, 2), (3, 3)]),
    ],
)
def test_plan_of_the_papers_other_sharings(sharing, expected):
    assert sharing_plan(4, sharing=sharing) == expected


def test_plan_groups_need_not_divide_the_layers():
    assert [pair[0] for pair in sharing_plan(5, num_groups=2)] == [0, 0, 0, 1, 1]
    assert [pair[0] for pair in sharing_plan(12, num_groups=3)] == [0] * 4 + [1] * 4 + [2] * 4


def test_plan_inner_repetitions_run_one_after_the_other():
    assert sharing_plan(2, num_inner_repetitions=2) == [(0, 0), (1, 1), (0, 0), (1, 1)]
    assert sharing_plan(2, num_groups=2, num_inner_repetitions=2) == [(0, 0), (1, 1), (2, 2), (3, 3)]
    assert len(sharing_plan(12, num_inner_repetitions=2)) == 24


def test_plan_equals_the_floor_of_the_exact_quotient_for_all_sizes():
    from fractions import Fraction
    from math import floor

    for layers in range(1, 49):
        for groups in range(1, layers + 1):
            expected = [floor(Fraction(layer, layers) * groups) for layer in range(layers)]
            assert [pair[0] for pair in sharing_plan(layers, num_groups=groups)] == expected


def test_plan_equals_googles_float_expression_but_where_that_rounds_down():
    misrouted = {
        (layers, groups)
        for layers in range(1, 49)
        for groups in range(1, layers + 1)
        if layers % groups == 0
        and [int(layer / layers * groups) for layer in range(layers)]
        != [pair[0] for pair in sharing_plan(layers, num_groups=groups)]
    }
    assert misrouted == {(n, n) for n in (22, 23, 26, 39, 43, 44, 45, 46, 47)} | {(44, 22), (46, 23)}


@pytest.mark.parametrize(
    "arguments",
    [
        {"num_layers": 0},
        {"num_layers": 4, "num_groups": 5},
        {"num_layers": 4, "num_groups": 0},
        {"num_layers": 4, "num_inner_repetitions": 0},
        {"num_layers": 4, "sharing": "some"},
        {"num_layers": 4, "sharing": "none", "num_groups": 2},
    ],
)
def test_plan_refuses(arguments):
    with pytest.raises(ValueError, match="Received: "):
        sharing_plan(**arguments)

"""The sharing plan: which attention block and which feed-forward block run at each depth.

Paper section 3.1 and Table 4; `transformer_model` of google-research/albert modeling.py (groups, inner repetitions).
"""

from typing import Literal, get_args

Sharing = Literal["all", "attention", "feed_forward", "none"]


def sharing_plan(
    num_layers: int, sharing: Sharing = "all", num_groups: int = 1, num_inner_repetitions: int = 1
) -> list[tuple[int, int]]:
    """List the (attention block, feed-forward block) indices that run at each depth.

    Layer `l` of L belongs to group floor(l * G / L), computed in integers: Google's float expression means the same but
    misroutes where the division rounds down (22 layers of 22 groups, for one). G need not divide L. Each visit to a
    group runs its inner blocks one after the other, so that the plan has `num_layers * num_inner_repetitions` entries.

    Args:
        num_layers: number L of group visits, at least 1.
        sharing: what the layers of one group share: "all", only the "attention" block, only the "feed_forward" block,
            or "none" (BERT).
        num_groups: number G of groups, from 1 to L.
        num_inner_repetitions: number of different blocks that a visit to a group runs, at least 1.

    Returns:
        One pair for each depth, in the order in which they run.

    Raises:
        ValueError: a number out of its range, an unknown `sharing`, or groups where nothing is shared.

    Example:
        >>> sharing_plan(4, num_groups=2)
        [(0, 0), (0, 0), (1, 1), (1, 1)]
        >>> sharing_plan(3, sharing="attention")
        [(0, 0), (0, 1), (0, 2)]
    """
    if sharing not in get_args(Sharing):
        raise ValueError(f"Expected sharing among {list(get_args(Sharing))}. Received: sharing={sharing!r}")
    if num_layers < 1 or num_inner_repetitions < 1:
        raise ValueError(
            "Expected at least one layer and one inner repetition. "
            f"Received: num_layers={num_layers}, num_inner_repetitions={num_inner_repetitions}"
        )
    if not 1 <= num_groups <= num_layers:
        raise ValueError(f"Expected from 1 to num_layers={num_layers} groups. Received: num_groups={num_groups}")
    if sharing == "none" and num_groups > 1:
        raise ValueError(f"Groups share nothing with sharing='none': leave out num_groups. Received: {num_groups=}")
    plan: list[tuple[int, int]] = []
    for layer in range(num_layers):
        group = layer * num_groups // num_layers
        for inner in range(num_inner_repetitions):
            shared = group * num_inner_repetitions + inner
            own = len(plan)
            plan.append(
                (
                    shared if sharing in ("all", "attention") else own,
                    shared if sharing in ("all", "feed_forward") else own,
                )
            )
    return plan

"""A random sample of a stream, in memory of its size."""

import math
import random
from collections.abc import Iterable
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")


def reservoir_sample(items: Iterable[Item], size: int, seed: int) -> list[Item]:
    """Draw a number of items, each with the same probability; all of them, in order, where there are no more.

    Algorithm L of Li, "Reservoir-sampling algorithms of time complexity O(n(1 + log(N/n)))", 1994: it draws how many
    items to pass over, so that few random numbers are needed.

    Args:
        items: read once, to the end.
        size: how many to draw.
        seed: the same seed and items give the same sample.

    >>> reservoir_sample(["a", "b"], 3, seed=0)
    ['a', 'b']
    >>> len(reservoir_sample(range(1000), 3, seed=0))
    3
    """
    stream = iter(items)
    sample = list(islice(stream, size))
    if len(sample) < size:
        return sample
    rng = random.Random(seed)
    threshold = 1.0
    while True:
        # The largest of the random keys in the sample; 1 - random() is never 0.
        threshold *= math.exp(math.log(1.0 - rng.random()) / size)
        passed_over = int(math.log(1.0 - rng.random()) / math.log1p(-threshold))
        for item in islice(stream, passed_over, passed_over + 1):
            sample[rng.randrange(size)] = item
            break
        else:
            return sample

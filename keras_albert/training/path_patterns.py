"""Regular expressions that pick variables by their path, as Google's optimizers spare some by their name."""

import re
from collections.abc import Sequence
from typing import Any


def checked_patterns(name: str, given: Sequence[str]) -> tuple[str, ...]:
    """Return regular expressions as a tuple.

    Raises:
        ValueError: one string in place of a list, or something that is no regular expression.

    Example:
        >>> checked_patterns("exclude_from_weight_decay", ["norm", "bias$"])
        ('norm', 'bias$')
    """
    try:
        if isinstance(given, str):
            raise TypeError("a string is no list")
        return tuple(re.compile(pattern).pattern for pattern in given)
    except (re.error, TypeError) as error:
        raise ValueError(
            f"Expected a list of regular expressions ({error}); an empty list matches nothing. "
            f"Received: {name}={given!r}"
        ) from error


def is_matched(patterns: Sequence[str], variable: Any) -> bool:
    """Whether one of the regular expressions is found in a variable's path.

    Example:
        >>> import keras
        >>> with keras.name_scope("layer_norm"):
        ...     gamma = keras.Variable([1.0], name="gamma")
        >>> is_matched(["^gamma", "norm"], gamma), is_matched(["^gamma"], gamma)
        (True, False)
    """
    path = getattr(variable, "path", variable.name)
    return any(re.search(pattern, path) for pattern in patterns)

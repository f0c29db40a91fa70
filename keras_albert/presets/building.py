"""Building a model whose variables get their values from a release at once.

An ALBERT-xxlarge that is built first and assigned to afterwards holds its random values, and what drawing them took,
beside the arrays: more than three times its weights.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import keras
import numpy as np

from keras_albert.checkpoints import Release


class _Reader:
    """An initializer that reads; an error is kept, because Keras must go on to initialize every variable."""

    def __init__(self, read: Callable[[], np.ndarray], errors: list[Exception]) -> None:
        self._read, self._errors = read, errors

    def __call__(self, shape: tuple[int, ...], dtype: Any = None) -> Any:
        if not self._errors:
            try:
                # A tensor at once, so that the array is free before the variable gets memory of its own. PyTorch keeps
                # the array itself, which must be writable then.
                return keras.ops.convert_to_tensor(np.require(self._read(), None, ["C", "W"]), dtype=dtype)
            except Exception as error:
                self._errors.append(error)
        return keras.ops.zeros(shape, dtype)


@contextmanager
def initialized_from(release: Release) -> Iterator[Callable[[str, Any], None]]:
    """Yield a function that takes a part and its root, both as for `Release.assign`, whose variables are built inside.

    The variables have no values inside of the context. At its end they get those of the release, read one by one, and
    all others their usual ones.

    Args:
        release: the release.

    Raises:
        ValueError: an array is damaged.
    """
    errors: list[Exception] = []

    def read_into(part: str, root: Any) -> None:
        for variable, read in release.initial_values(part, root):
            # Keras offers no other way to change the initial value of a variable that waits for it.
            variable._initializer = _Reader(read, errors)

    with keras.StatelessScope():
        yield read_into
    if errors:
        raise errors[0]

"""Small things to train, for every test of an optimizer."""

from collections.abc import Callable

import keras
import numpy as np
import pytest

from keras_albert import layers


@pytest.fixture
def block() -> Callable[..., keras.Model]:
    """Return a function that makes a feed-forward block of 66 weights, none of them zero and always the same."""

    def make(dtype: str = "float32") -> keras.Model:
        inputs = keras.Input((3, 4))
        model = keras.Model(inputs, layers.FeedForward(4, 6, dtype=dtype)(inputs))
        rng = np.random.default_rng(5)
        model.set_weights([rng.normal(size=weight.shape) for weight in model.weights])
        return model

    return make


@pytest.fixture
def variable() -> Callable[..., keras.Variable]:
    """Return a function that makes a variable of a path and a value."""

    def make(path: str, value: object, dtype: str = "float32") -> keras.Variable:
        *scopes, name = path.split("/")
        if not scopes:
            return keras.Variable(value, dtype=dtype, name=name)
        with keras.name_scope(scopes[0]):
            return make("/".join([*scopes[1:], name]), value, dtype)

    return make

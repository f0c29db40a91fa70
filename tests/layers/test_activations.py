import numpy as np
import pytest
from keras import ops

from keras_albert.layers import FeedForward, activation_function


@pytest.mark.parametrize(
    ("name", "expected"), [("gelu", 0.841192), ("gelu_erf", 0.841345), ("relu", 1.0), ("linear", 1.0)]
)
def test_activation_of_one(name, expected):
    assert float(activation_function(name)(ops.ones(()))) == pytest.approx(expected, abs=1e-6)


def test_relu_of_a_negative_is_zero():
    assert float(activation_function("relu")(ops.array(-2.0))) == 0.0


@pytest.mark.parametrize("name", ["swish_that_is_not", "", None])
def test_unknown_activation_lists_the_known(name):
    with pytest.raises(ValueError, match=r"gelu_erf.*Received: activation="):
        FeedForward(8, 8, activation=name)


def test_activation_gelu_is_the_tanh_form_of_its_formula():
    x = np.linspace(-4, 4, 33, dtype="float32")
    expected = 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))
    np.testing.assert_allclose(ops.convert_to_numpy(activation_function("gelu")(ops.array(x))), expected, atol=1e-6)

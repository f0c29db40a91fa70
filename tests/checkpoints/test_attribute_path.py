from types import SimpleNamespace

import keras
import numpy as np
import pytest

from keras_albert.checkpoints import variable_at


def test_variable_at_walks_attributes_and_lists():
    dense = keras.layers.Dense(3)
    dense.build((None, 2))
    root = SimpleNamespace(blocks=[SimpleNamespace(query=dense)], bias=keras.Variable(np.zeros(4, "float32")))

    assert variable_at(root, "blocks/0/query/kernel") is dense.kernel
    assert variable_at(root, "bias") is root.bias


@pytest.mark.parametrize(
    "path", ["blocks/1/query/kernel", "blocks/0/key/kernel", "nothing", "blocks/0/query/kernel/more"]
)
def test_variable_at_names_the_absent_step(path):
    dense = keras.layers.Dense(3)
    dense.build((None, 2))
    root = SimpleNamespace(blocks=[SimpleNamespace(query=dense)])

    with pytest.raises(ValueError, match="is absent from") as raised:
        variable_at(root, path)
    assert repr(path) in str(raised.value)


def test_variable_at_says_when_a_layer_is_not_built():
    with pytest.raises(ValueError, match="Build the object"):
        variable_at(SimpleNamespace(pooler=keras.layers.Dense(3)), "pooler/kernel")


def test_variable_at_refuses_what_is_no_variable():
    with pytest.raises(ValueError, match=r"LoRA.*load the weights first"):
        variable_at(SimpleNamespace(kernel=np.zeros((2, 2))), "kernel")

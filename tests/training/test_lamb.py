import keras
import numpy as np
import pytest
from keras import ops

from keras_albert.training import Lamb

RATE = 0.1


def apply(optimizer: keras.optimizers.Optimizer, variables: list[keras.Variable], gradients: list) -> None:
    optimizer.apply([ops.convert_to_tensor(np.array(each, "float32")) for each in gradients], variables)


def test_decay_joins_the_update_before_the_ratio(variable):
    kernel = variable("dense/kernel", [3.0, 4.0])
    apply(Lamb(RATE, global_clipnorm=None), [kernel], [[1.0, 1.0]])
    # By hand: m = 0.1, v = 0.001; the weight's norm is 5.
    update = 0.1 / (np.sqrt(0.001) + 1e-6) + 0.01 * np.array([3.0, 4.0])
    ratio = 5.0 / np.sqrt(np.sum(update**2))
    np.testing.assert_allclose(kernel.numpy(), np.array([3.0, 4.0]) - RATE * ratio * update, rtol=1e-6)


def test_biases_and_layer_norms_have_no_decay_and_ratio_1(variable):
    paths = ["dense/bias", "head/output_bias", "block/layer_norm/gamma", "LayerNorm/beta"]
    variables = [variable(path, [3.0, 4.0]) for path in paths]
    apply(Lamb(RATE, global_clipnorm=None), variables, [[1.0, 1.0]] * 4)
    expected = np.array([3.0, 4.0]) - RATE * 0.1 / (np.sqrt(0.001) + 1e-6)
    for each in variables:
        np.testing.assert_allclose(each.numpy(), expected, rtol=1e-6, err_msg=each.path)


def test_without_gradient_a_kernel_shrinks_along_itself_and_a_bias_stays(variable):
    kernel, bias = variable("dense/kernel", [3.0, 4.0]), variable("dense/bias", [3.0, 4.0])
    apply(Lamb(RATE), [kernel, bias], [[0.0, 0.0]] * 2)
    # The update is the decay alone, and the ratio gives it the norm of the weight.
    np.testing.assert_allclose(kernel.numpy(), np.array([3.0, 4.0]) * (1 - RATE), rtol=1e-6)
    assert bias.numpy().tolist() == [3.0, 4.0]


@pytest.mark.parametrize(("weight", "gradient"), [([0.0, 0.0], [1.0, 1.0]), ([3.0, 4.0], [0.0, 0.0])])
def test_ratio_is_1_where_a_norm_is_0(variable, weight, gradient):
    kernel = variable("kernel", weight)
    apply(Lamb(RATE, weight_decay=0.0, global_clipnorm=None), [kernel], [gradient])
    step = RATE * 0.1 / (np.sqrt(0.001) + 1e-6)
    np.testing.assert_allclose(kernel.numpy(), np.array(weight) - step * np.array(gradient), rtol=1e-6)


def test_ratio_has_no_bounds(variable):
    kernel = variable("kernel", [3000.0, 4000.0])
    apply(Lamb(RATE, weight_decay=0.0), [kernel], [[1.0, 1.0]])
    np.testing.assert_allclose(kernel.numpy(), np.array([3000.0, 4000.0]) - RATE * 5000 / np.sqrt(2), rtol=1e-6)


@pytest.mark.parametrize(
    ("given", "adapted"),
    [(None, [True, False, False]), (["table"], [True, True, False]), ([], [True, True, True])],
    ids=["as_for_decay", "own_list", "none_spared"],
)
def test_own_list_for_adaptation_stands_in_place_of_the_decays(variable, given, adapted):
    optimizer = Lamb(RATE, exclude_from_weight_decay=["gamma", "table"], exclude_from_layer_adaptation=given)
    optimizer.build([variable(path, [1.0]) for path in ("dense/kernel", "norm/gamma", "word_table/rows")])
    assert optimizer.is_adapted == tuple(adapted)
    assert optimizer.is_decayed == (True, False, False)
    assert optimizer.get_config()["exclude_from_layer_adaptation"] == given


def test_wrong_list_for_adaptation_is_refused():
    with pytest.raises(ValueError, match="Received: exclude_from_layer_adaptation='bias'"):
        Lamb(RATE, exclude_from_layer_adaptation="bias")


def test_a_batch_of_huge_gradients_is_recovered_from(rng):
    # Its gradients weigh no more in the slots than those of any other: all are clipped to norm 1.
    truth = rng.normal(size=(4, 1))
    x = rng.normal(size=(32, 4)).astype("float32")
    y = (x @ truth).astype("float32")
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
    model.compile(Lamb(0.02, weight_decay=0.0), "mse")

    def loss() -> float:
        return model.evaluate(x, y, verbose=0, batch_size=32)

    model.fit(x, y, epochs=150, verbose=0, batch_size=32, shuffle=False)
    before = loss()
    model.fit(x, y * -1e4, epochs=1, verbose=0, batch_size=32, shuffle=False)
    assert float(model.optimizer.gradient_norm.numpy()) > 1e3
    model.fit(x, y, epochs=50, verbose=0, batch_size=32, shuffle=False)
    assert loss() <= max(before, 1e-2)

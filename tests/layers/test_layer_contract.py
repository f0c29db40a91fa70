"""One contract for every layer: build, symbolic and eager call, config round trip, a fit step, mixed precision."""

import keras
import numpy as np
import pytest
from keras import ops

from keras_albert.layers import FactorizedEmbedding, FeedForward, MaskedLMHead, SelfAttention, TransformerEncoder

TOKEN_IDS = np.array([[1, 2, 3, 4, 5], [6, 7, 0, 0, 0], [8, 9, 1, 2, 0]], "int32")
ACTIVATIONS = np.random.default_rng(1).normal(size=(3, 5, 12)).astype("float32")


def embedding(**kwargs) -> keras.Layer:
    return FactorizedEmbedding(10, 8, 12, max_sequence_length=7, dropout=0.1, **kwargs)


def self_attention(**kwargs) -> keras.Layer:
    return SelfAttention(12, 3, hidden_dropout=0.1, attention_dropout=0.2, **kwargs)


def feed_forward(**kwargs) -> keras.Layer:
    return FeedForward(12, 20, hidden_dropout=0.1, **kwargs)


def encoder(**kwargs) -> keras.Layer:
    return TransformerEncoder(self_attention(**kwargs), feed_forward(**kwargs), **kwargs)


def rematerialized_encoder(**kwargs) -> keras.Layer:
    return TransformerEncoder(self_attention(**kwargs), feed_forward(**kwargs), remat=True, **kwargs)


LAYERS = [
    (embedding, TOKEN_IDS, 5 * 2 - 2, (3, 5, 12)),
    (self_attention, ACTIVATIONS, 10, (3, 5, 12)),
    (feed_forward, ACTIVATIONS, 6, (3, 5, 12)),
    (encoder, ACTIVATIONS, 16, (3, 5, 12)),
    (rematerialized_encoder, ACTIVATIONS, 16, (3, 5, 12)),
]


@pytest.fixture(params=LAYERS, ids=[make.__name__ for make, *_ in LAYERS])
def case(request):
    return request.param


def test_layer_has_its_weights_and_output_shape(case):
    make, x, num_weights, shape = case
    layer = make()
    output = layer(x)
    expected = 7 if make is embedding else num_weights
    assert len(layer.trainable_weights) == expected
    assert tuple(output.shape) == shape
    assert layer.compute_output_shape(x.shape) == shape


def test_layer_symbolic_call_has_open_batch_and_length(case):
    make, x, _, shape = case
    inputs = keras.Input((None, *x.shape[2:]), dtype=x.dtype)
    assert tuple(make()(inputs).shape) == (None, None, shape[-1])


def test_layer_config_round_trip_gives_the_same_outputs(case):
    make, x, *_ = case
    layer = make()
    expected = ops.convert_to_numpy(layer(x))
    twin = type(layer).from_config(layer.get_config())
    twin(x)
    twin.set_weights(layer.get_weights())
    np.testing.assert_array_equal(ops.convert_to_numpy(twin(x)), expected)


def test_layer_fits_a_step_and_every_weight_moves(case):
    make, x, *_ = case
    inputs = keras.Input(x.shape[1:], dtype=x.dtype)
    model = keras.Model(inputs, make()(inputs))
    model.compile(keras.optimizers.SGD(0.5), "mse")
    before = model.get_weights()
    model.fit(x, np.ones((3, 5, 12)), epochs=2, verbose=0)
    moved = [not np.array_equal(old, new) for old, new in zip(before, model.get_weights(), strict=True)]
    names = [weight.path for weight in model.weights]
    # The gradient of the key's bias is zero in theory: a constant added to every score leaves the softmax as it is.
    assert [
        name for name, has_moved in zip(names, moved, strict=True) if not has_moved and "key/bias" not in name
    ] == []


@pytest.mark.parametrize("policy", ["mixed_bfloat16", "mixed_float16"])
def test_layer_computes_in_half_precision_with_float32_weights(case, policy):
    make, x, *_ = case
    layer = make(dtype=policy)
    output = layer(x)
    assert keras.backend.standardize_dtype(output.dtype) == policy.removeprefix("mixed_")
    assert {keras.backend.standardize_dtype(weight.dtype) for weight in layer.trainable_weights} == {"float32"}
    assert np.isfinite(np.asarray(ops.convert_to_numpy(ops.cast(output, "float32")))).all()


def test_masked_lm_head_owns_five_weights_and_no_table():
    table = keras.layers.ReversibleEmbedding(10, 8)
    head = MaskedLMHead(table, hidden_dim=12)
    logits = head(ACTIVATIONS, np.array([[0, 4], [1, 0], [2, 2]], "int32"))
    assert tuple(logits.shape) == (3, 2, 10)
    own = [weight for weight in head.weights if weight is not table.embeddings]
    assert len(own) == 5
    assert (10, 8) not in [tuple(weight.shape) for weight in own]

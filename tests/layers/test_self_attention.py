import numpy as np
import pytest
from keras import ops

from keras_albert.layers import SelfAttention
from keras_albert.layers.self_attention import attention_bias

MASK = np.array([[1, 1, 1, 0, 0], [1, 0, 1, 1, 0], [1, 1, 1, 1, 1]])


@pytest.fixture
def attention() -> SelfAttention:
    layer = SelfAttention(12, 3, initializer_range=0.5)
    layer.build((None, None, 12))
    return layer


@pytest.fixture
def x(rng) -> np.ndarray:
    return rng.normal(size=(3, 5, 12)).astype("float32")


def run(layer, *args, **kwargs) -> np.ndarray:
    return np.asarray(ops.convert_to_numpy(ops.cast(layer(*args, **kwargs), "float32")))


@pytest.mark.parametrize("dtype", ["bool", "int32", "float32"])
def test_mask_of_any_dtype_gives_the_same(attention, x, dtype):
    np.testing.assert_array_equal(run(attention, x, MASK.astype(dtype)), run(attention, x, MASK.astype("int64")))


@pytest.mark.parametrize("shape", ["batch_1_keys", "batch_queries_keys"])
def test_mask_with_a_query_axis_gives_the_same(attention, x, shape):
    mask = MASK[:, None, :] if shape == "batch_1_keys" else np.broadcast_to(MASK[:, None, :], (3, 5, 5)).copy()
    np.testing.assert_allclose(run(attention, x, mask), run(attention, x, MASK), atol=1e-6)


def test_mask_of_another_rank_is_refused(attention, x):
    with pytest.raises(ValueError, match="padding_mask"):
        attention(x, np.ones((3, 1, 1, 5)))


def test_masked_keys_do_not_matter(attention, x):
    changed = x.copy()
    changed[0, 3:] = 7.0
    np.testing.assert_allclose(run(attention, changed, MASK)[0, :3], run(attention, x, MASK)[0, :3], atol=1e-6)


def test_batch_of_as_many_rows_as_heads_equals_row_by_row(attention, x):
    together = run(attention, x, MASK)
    for row in range(3):
        np.testing.assert_allclose(run(attention, x[row : row + 1], MASK[row : row + 1])[0], together[row], atol=1e-5)


@pytest.mark.parametrize("policy", ["float32", "mixed_bfloat16", "mixed_float16"])
def test_row_with_every_key_masked_is_finite(x, policy):
    layer = SelfAttention(12, 3, initializer_range=0.5, dtype=policy)
    assert np.isfinite(run(layer, x, np.zeros((3, 5)))).all()


def test_row_with_every_key_masked_is_the_ordinary_softmax(attention, x):
    # -10000 on every score costs float32 about 1e-3 of each score.
    np.testing.assert_allclose(run(attention, x, np.zeros((3, 5))), run(attention, x), atol=2e-3)


def test_low_scores_in_float16_keep_masked_keys_at_zero():
    layer = SelfAttention(8, 2, dtype="mixed_float16")
    layer.build((None, None, 8))
    for dense in (layer.query, layer.key):  # every score is 8 * -4.9 * 20 / 2 = about -100 and below
        dense.kernel.assign(np.zeros((8, 8)))
    layer.query.bias.assign(np.full(8, -5.0))
    layer.key.bias.assign(np.full(8, 10.0))
    layer.value.kernel.assign(np.eye(8))
    layer.output_projection.kernel.assign(np.eye(8))
    x = np.zeros((1, 4, 8), "float32")
    x[0, 2:] = 100.0
    plain = run(layer, x[:, :2], np.ones((1, 2)))
    np.testing.assert_allclose(run(layer, x, np.array([[1, 1, 0, 0]]))[:, :2], plain, atol=1e-3)


def test_dropout_of_probabilities_and_of_the_output_are_separate(x):
    only_attention = SelfAttention(12, 3, hidden_dropout=0.0, attention_dropout=0.5, initializer_range=0.5)
    only_hidden = SelfAttention(12, 3, hidden_dropout=0.5, attention_dropout=0.0, initializer_range=0.5)
    neither = SelfAttention(12, 3, initializer_range=0.5)
    for layer, is_random in ((only_attention, True), (only_hidden, True), (neither, False)):
        first, second = run(layer, x, training=True), run(layer, x, training=True)
        assert (not np.array_equal(first, second)) == is_random
        np.testing.assert_array_equal(run(layer, x, training=False), run(layer, x))


def test_heads_that_do_not_divide_the_width_are_refused():
    with pytest.raises(ValueError, match="num_heads=5, hidden_dim=12"):
        SelfAttention(12, 5)


def test_bias_of_a_mask():
    np.testing.assert_array_equal(
        ops.convert_to_numpy(attention_bias(np.array([[1, 0, 1]]))), [[[[0.0, -10000.0, 0.0]]]]
    )

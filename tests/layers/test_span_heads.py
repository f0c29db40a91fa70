"""The two heads of question answering against NumPy, and the beam against Google's stored one."""

import keras
import numpy as np
import pytest
from keras import ops

from keras_albert.layers import SpanHead, VerifierHead
from keras_albert.layers.span_heads import masked_logits, top_log_probs

HIDDEN = np.random.default_rng(2).normal(size=(3, 7, 6)).astype("float32")
ANSWER_MASK = np.array([[1, 0, 1, 1, 1, 1, 0], [1, 0, 0, 1, 1, 0, 0], [1, 0, 1, 1, 1, 1, 1]], "int32")
START = np.array([3, 0, 6], "int32")


def numpy_outputs(outputs) -> dict[str, np.ndarray]:
    return {name: ops.convert_to_numpy(value) for name, value in outputs.items()}


@pytest.fixture
def verifier() -> VerifierHead:
    head = VerifierHead(6, num_top_starts=2, num_top_ends=3, initializer_range=0.5)
    head(HIDDEN, ANSWER_MASK, START)
    rng = np.random.default_rng(3)
    head.set_weights([rng.normal(size=weight.shape) for weight in head.get_weights()])
    return head


def log_softmax(x: np.ndarray) -> np.ndarray:
    x = x - x.max(axis=-1, keepdims=True)
    return x - np.log(np.exp(x).sum(axis=-1, keepdims=True))


def weights_of(layer: keras.Layer) -> list[np.ndarray]:
    return [ops.convert_to_numpy(weight) for weight in layer.weights]


def ends_given(head: VerifierHead, row: int, start: int) -> np.ndarray:
    """End logits of a row in NumPy, written as in the formula: dense of the two vectors one behind the other."""
    kernel, bias = weights_of(head.end_transform)
    gamma, beta = weights_of(head.end_layer_norm)
    x = np.concatenate([HIDDEN[row], np.repeat(HIDDEN[row, start][None], 7, axis=0)], axis=-1)
    x = np.tanh(x @ kernel + bias)
    x = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-12) * gamma + beta
    kernel, bias = weights_of(head.end)
    return np.where(ANSWER_MASK[row], (x @ kernel + bias)[:, 0], -1e30)


def test_verifier_equals_the_formula(verifier):
    received = numpy_outputs(verifier(HIDDEN, ANSWER_MASK, START))
    kernel, bias = weights_of(verifier.start)
    start = np.where(ANSWER_MASK, (HIDDEN @ kernel + bias)[..., 0], -1e30)
    np.testing.assert_allclose(received["start"], start, rtol=1e-5, atol=1e-5)
    kernel, bias = weights_of(verifier.unanswerable_transform)
    (last,) = weights_of(verifier.unanswerable)
    for row in range(3):
        np.testing.assert_allclose(received["end"][row], ends_given(verifier, row, START[row]), rtol=1e-4, atol=1e-4)
        expected_start = np.exp(log_softmax(start[row])) @ HIDDEN[row]
        logit = np.tanh(np.concatenate([expected_start, HIDDEN[row, 0]]) @ kernel + bias) @ last
        np.testing.assert_allclose(received["unanswerable"][row], logit, rtol=1e-4, atol=1e-4)


def test_verifier_beam_holds_the_best_ends_of_the_best_starts(verifier):
    received = numpy_outputs(verifier(HIDDEN, ANSWER_MASK, np.zeros(3, "int32")))
    for row in range(3):
        log_probs = log_softmax(received["start"][row])
        starts = np.argsort(-log_probs)[:2]
        np.testing.assert_array_equal(received["top_starts"][row], starts)
        np.testing.assert_allclose(received["top_start_log_probs"][row], log_probs[starts], rtol=1e-4, atol=1e-5)
        for rank, start in enumerate(starts):
            log_probs = log_softmax(ends_given(verifier, row, start))
            ends = np.argsort(-log_probs)[:3]
            np.testing.assert_array_equal(received["top_ends"][row, rank], ends)
            np.testing.assert_allclose(received["top_end_log_probs"][row, rank], log_probs[ends], atol=1e-4)


def test_verifier_while_training_leaves_the_beam_out(verifier):
    trained, other = (numpy_outputs(verifier(HIDDEN, ANSWER_MASK, START, training=mode)) for mode in (True, False))
    np.testing.assert_allclose(trained["end"], other["end"], rtol=1e-5, atol=1e-5)
    assert {name: array.shape for name, array in trained.items()} == {
        name: array.shape for name, array in other.items()
    }
    assert not any(trained[name].any() for name in trained if name.startswith("top_"))
    assert not np.allclose(trained["unanswerable"], other["unanswerable"])  # dropout


def test_verifier_has_googles_variables(verifier):
    shapes = {
        "start": [(6, 1), (1,)],
        "end_transform": [(12, 6), (6,)],
        "end_layer_norm": [(6,), (6,)],
        "end": [(6, 1), (1,)],
        "unanswerable_transform": [(12, 6), (6,)],
        "unanswerable": [(6, 1)],
    }
    assert {name: [tuple(weight.shape) for weight in getattr(verifier, name).weights] for name in shapes} == shapes
    assert len(verifier.weights) == 11


def test_span_head_is_a_dense_layer_over_all_positions():
    head = SpanHead(initializer_range=0.5)
    received = numpy_outputs(head(HIDDEN))
    kernel, bias = weights_of(head.dense)
    assert (kernel.shape, bias.shape) == ((6, 2), (2,))
    np.testing.assert_allclose(np.stack([received["start"], received["end"]], -1), HIDDEN @ kernel, atol=1e-5)


@pytest.mark.parametrize("head", [SpanHead(output_length=9), VerifierHead(6, output_length=9)])
def test_logits_are_filled_up_outside_of_training(head):
    inputs = (HIDDEN,) if isinstance(head, SpanHead) else (HIDDEN, ANSWER_MASK, START)
    received, trained = (numpy_outputs(head(*inputs, training=mode)) for mode in (False, True))
    for name in ("start", "end"):
        assert (received[name].shape, trained[name].shape) == ((3, 9), (3, 7))
        np.testing.assert_allclose(received[name][:, :7], trained[name], rtol=1e-5, atol=1e-5)
        assert (received[name][:, 7:] == np.float32(-1e30)).all()
    twin = type(head).from_config(head.get_config())
    assert twin.get_config() == head.get_config()


@pytest.mark.parametrize("policy", ["mixed_bfloat16", "mixed_float16"])
@pytest.mark.parametrize("make", [SpanHead, lambda **options: VerifierHead(6, **options)])
def test_outputs_are_finite_float32_in_half_precision(make, policy):
    head = make(dtype=policy)
    inputs = (HIDDEN,) if isinstance(head, SpanHead) else (HIDDEN, ANSWER_MASK, START)
    outputs = head(*[ops.convert_to_tensor(array) for array in inputs])
    floats = {name: value for name, value in outputs.items() if name not in ("top_starts", "top_ends")}
    assert {keras.backend.standardize_dtype(value.dtype) for value in floats.values()} == {"float32"}
    assert all(np.isfinite(ops.convert_to_numpy(value)).all() for value in floats.values())
    assert {keras.backend.standardize_dtype(weight.dtype) for weight in head.weights} == {"float32"}


def test_symbolic_outputs_have_open_batch_and_length():
    hidden = keras.Input((None, 6))
    mask, start = keras.Input((None,), dtype="int32"), keras.Input((), dtype="int32")
    outputs = VerifierHead(6, num_top_starts=2, num_top_ends=3)(hidden, mask, start)
    assert tuple(outputs["start"].shape) == tuple(outputs["end"].shape) == (None, None)
    assert tuple(outputs["unanswerable"].shape) == (None, 1)
    assert tuple(outputs["top_ends"].shape) == (None, 2, 3)
    assert keras.backend.standardize_dtype(outputs["top_starts"].dtype) == "int32"


def test_stored_logits_give_googles_beam(shared):
    folder = shared / "golden" / "squad"
    with np.load(folder / "v2_logits.npz") as stored, np.load(folder / "v2_predict_features.npz") as features:
        mask = 1 - features["p_mask"]
        start = masked_logits(ops.convert_to_tensor(stored["start_logits"].astype("float32")), mask)
        log_probs, indices = (ops.convert_to_numpy(value) for value in top_log_probs(start, 5))
        np.testing.assert_allclose(log_probs, stored["start_top_log_probs"], rtol=1e-6, atol=1e-5)
        np.testing.assert_array_equal(indices, stored["start_top_index"])
        end = masked_logits(ops.convert_to_tensor(stored["end_logits"].astype("float32")), mask[:, None])
        log_probs, indices = (ops.convert_to_numpy(value) for value in top_log_probs(end, 5))
        np.testing.assert_allclose(log_probs.reshape(-1, 25), stored["end_top_log_probs"], rtol=1e-6, atol=1e-5)
        # Equally likely ends may come in either order.
        is_tie = np.isclose(np.diff(log_probs, axis=-1), 0, atol=1e-6).any(-1)
        expected = stored["end_top_index"].reshape(-1, 5, 5)
        np.testing.assert_array_equal(indices[~is_tie], expected[~is_tie])

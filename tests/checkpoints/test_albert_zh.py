"""albert_zh's own layout, against its equations."""

import numpy as np
import pytest

from keras_albert.checkpoints import CheckpointMismatchError, open_release, reference_outputs

H, E, V, S = 6, 3, 11, 7
CONFIG = {
    "attention_probs_dropout_prob": 0.0,
    "hidden_act": "gelu",
    "hidden_dropout_prob": 0.0,
    "embedding_size": E,
    "hidden_size": H,
    "initializer_range": 0.02,
    "intermediate_size": 10,
    "max_position_embeddings": S,
    "num_attention_heads": 3,
    "num_hidden_layers": 2,
    "type_vocab_size": 2,
    "vocab_size": V,
    "ln_type": "postln",
}
LAYER = "bert/encoder/layer_shared"
SHAPES = {
    "bert/embeddings/word_embeddings": (V, E),
    "bert/embeddings/word_embeddings_2": (E, H),
    "bert/embeddings/token_type_embeddings": (2, H),
    "bert/embeddings/position_embeddings": (S, H),
    "bert/embeddings/LayerNorm/gamma": (H,),
    "bert/embeddings/LayerNorm/beta": (H,),
    **{f"{LAYER}/attention/self/{name}/kernel": (H, H) for name in ("query", "key", "value")},
    **{f"{LAYER}/attention/self/{name}/bias": (H,) for name in ("query", "key", "value")},
    f"{LAYER}/attention/output/dense/kernel": (H, H),
    f"{LAYER}/attention/output/dense/bias": (H,),
    f"{LAYER}/attention/output/LayerNorm/gamma": (H,),
    f"{LAYER}/attention/output/LayerNorm/beta": (H,),
    f"{LAYER}/intermediate/dense/kernel": (H, 10),
    f"{LAYER}/intermediate/dense/bias": (10,),
    f"{LAYER}/output/dense/kernel": (10, H),
    f"{LAYER}/output/dense/bias": (H,),
    f"{LAYER}/output/LayerNorm/gamma": (H,),
    f"{LAYER}/output/LayerNorm/beta": (H,),
    "bert/pooler/dense/kernel": (H, H),
    "bert/pooler/dense/bias": (H,),
    "global_step": (),
}
BATCH = {
    "token_ids": np.array([[2, 5, 9, 10, 3, 0, 0], [2, 1, 4, 3, 7, 8, 3]]),
    "segment_ids": np.array([[0, 0, 1, 1, 1, 0, 0], [0, 0, 0, 0, 1, 1, 1]]),
    "padding_mask": np.array([[1, 1, 1, 1, 1, 0, 0], [1] * 7]),
}


@pytest.fixture
def own_arrays(rng):
    return {name: np.asarray(rng.normal(0, 0.5, shape), "float32") for name, shape in SHAPES.items()}


@pytest.fixture
def write_own(write_release):
    return lambda arrays, **changes: write_release(arrays, config=CONFIG | changes)


def layer_norm(x, arrays, scope):
    centred = x - x.mean(axis=-1, keepdims=True)
    deviation = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-12)
    return centred / deviation * arrays[f"{scope}/gamma"] + arrays[f"{scope}/beta"]


def dense(x, arrays, scope):
    return x @ arrays[f"{scope}/kernel"] + arrays[f"{scope}/bias"]


def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def equations(arrays):
    """The encoder, written down once more: words are projected before positions and segments are added."""
    arrays = {name: values.astype("float64") for name, values in arrays.items()}
    words = arrays["bert/embeddings/word_embeddings"][BATCH["token_ids"]] @ arrays["bert/embeddings/word_embeddings_2"]
    x = words + arrays["bert/embeddings/token_type_embeddings"][BATCH["segment_ids"]]
    x = layer_norm(x + arrays["bert/embeddings/position_embeddings"], arrays, "bert/embeddings/LayerNorm")
    bias = (1 - BATCH["padding_mask"])[:, None, None, :] * -10000.0
    for _ in range(2):
        heads = [dense(x, arrays, f"{LAYER}/attention/self/{name}") for name in ("query", "key", "value")]
        query, key, value = (head.reshape(2, S, 3, 2).transpose(0, 2, 1, 3) for head in heads)
        scores = query @ key.transpose(0, 1, 3, 2) / np.sqrt(2) + bias
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        context = weights / weights.sum(axis=-1, keepdims=True) @ value
        context = context.transpose(0, 2, 1, 3).reshape(2, S, H)
        attended = layer_norm(
            x + dense(context, arrays, f"{LAYER}/attention/output/dense"), arrays, f"{LAYER}/attention/output/LayerNorm"
        )
        inner = gelu(dense(attended, arrays, f"{LAYER}/intermediate/dense"))
        x = layer_norm(attended + dense(inner, arrays, f"{LAYER}/output/dense"), arrays, f"{LAYER}/output/LayerNorm")
    return x, np.tanh(dense(x[:, 0], arrays, "bert/pooler/dense"))


def test_outputs_are_those_of_its_equations(write_own, own_arrays):
    release = open_release(write_own(own_arrays))
    assert release.layout == "albert_zh"
    assert release.backbone_config["embedding_dim"] == H
    assert "folded into the token table" in release.notes[0]
    assert release.unknown_config == {}
    outputs = reference_outputs(release.checkpoint.read, release.backbone_config, **BATCH)
    sequence, pooled = equations(own_arrays)
    real = BATCH["padding_mask"].astype(bool)
    np.testing.assert_allclose(outputs["sequence_output"][real], sequence[real], rtol=0, atol=1e-5)
    np.testing.assert_allclose(outputs["pooled_output"], pooled, rtol=0, atol=1e-5)


def test_every_variable_is_accounted_for(write_own, own_arrays):
    summary = open_release(write_own(own_arrays)).summary()
    assert summary.unmapped == ()
    assert sum(summary.used.values()) + len(summary.skipped) == summary.total == len(SHAPES)


def test_what_computes_something_else_is_refused(write_own, own_arrays):
    with pytest.raises(ValueError, match=r"normalizes before its blocks.*ln_type='preln'"):
        open_release(write_own(own_arrays, ln_type="preln"))
    with pytest.raises(ValueError, match="Expected one group with one block"):
        open_release(write_own(own_arrays, num_hidden_groups=2))
    del own_arrays[f"{LAYER}/output/dense/kernel"]
    with pytest.raises(CheckpointMismatchError, match=f"{LAYER}/output/dense/kernel"):
        open_release(write_own(own_arrays))

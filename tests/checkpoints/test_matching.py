import numpy as np
import pytest

from keras_albert.checkpoints import CheckpointMismatchError, open_release, table_for

BLOCK = "bert/encoder/transformer/group_1/inner_group_0"


def test_missing_unexpected_and_wrongly_shaped_are_listed_together(write_release, arrays):
    arrays["bert/encoder/other/kernel"] = arrays.pop("bert/pooler/dense/kernel")
    arrays["cls/seq_relationship/output_weights"] = np.zeros((3, 6), "float32")

    with pytest.raises(CheckpointMismatchError) as raised:
        open_release(write_release(arrays))

    assert raised.value.missing == ("bert/pooler/dense/kernel",)
    assert raised.value.unexpected == ("bert/encoder/other/kernel",)
    (mismatch,) = raised.value.wrongly_shaped
    assert (mismatch.expected, mismatch.received) == ((2, 6), (3, 6))
    for line in (
        "Missing (1):\n  bert/pooler/dense/kernel",
        "Unexpected (1):\n  bert/encoder/other/kernel",
        "Wrongly shaped (1):\n  cls/seq_relationship/output_weights: expected (2, 6), received (3, 6)",
    ):
        assert line in str(raised.value)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("embedding_size", 4),
        ("vocab_size", 12),
        ("max_position_embeddings", 8),
        ("intermediate_size", 20),
        ("hidden_size", 9),
        ("type_vocab_size", 3),
        ("num_hidden_groups", 1),
        ("num_hidden_groups", 3),
        ("inner_group_num", 1),
        ("inner_group_num", 3),
    ],
)
def test_hint_names_the_key_that_disagrees(write_release, arrays, google_config, key, value):
    with pytest.raises(CheckpointMismatchError) as raised:
        open_release(write_release(arrays, {**google_config, key: value}))

    assert (
        f"Hint: {key!r} is {value} in the configuration, but the checkpoint's variables say {google_config[key]}."
        in str(raised.value)
    )


def test_bert_widths_for_an_albert_checkpoint(write_release, arrays, google_config):
    with pytest.raises(CheckpointMismatchError) as raised:
        open_release(write_release(arrays, {**google_config, "embedding_size": 6}))

    message = str(raised.value)
    assert "bert/embeddings/word_embeddings: expected (11, 6), received (11, 3)" in message
    assert "'embedding_size' is 6 in the configuration, but the checkpoint's variables say 3" in message
    assert "the checkpoint has a projection" in message


def test_part_of_a_head_is_an_error(write_release, arrays):
    del arrays["cls/predictions/transform/LayerNorm/beta"]

    with pytest.raises(CheckpointMismatchError) as raised:
        open_release(write_release(arrays))
    assert raised.value.missing == ("cls/predictions/transform/LayerNorm/beta",)


@pytest.mark.parametrize("kept", ["output_weights", "output_bias"])
def test_part_of_a_classifier_head_is_an_error(write_release, arrays, kept):
    arrays |= {kept: np.zeros((3, 6)[: 2 if kept == "output_weights" else 1], "float32")}

    with pytest.raises(CheckpointMismatchError, match=r"Missing \(1\):\n  output_"):
        open_release(write_release(arrays))


def test_classifier_head_of_unequal_sizes_is_an_error(write_release, arrays):
    arrays |= {"output_weights": np.zeros((3, 6), "float32"), "output_bias": np.zeros(2, "float32")}

    with pytest.raises(CheckpointMismatchError, match=r"output_bias: expected \(3,\), received \(2,\)"):
        open_release(write_release(arrays))


def test_heads_may_be_absent(write_release, arrays):
    arrays = {name: values for name, values in arrays.items() if not name.startswith("cls/seq_relationship/")}

    assert open_release(write_release(arrays)).heads == {"masked_lm_head"}


def test_heads_of_other_tasks_are_unmapped(write_release, arrays):
    others = ("my_head/output_weights", "crf/transitions")
    arrays |= {name: np.zeros(3, "float32") for name in others}

    release = open_release(write_release(arrays))

    assert release.match.unmapped == tuple(sorted(others))
    assert "2 unmapped: crf/transitions, my_head/output_weights" in str(release.summary())


def test_heads_for_questions_are_parts(write_release, arrays, backbone_config):
    rows = [row for row in table_for(backbone_config) if row.part in ("span_head", "verifier_head")]
    arrays |= {row.google: np.zeros(row.google_shape(backbone_config), "float32") for row in rows}
    assert arrays["cls/squad/output_weights"].shape == (2, 6)
    assert arrays["end_logits/dense_0/kernel"].shape == (12, 6)

    release = open_release(write_release(arrays))
    assert release.heads >= {"span_head", "verifier_head"}
    assert release.match.unmapped == ()

    del arrays["answer_class/dense_1/kernel"]
    with pytest.raises(CheckpointMismatchError) as raised:
        open_release(write_release(arrays))
    assert raised.value.missing == ("answer_class/dense_1/kernel",)


@pytest.mark.parametrize("prefix", ["x/", "module/module/", "model/"])
def test_backbone_of_no_known_name_is_an_error(write_release, arrays, prefix):
    with pytest.raises(CheckpointMismatchError, match="no variable of the backbone") as raised:
        open_release(write_release({prefix + name: values for name, values in arrays.items()}))
    assert "bert/embeddings/LayerNorm/beta" in str(raised.value)


def test_module_prefix_gives_the_same_weights(write_release, arrays):
    plain = open_release(write_release(arrays)).checkpoint
    prefixed = open_release(write_release({f"module/{name}": arrays[name] for name in arrays}, name="hub")).checkpoint

    assert plain.names == prefixed.names
    for name in plain.names:
        np.testing.assert_array_equal(plain.read(name), prefixed.read(name))


@pytest.mark.parametrize(
    ("names", "layout"),
    [
        (["bert/encoder/layer_0/attention/self/query/kernel"], "BERT's layout"),
        (["albert.embeddings.word_embeddings.weight"], "Hugging Face"),
        (["model/pooler/kernel/.ATTRIBUTES/VARIABLE_VALUE"], "TensorFlow 2 object checkpoint"),
    ],
)
@pytest.mark.parametrize("with_table", [True, False])
def test_other_layouts_are_recognized(write_release, names, layout, with_table):
    stored = {name: np.zeros(3, "float32") for name in names}
    if with_table:
        stored["bert/embeddings/word_embeddings"] = np.zeros((11, 3), "float32")

    with pytest.raises(CheckpointMismatchError, match=f"not Google's layout.*{layout}") as raised:
        open_release(write_release(stored))
    assert names[0] in str(raised.value)


def unshared(arrays, values_of):
    """Gives each layer of group 1 its own layer norms, as in google-research/albert#241."""
    ported = {name: values for name, values in arrays.items() if not name.startswith(f"{BLOCK}/LayerNorm")}
    for layer, scope in enumerate(("group_1/layer_3", "group_1_4/layer_4")):
        for which, name in enumerate(("LayerNorm", "LayerNorm_1")):
            for weight in ("gamma", "beta"):
                number = 2 * layer + which + 5
                stored = f"bert/encoder/transformer/{scope}/inner_group_0/layer_normalization_{number}/{weight}"
                ported[stored] = values_of(arrays[f"{BLOCK}/{name}/{weight}"], layer)
    return ported


def test_layer_norms_that_are_not_shared_are_an_error(write_release, arrays):
    ported = unshared(arrays, lambda values, layer: values + layer)

    with pytest.raises(CheckpointMismatchError, match="layer norms are not shared") as raised:
        open_release(write_release(ported))
    assert "group_1_4/layer_4" in str(raised.value)


def test_layer_norms_of_equal_values_are_read_and_reported(write_release, arrays):
    ported = unshared(arrays, lambda values, layer: values)

    release = open_release(write_release(ported))

    np.testing.assert_array_equal(
        release.checkpoint.read(f"{BLOCK}/LayerNorm_1/gamma"), arrays[f"{BLOCK}/LayerNorm_1/gamma"]
    )
    assert "4 skipped (same values as the layer norm that is used)" in str(release.summary())
    summary = release.summary()
    assert sum(summary.used.values()) + len(summary.skipped) == summary.total == len(ported)

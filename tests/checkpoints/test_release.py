from types import SimpleNamespace

import keras
import numpy as np
import pytest

from keras_albert.checkpoints import CheckpointMismatchError, open_release, table_for, variable_at


@pytest.mark.parametrize("name", ["albert_tiny_g1", "albert_tiny_g2", "albert_tiny_e_eq_h", "albert_tiny_zh"])
def test_every_part_of_a_release_is_assigned(golden_model, fake_part, name):
    release = open_release(golden_model / name)
    assert release.heads == {"masked_lm_head", "sentence_order_head"}

    with np.load(golden_model / f"{name}_variables.npz") as stored:
        for part in ("backbone", *release.heads):
            root = fake_part(part, release.backbone_config)
            release.assign(part, root)
            for row in table_for(release.backbone_config):
                if row.part == part:
                    expected = stored[row.google]
                    expected = expected.T if row.path == "kernel" else expected
                    np.testing.assert_array_equal(variable_at(root, row.path).value, expected)


def test_groups_and_inner_repetitions_stay_distinct(write_release, arrays, fake_part):
    for group in (0, 1):
        for inner in (0, 1):
            name = f"bert/encoder/transformer/group_{group}/inner_group_{inner}/ffn_1/intermediate/dense/bias"
            arrays[name] = np.full(10, 10 * group + inner, "float32")
    release = open_release(write_release(arrays))
    backbone = fake_part("backbone", release.backbone_config)

    release.assign("backbone", backbone)

    constants = [block.intermediate.bias.value[0] for block in backbone.feed_forward_blocks]
    assert constants == [0, 1, 10, 11]


def test_keras_layers_are_assigned(write_release, arrays):
    release = open_release(write_release(arrays))
    head = keras.layers.Dense(2)
    head.build((None, 6))

    release.assign("sentence_order_head", head)

    kernel = keras.ops.convert_to_numpy(head.kernel)
    np.testing.assert_array_equal(kernel, arrays["cls/seq_relationship/output_weights"].T)
    np.testing.assert_array_equal(keras.ops.convert_to_numpy(head.bias), arrays["cls/seq_relationship/output_bias"])


def test_fine_tuned_head_is_assigned(golden_model, fake_part):
    release = open_release(golden_model / "finetuned_mrpc")
    assert (release.heads, release.num_classes) == ({"classifier_head"}, 2)
    head = fake_part("classifier_head", release.backbone_config)

    release.assign("classifier_head", head)

    with np.load(golden_model / "finetuned_mrpc_variables.npz") as stored:
        np.testing.assert_array_equal(head.kernel.value, stored["output_weights"].T)
        np.testing.assert_array_equal(head.bias.value, stored["output_bias"])


def test_nothing_is_assigned_when_one_shape_differs(write_release, arrays, fake_part):
    release = open_release(write_release(arrays))
    backbone = fake_part("backbone", {**release.backbone_config, "max_sequence_length": 9})

    with pytest.raises(CheckpointMismatchError, match=r"position_embeddings: expected \(9, 3\), received \(7, 3\)"):
        release.assign("backbone", backbone)
    assert backbone.embedding.token_embedding.embeddings.value is None


def test_other_number_of_classes_is_an_error(write_release, arrays, fake_part):
    arrays |= {"output_weights": np.zeros((3, 6), "float32"), "output_bias": np.zeros(3, "float32")}
    release = open_release(write_release(arrays))
    assert release.num_classes == 3

    with pytest.raises(CheckpointMismatchError, match=r"output_weights: expected \(2, 6\), received \(3, 6\)"):
        release.assign("classifier_head", fake_part("classifier_head", release.backbone_config, num_classes=2))


@pytest.mark.parametrize("part", ["classifier_head", "pooler"])
def test_part_that_is_not_there_is_an_error(write_release, arrays, part):
    release = open_release(write_release(arrays))

    with pytest.raises(ValueError, match=f"part={part!r}") as raised:
        release.assign(part, SimpleNamespace())
    assert "['backbone', 'masked_lm_head', 'sentence_order_head']" in str(raised.value)
    with pytest.raises(ValueError, match=f"part={part!r}"):
        release.summary([part])


def test_object_without_the_variables_is_an_error(write_release, arrays):
    with pytest.raises(ValueError, match="'embedding' is absent"):
        open_release(write_release(arrays)).assign("backbone", SimpleNamespace())


@pytest.mark.parametrize(
    "name", ["albert_tiny_g1", "albert_tiny_g2", "tfhub_g1", "finetuned_mrpc", "albert_tiny_e_eq_h"]
)
def test_summary_accounts_for_every_variable(golden_model, name):
    release = open_release(golden_model / name)
    summary = release.summary()

    assert sum(summary.used.values()) + len(summary.skipped) + len(summary.unmapped) == summary.total
    assert summary.unused == ()


def test_summary_of_the_backbone_alone_lists_the_heads(golden_model):
    release = open_release(golden_model / "albert_tiny_g1")

    summary = release.summary(["backbone"])

    assert summary.used == {"backbone": 25}
    assert len(summary.unused) == 7
    assert all(name.startswith("cls/") for name in summary.unused)
    assert 25 + 7 + len(summary.skipped) == summary.total == 97
    lines = str(summary).splitlines()
    assert lines[0] == "97 variables"
    assert lines[1] == "25 used (backbone 25)"
    assert lines[2].startswith("7 not asked for: cls/predictions/transform/dense/kernel, ")
    assert sorted(lines[3:]) == ["1 skipped (training step)", "64 skipped (optimizer slot)"]


def test_fine_tuning_from_a_hub_module_says_why_its_heads_are_skipped(golden_model, tmp_path):
    for file in (golden_model / "finetuned_mrpc_from_hub").iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "albert_config.json").write_bytes((golden_model / "albert_tiny_g1" / "albert_config.json").read_bytes())

    release = open_release(tmp_path)

    assert release.heads == {"classifier_head"}
    assert "7 skipped (left by the TF-Hub module" in str(release.summary())


def test_parameter_count_is_the_checkpoints(golden_model):
    release = open_release(golden_model / "albert_tiny_g1")

    assert release.parameter_count() == 36964
    assert release.parameter_count("sentence_order_head") == 2 * 36 + 2


def test_arrays_are_read_one_by_one_when_they_are_assigned(write_release, arrays, fake_part, monkeypatch):
    release = open_release(write_release(arrays))
    backbone = fake_part("backbone", release.backbone_config)
    events = []
    read = release.checkpoint.read
    monkeypatch.setattr(release.checkpoint, "read", lambda name: events.append("read") or read(name))
    variable = backbone.pooler.bias
    monkeypatch.setattr(variable, "assign", lambda value: events.append("assigned the last"))

    release.assign("backbone", backbone)

    count = sum(row.part == "backbone" for row in table_for(release.backbone_config))
    assert events == ["read"] * count + ["assigned the last"]

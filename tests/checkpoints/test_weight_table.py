import math

import numpy as np
import pytest

from keras_albert.checkpoints import PARTS, parameter_count, read_google_config, table_for, weight_table


@pytest.mark.parametrize("name", ["albert_tiny_g1", "albert_tiny_g2", "albert_tiny_e_eq_h", "albert_tiny_zh"])
def test_table_names_every_variable_of_a_release_with_its_shape(name, golden_model):
    config = read_google_config(golden_model / name / "albert_config.json").backbone
    with np.load(golden_model / f"{name}_variables.npz") as stored:
        shapes = {key: stored[key].shape for key in stored.files if "adam_" not in key and key != "global_step"}

    rows = [row for row in table_for(config) if row.part in ("backbone", "masked_lm_head", "sentence_order_head")]

    assert {row.google: row.google_shape(config) for row in rows} == shapes


def test_table_names_the_head_of_a_fine_tuned_checkpoint(golden_model):
    with np.load(golden_model / "finetuned_mrpc_variables.npz") as stored:
        shapes = {name: stored[name].shape for name in ("output_weights", "output_bias")}

    rows = [row for row in weight_table(1, 1, True) if row.part == "classifier_head"]

    assert {row.google: row.google_shape({"hidden_dim": 36, "num_classes": 2}) for row in rows} == shapes
    assert {row.path: row.variable_shape({"hidden_dim": 36, "num_classes": 2}) for row in rows} == {
        "kernel": (36, 2),
        "bias": (2,),
    }


def test_paths_are_distinct_and_number_blocks_group_by_group():
    rows = weight_table(2, 3, has_projection=True)

    assert {row.part for row in rows} == set(PARTS)
    assert len({(row.part, row.path) for row in rows}) == len({row.google for row in rows}) == len(rows)
    where = {row.google: row.path for row in rows}
    block = "bert/encoder/transformer/group_1/inner_group_2"
    assert where[f"{block}/attention_1/self/query/kernel"] == "attention_blocks/5/query/kernel"
    assert where[f"{block}/attention_1/output/dense/bias"] == "attention_blocks/5/output_projection/bias"
    assert where[f"{block}/ffn_1/intermediate/dense/kernel"] == "feed_forward_blocks/5/intermediate/kernel"
    assert where[f"{block}/ffn_1/intermediate/output/dense/bias"] == "feed_forward_blocks/5/output_projection/bias"
    assert where[f"{block}/LayerNorm/gamma"] == "attention_blocks/5/layer_norm/gamma"
    assert where[f"{block}/LayerNorm_1/beta"] == "feed_forward_blocks/5/layer_norm/beta"


def test_projection_is_there_only_when_widths_differ():
    with_projection = {row.path for row in weight_table(1, 1, has_projection=True)}
    without = {row.path for row in weight_table(1, 1, has_projection=False)}

    assert with_projection - without == {"embedding/projection/kernel", "embedding/projection/bias"}


def test_masked_lm_head_has_five_weights_and_no_vocabulary_table(backbone_config):
    rows = [row for row in table_for(backbone_config) if row.part == "masked_lm_head"]

    assert len(rows) == 5
    assert all(row.variable_shape(backbone_config) != (11, 3) for row in rows)


def test_parameter_count_by_hand(backbone_config):
    embedding = 11 * 3 + 2 * 3 + 7 * 3 + 2 * 3 + (3 * 6 + 6)
    block = 4 * (6 * 6 + 6) + (6 * 10 + 10) + (10 * 6 + 6) + 4 * 6

    assert parameter_count(backbone_config) == embedding + 4 * block + (6 * 6 + 6)
    assert parameter_count(backbone_config, "masked_lm_head") == 6 * 3 + 3 + 2 * 3 + 11
    assert parameter_count(backbone_config, "sentence_order_head") == 6 * 2 + 2
    assert parameter_count(backbone_config, "classifier_head", num_classes=5) == 6 * 5 + 5


def test_parameter_count_equals_the_checkpoints(golden_model):
    config = read_google_config(golden_model / "albert_tiny_g2" / "albert_config.json").backbone
    with np.load(golden_model / "albert_tiny_g2_variables.npz") as stored:
        counted = sum(math.prod(stored[key].shape) for key in stored.files if key.startswith("bert/"))

    assert parameter_count(config) == counted


def test_other_sharing_is_refused(backbone_config):
    with pytest.raises(ValueError, match=r"sharing='none'"):
        table_for({**backbone_config, "sharing": "none"})

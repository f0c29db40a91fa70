"""Heads of fine-tuned Google checkpoints: SQuAD's two, a regressor's and a multiple choice's."""

import json

import keras
import numpy as np
import pytest
from safetensors.numpy import save_file

import keras_albert
from keras_albert.checkpoints import SAFETENSORS_NAME, table_for, to_google_config, variable_at

CONFIG = {
    "vocabulary_size": 40,
    "embedding_dim": 6,
    "hidden_dim": 12,
    "intermediate_dim": 20,
    "num_layers": 2,
    "num_heads": 2,
    "num_groups": 1,
    "num_inner_repetitions": 1,
    "sharing": "all",
    "max_sequence_length": 16,
    "num_segments": 2,
    "hidden_dropout": 0.0,
    "attention_dropout": 0.0,
    "activation": "gelu",
    "initializer_range": 0.02,
}
CLASSES = {
    "span_head": keras_albert.AlbertQuestionAnswerer,
    "verifier_head": keras_albert.AlbertQuestionAnswerer,
    "regressor_head": keras_albert.AlbertRegressor,
    "choice_head": keras_albert.AlbertMultipleChoice,
}


@pytest.fixture
def checkpoint(tmp_path):
    """Writes a release with a head, and returns its folder and its arrays in Google's order."""

    def write(part: str) -> tuple[str, dict[str, np.ndarray]]:
        rng = np.random.default_rng(0)
        rows = [row for row in table_for(CONFIG) if row.part in ("backbone", part)]
        shapes = {row.google: row.google_shape({**CONFIG, "num_classes": 1}) for row in rows}
        arrays = {name: rng.normal(size=shape).astype("float32") for name, shape in shapes.items()}
        save_file(arrays, tmp_path / SAFETENSORS_NAME)
        (tmp_path / "albert_config.json").write_text(json.dumps(to_google_config(CONFIG)))
        return str(tmp_path), arrays

    return write


@pytest.mark.parametrize("head", CLASSES)
def test_every_weight_of_the_head_is_googles(head, checkpoint, recwarn):
    part = head if head in ("span_head", "verifier_head") else "classifier_head"
    folder, arrays = checkpoint(part)
    task = CLASSES[head].from_preset(folder, preprocessor=None)
    assert [str(warning.message) for warning in recwarn if "holds no weights" in str(warning.message)] == []
    rows = [row for row in table_for(CONFIG) if row.part == part]
    assert len(rows) == len(getattr(task, head).weights)
    for row in rows:
        ours = keras.ops.convert_to_numpy(variable_at(getattr(task, head), row.path))
        np.testing.assert_array_equal(ours.T if row.transposed else ours, arrays[row.google])


def test_spans_are_scored_as_google_does(checkpoint):
    folder, arrays = checkpoint("span_head")
    answerer = keras_albert.AlbertQuestionAnswerer.from_preset(folder, preprocessor=None)
    x = np.random.default_rng(1).normal(size=(2, 5, 12)).astype("float32")
    logits = answerer.span_head(x, training=True)
    # create_v1_model: matmul(x, output_weights, transpose_b=True) + output_bias, then split into starts and ends.
    expected = x @ arrays["cls/squad/output_weights"].T + arrays["cls/squad/output_bias"]
    for index, name in enumerate(("start", "end")):
        ours = keras.ops.convert_to_numpy(logits[name])
        np.testing.assert_allclose(ours, expected[..., index], atol=1e-5)


def test_a_wider_head_is_no_regressors(checkpoint):
    folder, _ = checkpoint("span_head")
    with pytest.warns(UserWarning, match="holds no weights for regressor_head"):
        keras_albert.AlbertRegressor.from_preset(folder, preprocessor=None)

"""Google's checkpoints written by us: names, shapes and bits as TensorFlow's own reader sees them."""

import shutil
from pathlib import Path

import keras
import numpy as np
import pytest

import keras_albert
from keras_albert.conversion import convert
from keras_albert.presets import resolve

MODELS = ["albert_tiny_g2", "albert_tiny_e_eq_h", "albert_tiny_g1", "albert_tiny_zh"]


def googles_variables(folder: Path) -> dict[str, np.ndarray]:
    import tensorflow as tf

    reader = tf.train.load_checkpoint(str(folder / "model.ckpt-best"))
    return {name: reader.get_tensor(name) for name in reader.get_variable_to_shape_map()}


@pytest.mark.parametrize("name", MODELS)
def test_written_checkpoint_is_googles_to_the_bit(name, golden_model, tmp_path):
    archive, outputs = golden_model(name)
    convert(archive, tmp_path / "keras")
    convert(tmp_path / "keras", tmp_path / "google", to="google")
    written = googles_variables(tmp_path / "google")
    release = resolve(archive)
    stored = {name: release.checkpoint.read(name) for name in release.checkpoint.names}
    assert written.keys() == stored.keys()
    for variable, values in stored.items():
        assert written[variable].dtype == np.float32
        assert written[variable].tobytes() == np.ascontiguousarray(values).tobytes(), variable
    golden = outputs("variables") if name in ("albert_tiny_g1", "albert_tiny_zh") else {}
    for variable in golden.keys() & written.keys():
        np.testing.assert_array_equal(written[variable], golden[variable], err_msg=variable)

    again = resolve(tmp_path / "google")
    assert again.backbone_config == release.backbone_config
    assert again.tokenizer == release.tokenizer
    expected = outputs("outputs")
    ours = keras_albert.AlbertBackbone.from_preset(tmp_path / "google")
    x = {"token_ids": expected["input_ids"], "segment_ids": expected["segment_ids"]}
    received = ours(x | {"padding_mask": expected["input_mask"]}, training=False)
    np.testing.assert_allclose(
        keras.ops.convert_to_numpy(received["pooled_output"]), expected["pooled_output"], rtol=0, atol=1e-5
    )


# task -> constructor arguments, and names that Google's code gives the head's variables
HEADS = {
    "AlbertClassifier": ({"num_classes": 3}, {"output_weights", "output_bias"}),
    "AlbertRegressor": ({}, {"output_weights", "output_bias"}),
    "AlbertMultipleChoice": ({}, {"output_weights", "output_bias"}),
    "AlbertQuestionAnswerer": ({}, {"cls/squad/output_weights", "cls/squad/output_bias"}),
    "AlbertMaskedLM": ({}, {"cls/predictions/output_bias", "cls/predictions/transform/dense/kernel"}),
    "verifier": ({"head": "verifier"}, {"start_logits/dense/kernel", "answer_class/dense_1/kernel"}),
}


@pytest.mark.parametrize("name", HEADS)
def test_heads_come_back_as_they_went_out(name, backbone, tmp_path):
    options, names = HEADS[name]
    task_class = getattr(keras_albert, "AlbertQuestionAnswerer" if name == "verifier" else name)
    task = task_class(backbone, **options)
    rng = np.random.default_rng(7)
    for variable in task.weights:
        variable.assign(rng.normal(0, 0.3, variable.shape))
    task.save_to_preset(tmp_path / "keras")
    convert(tmp_path / "keras", tmp_path / "google", to="google")
    assert googles_variables(tmp_path / "google").keys() >= names
    again = task_class.from_preset(tmp_path / "google", preprocessor=None)
    for old, new in zip(task.weights, again.weights, strict=True):
        assert old.path == new.path
        np.testing.assert_array_equal(keras.ops.convert_to_numpy(old), keras.ops.convert_to_numpy(new))


def test_fine_tuned_checkpoint_comes_out_as_it_went_in(shared, tmp_path):
    folder = shared / "golden" / "model" / "finetuned_mrpc"
    convert(folder, tmp_path / "google", to="google")
    written, release = googles_variables(tmp_path / "google"), resolve(folder)
    assert written.keys() == {row.google for rows in release.match.rows.values() for row in rows}
    for variable, values in written.items():
        assert values.tobytes() == np.ascontiguousarray(release.checkpoint.read(variable)).tobytes(), variable


def test_what_google_cannot_express_is_refused_by_name(backbone, tmp_path):
    keras_albert.AlbertTokenClassifier(backbone, tags=["O", "B-X"]).save_to_preset(tmp_path / "tags")
    with pytest.raises(ValueError, match=r"tag_head \(Google's code tags no tokens\); class_names"):
        convert(tmp_path / "tags", tmp_path / "out", to="google")
    convert(tmp_path / "tags", tmp_path / "out", to="google", drop=["tag_head"])
    assert resolve(tmp_path / "out").heads == set()
    config = backbone.get_config() | {"activation": "gelu_erf", "layer_norm_epsilon": 1e-5}
    keras_albert.AlbertBackbone.from_config(config).save_to_preset(tmp_path / "erf")
    with pytest.raises(ValueError, match=r"activation \(.*layer_norm_epsilon \("):
        convert(tmp_path / "erf", tmp_path / "none", to="google")
    with pytest.raises(ValueError, match="Google's code reads float32"):
        convert(tmp_path / "tags", tmp_path / "none", to="google", dtype="float16", drop=["tag_head"])
    with pytest.raises(ValueError, match="Expected one of keras, google"):
        convert(tmp_path / "tags", tmp_path / "none", to="onnx")
    assert not (tmp_path / "none").exists()


def test_path_with_spaces_and_overwriting(golden_model, tmp_path):
    archive, _ = golden_model("albert_tiny_e_eq_h")
    copied = shutil.copy(archive, tmp_path / "a b 一.tar.gz")
    for overwrite in (False, True):
        convert(copied, tmp_path / "out put 二", to="google", overwrite=overwrite)
    assert resolve(tmp_path / "out put 二").tokenizer == "sentencepiece"
    with pytest.raises(FileExistsError):
        convert(copied, tmp_path / "out put 二", to="google")

"""Presets of keras_hub's own ALBERT, in and out, beside keras_hub itself."""

import keras
import keras_hub
import numpy as np
import pytest

import keras_albert
from keras_albert.checkpoints import CheckpointMismatchError, Release
from keras_albert.conversion import convert
from keras_albert.presets import resolve

# keras_hub leaves the vocabulary's file open where it loads a tokenizer.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
SIZES = {
    "vocabulary_size": 400,
    "num_layers": 2,
    "num_heads": 3,
    "embedding_dim": 8,
    "hidden_dim": 12,
    "intermediate_dim": 20,
    "num_groups": 2,
    "num_inner_repetitions": 2,
    "max_sequence_length": 16,
    "dropout": 0.1,
}
OURS = {
    "AlbertBackbone": "AlbertBackbone",
    "AlbertTextClassifier": "AlbertClassifier",
    "AlbertMaskedLM": "AlbertMaskedLM",
}


def their_model(name, tokenizer=None, **sizes):
    backbone = keras_hub.models.AlbertBackbone(**(SIZES | sizes))
    theirs = tokenizer and keras_hub.models.AlbertTokenizer(proto=tokenizer._vocabulary_source())
    if name == "AlbertTextClassifier":
        preprocessor = theirs and keras_hub.models.AlbertTextClassifierPreprocessor(theirs, sequence_length=16)
        model = keras_hub.models.AlbertTextClassifier(backbone, 3, preprocessor, dropout=0.2)
    elif name == "AlbertMaskedLM":
        preprocessor = theirs and keras_hub.models.AlbertMaskedLMPreprocessor(theirs, sequence_length=16)
        model = keras_hub.models.AlbertMaskedLM(backbone, preprocessor)
    else:
        model = backbone
    rng = np.random.default_rng(5)
    for variable in model.weights:
        variable.assign(rng.normal(0, 0.3, variable.shape))
    return model


def inputs(name):
    rng = np.random.default_rng(3)
    x = {
        "token_ids": rng.integers(5, 400, (2, 11)),
        "padding_mask": np.array([[1] * 11, [1] * 7 + [0] * 4]),
        "segment_ids": np.array([[0] * 5 + [1] * 6] * 2),
    }
    return x | ({"mask_positions": np.array([[1, 3, 6]] * 2)} if name == "AlbertMaskedLM" else {})


def outputs(name, model):
    found = keras.tree.map_structure(keras.ops.convert_to_numpy, model(inputs(name), training=False))
    if name == "AlbertBackbone":
        real = inputs(name)["padding_mask"].astype(bool)
        return {"sequence_output": found["sequence_output"][real], "pooled_output": found["pooled_output"]}
    return {"output": found}


@pytest.mark.parametrize("name", OURS)
def test_every_head_in_and_out_again(name, tokenizer, tmp_path):
    theirs = their_model(name, tokenizer)
    theirs.save_to_preset(str(tmp_path / "theirs"))
    release = resolve(tmp_path / "theirs")
    assert isinstance(release, Release)
    assert release.layout == "keras_hub"
    options = {} if name == "AlbertBackbone" else {"preprocessor": None}
    ours = getattr(keras_albert, OURS[name]).from_preset(tmp_path / "theirs", **options)
    expected, received = outputs(name, theirs), outputs(name, ours)
    for output, values in expected.items():
        np.testing.assert_allclose(received[output], values, rtol=0, atol=1e-5, err_msg=output)

    assert convert(tmp_path / "theirs", tmp_path / "keras").model == OURS[name]
    has_tokenizer = name != "AlbertBackbone"
    drop = ["lowercase"] if has_tokenizer else []
    convert(tmp_path / "keras", tmp_path / "back", to="keras_hub", drop=drop)
    again = getattr(keras_hub.models, name).from_preset(str(tmp_path / "back"))
    before, after = ({variable.path: variable for variable in model.weights} for model in (theirs, again))
    assert before.keys() == after.keys()
    for path, variable in before.items():
        one, other = (keras.ops.convert_to_numpy(array) for array in (variable, after[path]))
        assert one.tobytes() == other.tobytes(), path
    if has_tokenizer:
        text = "the train was late, and the food was cold"
        np.testing.assert_array_equal(again.preprocessor.tokenizer(text), tokenizer(text))


def test_projection_where_embedding_is_as_wide_as_the_rest(tmp_path):
    theirs = their_model("AlbertBackbone", embedding_dim=12)
    theirs.save_to_preset(str(tmp_path / "theirs"))
    with pytest.raises(CheckpointMismatchError, match="this one changes its input"):
        resolve(tmp_path / "theirs")
    theirs.get_layer("embedding_projection").set_weights([np.eye(12), np.zeros(12)])
    theirs.save_to_preset(str(tmp_path / "identity"))
    ours = keras_albert.AlbertBackbone.from_preset(tmp_path / "identity")
    expected, received = outputs("AlbertBackbone", theirs), outputs("AlbertBackbone", ours)
    for output, values in expected.items():
        np.testing.assert_allclose(received[output], values, rtol=0, atol=1e-5, err_msg=output)
    convert(tmp_path / "identity", tmp_path / "back", to="keras_hub")
    kernel = (
        keras_hub.models.AlbertBackbone.from_preset(str(tmp_path / "back")).get_layer("embedding_projection").kernel
    )
    np.testing.assert_array_equal(keras.ops.convert_to_numpy(kernel), np.eye(12))


def test_what_keras_hub_cannot_express_is_refused_by_name(golden_model, tmp_path):
    archive, _ = golden_model("albert_tiny_g2")
    with pytest.raises(ValueError, match=r"sentence_order_head \(.*masked_lm_head \(the epsilon.*lowercase \("):
        convert(archive, tmp_path / "out", to="keras_hub")
    assert not (tmp_path / "out").exists()
    dropped = ["masked_lm_head", "sentence_order_head", "lowercase", "attention_dropout"]
    convert(archive, tmp_path / "out", to="keras_hub", drop=dropped)
    assert keras_hub.models.AlbertTokenizer.from_preset(str(tmp_path / "out")).vocabulary_size() == 1000
    backbone = keras_hub.models.AlbertBackbone.from_preset(str(tmp_path / "out"))
    ours = keras_albert.AlbertBackbone.from_preset(archive)
    expected, received = outputs("AlbertBackbone", backbone), outputs("AlbertBackbone", ours)
    for output, values in expected.items():
        np.testing.assert_allclose(received[output], values, rtol=0, atol=1e-5, err_msg=output)


def test_damaged_preset_is_an_error_that_says_so(tmp_path):
    their_model("AlbertBackbone").save_to_preset(str(tmp_path))
    (tmp_path / "model.weights.h5").write_bytes(b"broken")
    with pytest.raises(ValueError, match="keras_hub cannot load"):
        resolve(tmp_path)

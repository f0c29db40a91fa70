"""Hugging Face's directories, in and out, beside transformers itself."""

import json

import keras
import numpy as np
import pytest
import torch
import transformers
from safetensors.numpy import load_file

import keras_albert
from keras_albert.checkpoints import CheckpointMismatchError, Release
from keras_albert.conversion import convert
from keras_albert.presets import resolve

SIZES = {
    "vocab_size": 60,
    "embedding_size": 8,
    "hidden_size": 12,
    "num_hidden_layers": 2,
    "num_hidden_groups": 2,
    "inner_group_num": 2,
    "num_attention_heads": 3,
    "intermediate_size": 20,
    "max_position_embeddings": 16,
    "initializer_range": 0.3,
}
# transformers' class -> ours, the classes' names
HEADS = {
    "AlbertModel": ("AlbertBackbone", None),
    "AlbertForPreTraining": ("AlbertPretrainer", None),
    "AlbertForMaskedLM": ("AlbertMaskedLM", None),
    "AlbertForSequenceClassification": ("AlbertClassifier", ["bad", "so-so", "good"]),
    "AlbertForTokenClassification": ("AlbertTokenClassifier", ["O", "B-X", "I-X"]),
    "AlbertForQuestionAnswering": ("AlbertQuestionAnswerer", None),
    "AlbertForMultipleChoice": ("AlbertMultipleChoice", None),
}
TOLERANCE = 1e-5


def save_theirs(folder, name, safe=True, **config):
    """Save a random model of transformers', all biases and layer norms random too."""
    labels = HEADS[name][1]
    if labels:
        config["id2label"] = dict(enumerate(labels))
        config["label2id"] = {label: number for number, label in enumerate(labels)}
    torch.manual_seed(1)
    theirs = getattr(transformers, name)(transformers.AlbertConfig(**(SIZES | config))).eval()
    with torch.no_grad():
        for parameter in theirs.parameters():
            if parameter.ndim == 1:
                parameter.normal_(0, 0.3)
    theirs.save_pretrained(folder)
    if not safe:
        (folder / "model.safetensors").unlink()
        torch.save(theirs.state_dict(), folder / "pytorch_model.bin")
    return theirs


def inputs(num_choices=None, length=11):
    shape = (2, length) if num_choices is None else (2, num_choices, length)
    rng = np.random.default_rng(3)
    token_ids = rng.integers(5, 60, shape)
    padding_mask = np.ones(shape, int)
    padding_mask[1, ..., 7:] = 0
    segment_ids = np.broadcast_to(np.arange(length) > 4, shape).astype(int)
    return {"token_ids": token_ids, "padding_mask": padding_mask, "segment_ids": segment_ids}


def their_outputs(model, x):
    with torch.no_grad():
        outputs = model(
            torch.tensor(x["token_ids"]),
            attention_mask=torch.tensor(x["padding_mask"]),
            token_type_ids=torch.tensor(x["segment_ids"]),
        )
    return {name: value.numpy() for name, value in outputs.items()}


def our_outputs(name, model, x):
    """Ours by the names of theirs; the MLM head is asked at every position."""
    if name in ("AlbertForPreTraining", "AlbertForMaskedLM"):
        positions = np.tile(np.arange(x["token_ids"].shape[1]), (2, 1))
        x = x | {"mask_positions": positions}
    outputs = keras.tree.map_structure(keras.ops.convert_to_numpy, model(x, training=False))
    if name == "AlbertModel":
        return {"last_hidden_state": outputs["sequence_output"], "pooler_output": outputs["pooled_output"]}
    if name == "AlbertForPreTraining":
        return {"prediction_logits": outputs["masked_lm"], "sop_logits": outputs["sentence_order"]}
    if name == "AlbertForQuestionAnswering":
        # The head gives as many columns as the model has positions.
        length = x["token_ids"].shape[1]
        return {"start_logits": outputs["start"][:, :length], "end_logits": outputs["end"][:, :length]}
    return {"logits": outputs}


def assert_equal_outputs(name, theirs, ours):
    x = inputs(4) if name == "AlbertForMultipleChoice" else inputs()
    expected, received = their_outputs(theirs, x), our_outputs(name, ours, x)
    real = x["padding_mask"].astype(bool)
    for output, values in received.items():
        wanted = expected[output]
        if values.shape[:2] == real.shape:  # one row for each token: padding counts for nothing
            values, wanted = values[real], wanted[real]
        np.testing.assert_allclose(values, wanted, rtol=0, atol=TOLERANCE, err_msg=f"{name} {output}")


@pytest.mark.parametrize("name", HEADS)
def test_every_head_in_and_out_again(name, tmp_path):
    theirs = save_theirs(tmp_path / "theirs", name, hidden_act="gelu", layer_norm_eps=1e-6)
    ours_class, labels = HEADS[name]
    ours = getattr(keras_albert, ours_class).from_preset(tmp_path / "theirs", **without_preprocessor(name))
    assert_equal_outputs(name, theirs, ours)
    if labels:
        assert list(ours.tags if name == "AlbertForTokenClassification" else ours.class_names) == labels
    config = getattr(ours, "backbone", ours).get_config()
    assert (config["activation"], config["layer_norm_epsilon"]) == ("gelu_erf", 1e-6)

    # To Keras's layout, back to theirs: the same model in transformers, and the same bits.
    written = convert(tmp_path / "theirs", tmp_path / "keras")
    assert written.model == ours_class
    convert(tmp_path / "keras", tmp_path / "back", to="huggingface")
    again = getattr(transformers, name).from_pretrained(tmp_path / "back").eval()
    assert_equal_outputs(name, again, ours)
    if labels:
        assert list(again.config.id2label.values()) == labels
    before, after = (load_file(tmp_path / folder / "model.safetensors") for folder in ("theirs", "back"))
    shared = before.keys() & after.keys()
    # Without a pooler there, ours is a new one.
    assert {key for key in before.keys() ^ after.keys() if "pooler" not in key} == set()
    for key in shared:
        assert before[key].tobytes() == after[key].tobytes(), key


def without_preprocessor(name):
    return {} if name == "AlbertModel" else {"preprocessor": None}


@pytest.mark.parametrize("act", ["gelu_new", "gelu_pytorch_tanh", "relu", "tanh"])
def test_activation_has_its_own_meaning(act, tmp_path):
    theirs = save_theirs(tmp_path, "AlbertModel", hidden_act=act)
    assert_equal_outputs("AlbertModel", theirs, keras_albert.AlbertBackbone.from_preset(tmp_path))
    note = " ".join(resolve(tmp_path).notes)
    assert ("tanh form" in note) == act.startswith("gelu")


def test_regressor_is_one_by_its_width(tmp_path):
    torch.manual_seed(1)
    theirs = transformers.AlbertForSequenceClassification(transformers.AlbertConfig(**SIZES, num_labels=1)).eval()
    theirs.save_pretrained(tmp_path / "theirs")
    ours = keras_albert.AlbertRegressor.from_preset(tmp_path / "theirs", preprocessor=None)
    x = inputs()
    expected = their_outputs(theirs, x)["logits"]
    received = keras.ops.convert_to_numpy(ours(x, training=False))
    np.testing.assert_allclose(received.reshape(-1), expected.reshape(-1), rtol=0, atol=TOLERANCE)
    assert convert(tmp_path / "theirs", tmp_path / "keras").model == "AlbertRegressor"
    convert(tmp_path / "keras", tmp_path / "back", to="huggingface")
    assert json.loads((tmp_path / "back" / "config.json").read_text())["problem_type"] == "regression"


def test_weights_in_shards_and_of_pytorch(tmp_path):
    name = "AlbertForPreTraining"
    theirs = save_theirs(tmp_path / "bin", name, safe=False)
    theirs.save_pretrained(tmp_path / "shards", max_shard_size="3KB")
    assert len(list((tmp_path / "shards").glob("*.safetensors"))) > 1
    for folder in ("bin", "shards"):
        ours = keras_albert.AlbertPretrainer.from_preset(tmp_path / folder, preprocessor=None)
        assert_equal_outputs(name, theirs, ours)
    next((tmp_path / "shards").glob("*.safetensors")).unlink()
    with pytest.raises(FileNotFoundError, match=r"index\.json names .*Copy what is missing"):
        resolve(tmp_path / "shards")


def test_pickle_is_never_executed(tmp_path):
    save_theirs(tmp_path, "AlbertModel", safe=False)

    class Evil:
        def __reduce__(self):
            return (open, (str(tmp_path / "executed"), "w"))

    torch.save({"embeddings.word_embeddings.weight": Evil()}, tmp_path / "pytorch_model.bin")
    with pytest.raises(ValueError, match=r"pytorch_model\.bin"):
        resolve(tmp_path)
    assert not (tmp_path / "executed").exists()


def test_what_transformers_cannot_express_is_refused_by_name(tmp_path, backbone):
    task = keras_albert.AlbertQuestionAnswerer(backbone, head="verifier")
    task.save_to_preset(tmp_path / "verifier")
    with pytest.raises(ValueError, match=r"verifier_head \(transformers.*--drop NAME"):
        convert(tmp_path / "verifier", tmp_path / "out", to="huggingface")
    convert(tmp_path / "verifier", tmp_path / "out", to="huggingface", drop=["verifier_head"])
    assert isinstance(resolve(tmp_path / "out"), Release)
    config = backbone.get_config() | {"sharing": "none", "num_groups": 1}
    keras_albert.AlbertBackbone.from_config(config).save_to_preset(tmp_path / "unshared")
    for to in ("huggingface", "google", "keras_hub"):
        with pytest.raises(ValueError, match="sharing='none'"):
            convert(tmp_path / "unshared", tmp_path / "none", to=to)
    with pytest.raises(ValueError, match=r"Received: drop='verfier'"):
        convert(tmp_path / "verifier", tmp_path / "none", to="huggingface", drop=["verfier"])
    assert not (tmp_path / "none").exists()


def test_untied_decoder_is_refused(tmp_path):
    save_theirs(tmp_path, "AlbertForMaskedLM", safe=False)
    state = torch.load(tmp_path / "pytorch_model.bin", weights_only=True)
    state["predictions.decoder.weight"] = state["albert.embeddings.word_embeddings.weight"] + 1
    torch.save(state, tmp_path / "pytorch_model.bin")
    with pytest.raises(CheckpointMismatchError, match="trained untied"):
        resolve(tmp_path)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_half_precision_in_and_out(dtype, tmp_path):
    theirs = save_theirs(tmp_path / "theirs", "AlbertModel").to(getattr(torch, dtype))
    theirs.save_pretrained(tmp_path / "half")
    ours = keras_albert.AlbertBackbone.from_preset(tmp_path / "half")
    assert_equal_outputs("AlbertModel", theirs.float(), ours)
    convert(tmp_path / "theirs", tmp_path / "rounded", to="huggingface", dtype=dtype)
    again = transformers.AlbertModel.from_pretrained(tmp_path / "rounded")
    assert again.dtype == getattr(torch, dtype)
    for name, value in again.state_dict().items():
        assert torch.equal(value, theirs.state_dict()[name].to(value.dtype)), name


def test_text_goes_through_transformers_as_through_ours(tmp_path):
    convert("albert_tiny", tmp_path / "out", to="huggingface")
    their_tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path / "out")
    theirs = transformers.AutoModel.from_pretrained(tmp_path / "out").eval()
    ours = keras_albert.AlbertTextEmbedder.from_preset("albert_tiny")
    texts = ["She opened the door, and in 1850, (7, 8) é Ünïted.", "Mr. Dickens's novel"]
    rows = their_tokenizer(texts, padding=True, return_tensors="pt")
    assert their_tokenizer(texts, add_special_tokens=False)["input_ids"] == ours.preprocessor.tokenizer.tokenize(texts)
    with torch.no_grad():
        expected = theirs(**rows).last_hidden_state.numpy()
    x = {"token_ids": rows["input_ids"].numpy(), "padding_mask": rows["attention_mask"].numpy()}
    received = ours.backbone(x | {"segment_ids": np.zeros_like(x["token_ids"])}, training=False)["sequence_output"]
    real = x["padding_mask"].astype(bool)
    received = keras.ops.convert_to_numpy(received)[real]
    np.testing.assert_allclose(received, expected[real], rtol=0, atol=TOLERANCE)

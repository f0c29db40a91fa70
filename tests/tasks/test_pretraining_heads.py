"""MLM and sentence-order heads: Google's outputs and losses, restored from presets, trained on raw text."""

import keras
import numpy as np
import pytest
from keras import ops

from keras_albert import AlbertBackbone, AlbertClassifier, AlbertMaskedLM, AlbertPretrainer
from keras_albert.checkpoints import open_release
from keras_albert.tasks import AlbertMaskedLMPreprocessor, AlbertPretrainerPreprocessor

MODELS = ["albert_tiny_g1", "albert_tiny_g2", "albert_tiny_e_eq_h", "albert_tiny_zh"]
TOLERANCE = 2e-5


def inputs(stored) -> dict[str, np.ndarray]:
    names = {"input_ids": "token_ids", "segment_ids": "segment_ids", "input_mask": "padding_mask"}
    names["masked_lm_positions"] = "mask_positions"
    return {ours: stored[google] for google, ours in names.items()}


@pytest.fixture(scope="module", params=MODELS)
def golden(request, golden_model):
    archive, outputs = golden_model(request.param)
    return archive, outputs("outputs")


def test_logits_and_losses_equal_google(golden):
    archive, stored = golden
    pretrainer = AlbertPretrainer.from_preset(archive, preprocessor=None)
    received = pretrainer.predict(inputs(stored), verbose=0)
    np.testing.assert_allclose(received["masked_lm"], stored["masked_lm_logits"], rtol=0, atol=TOLERANCE)
    np.testing.assert_allclose(received["sentence_order"], stored["sentence_order_logits"], rtol=0, atol=TOLERANCE)
    losses = pretrainer.evaluate(
        inputs(stored),
        {"masked_lm": stored["masked_lm_ids"], "sentence_order": stored["sentence_order_labels"]},
        sample_weight={"masked_lm": stored["masked_lm_weights"], "sentence_order": np.ones(3, "float32")},
        verbose=0,
        return_dict=True,
    )
    assert losses["masked_lm_loss"] == pytest.approx(float(stored["masked_lm_loss"]), abs=TOLERANCE)
    assert losses["sentence_order_loss"] == pytest.approx(float(stored["sentence_order_loss"]), abs=TOLERANCE)
    assert losses["loss"] == pytest.approx(float(stored["total_loss"]), abs=TOLERANCE)


def test_masked_lm_task_restores_its_head(golden):
    archive, stored = golden
    masked_lm = AlbertMaskedLM.from_preset(archive, preprocessor=None)
    received = masked_lm.predict(inputs(stored), verbose=0)
    np.testing.assert_allclose(received, stored["masked_lm_logits"], rtol=0, atol=TOLERANCE)


def test_sentence_order_kernel_is_googles_transposed(golden_model, tmp_path):
    archive, _ = golden_model("albert_tiny_g2")
    pretrainer = AlbertPretrainer.from_preset(archive, preprocessor=None)
    from keras_albert.presets import resolve

    release = resolve(archive)
    kernel = ops.convert_to_numpy(pretrainer.sentence_order_head.kernel)
    np.testing.assert_array_equal(kernel, release.checkpoint.read("cls/seq_relationship/output_weights").T)


def test_preset_of_a_pretrainer_serves_every_task(golden_model, tmp_path):
    archive, outputs = golden_model("albert_tiny_e_eq_h")
    stored = outputs("outputs")
    AlbertPretrainer.from_preset(archive).save_to_preset(tmp_path / "preset")
    again = AlbertPretrainer.from_preset(tmp_path / "preset", preprocessor=None)
    np.testing.assert_allclose(
        again.predict(inputs(stored), verbose=0)["masked_lm"], stored["masked_lm_logits"], rtol=0, atol=TOLERANCE
    )
    masked_lm = AlbertMaskedLM.from_preset(tmp_path / "preset")
    assert isinstance(masked_lm.preprocessor, AlbertMaskedLMPreprocessor)
    for ours, theirs in zip(masked_lm.masked_lm_head.get_weights(), again.masked_lm_head.get_weights(), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    classifier = AlbertClassifier.from_preset(tmp_path / "preset", num_classes=2)
    np.testing.assert_array_equal(classifier.backbone.get_weights()[0], again.backbone.get_weights()[0])
    backbone = AlbertBackbone.from_preset(tmp_path / "preset")
    np.testing.assert_array_equal(backbone.get_weights()[0], again.backbone.get_weights()[0])


@pytest.mark.parametrize("policy", ["mixed_bfloat16", "mixed_float16", "float16", "bfloat16"])
def test_preset_saved_in_half_precision_loads_in_the_policy_of_the_day(policy, backbone, tmp_path):
    config = backbone.get_config() | {"dtype": policy}
    AlbertPretrainer(AlbertBackbone.from_config(config)).save_to_preset(tmp_path / "preset")
    loaded = AlbertBackbone.from_preset(tmp_path / "preset")
    tasks = [
        AlbertPretrainer.from_preset(tmp_path / "preset", preprocessor=None),
        AlbertPretrainer.from_preset(tmp_path / "preset", preprocessor=None, backbone=loaded),
        AlbertMaskedLM.from_preset(tmp_path / "preset", preprocessor=None),
        AlbertMaskedLM.from_preset(tmp_path / "preset", preprocessor=None, backbone=loaded),
        AlbertClassifier.from_preset(tmp_path / "preset", preprocessor=None, num_classes=2),
    ]
    assert {model.dtype_policy.name for model in [loaded, *(task.backbone for task in tasks)]} == {"float32"}
    asked = AlbertMaskedLM.from_preset(tmp_path / "preset", preprocessor=None, dtype=policy)
    assert asked.backbone.dtype_policy.name == policy


def test_heads_that_a_preset_lacks_are_named(classifier_preset):
    with pytest.warns(UserWarning, match="no weights for masked_lm_head of AlbertMaskedLM"):
        AlbertMaskedLM.from_preset(classifier_preset, preprocessor=None)
    with pytest.warns(UserWarning, match="no weights for masked_lm_head and sentence_order_head"):
        AlbertPretrainer.from_preset(classifier_preset, preprocessor=None)


@pytest.fixture
def classifier_preset(backbone, tmp_path):
    AlbertClassifier(backbone, num_classes=2).save_to_preset(tmp_path / "classifier")
    return tmp_path / "classifier"


def test_masked_lm_scores_masked_positions_only(backbone):
    masked_lm = AlbertMaskedLM(backbone)
    x = {name: np.ones((2, 6), "int32") for name in ("token_ids", "segment_ids", "padding_mask")}
    assert masked_lm.predict(x | {"mask_positions": np.zeros((2, 3), "int32")}, verbose=0).shape == (2, 3, 400)


def test_masked_lm_learns_from_raw_text_and_keeps_what_it_learned(tokenizer, tmp_path):
    backbone = AlbertBackbone(400, 2, 3, 24, 40, 16, max_sequence_length=16, initializer_range=0.05)
    preprocessor = AlbertMaskedLMPreprocessor(
        tokenizer, sequence_length=16, max_sequence_length=16, max_masks=3, seed=1
    )
    masked_lm = AlbertMaskedLM(backbone, preprocessor)
    masked_lm.compile(keras.optimizers.Adam(1e-2))
    pooler = masked_lm.backbone.pooler.get_weights()
    text = "the train was late"
    masked_lm.fit([text] * 64, epochs=25, batch_size=32, verbose=0)
    for before, after in zip(pooler, masked_lm.backbone.pooler.get_weights(), strict=True):
        np.testing.assert_array_equal(before, after)  # it has no part in the loss, and no warning says so
    ids = tokenizer.tokenize(text)
    late = len(ids)  # the position of the last piece; a word of several pieces is never masked in so short a row
    x = preprocessor.without_labels(preprocessor([text])[0])
    x["token_ids"] = np.array([[2, *ids, 3] + [0] * (14 - len(ids))], "int32")
    x["token_ids"][0, late] = tokenizer.mask_token_id
    x["mask_positions"] = np.array([[late]], "int32")
    assert masked_lm.predict(x, verbose=0)[0, 0].argmax() == ids[-1]
    masked_lm.save_to_preset(tmp_path / "preset")
    loaded = AlbertMaskedLM.from_preset(tmp_path / "preset")
    assert loaded.predict(x, verbose=0)[0, 0].argmax() == ids[-1]
    assert loaded.preprocessor.max_masks == 3


def test_masked_rows_have_their_shapes_inside_of_tf_data(backbone, tokenizer):
    import tensorflow as tf

    preprocessor = AlbertMaskedLMPreprocessor(tokenizer, sequence_length=32, max_sequence_length=32, max_masks=6)
    dataset = tf.data.Dataset.from_tensor_slices(["the train was late", "good food"] * 4).batch(4)
    x, labels, weights = next(iter(dataset.map(preprocessor)))
    assert tuple(x["token_ids"].shape) == (4, 32)
    assert tuple(x["mask_positions"].shape) == tuple(labels.shape) == tuple(weights.shape) == (4, 6)
    AlbertMaskedLM(backbone, preprocessor).fit(dataset, verbose=0)


def test_masked_lm_takes_no_labels(backbone, tokenizer):
    masked_lm = AlbertMaskedLM(backbone, AlbertMaskedLMPreprocessor(tokenizer, max_sequence_length=32))
    with pytest.raises(ValueError, match="makes its own labels"):
        masked_lm.fit(["good"], [1], verbose=0)


def test_pretrainer_trains_on_raw_pairs(backbone, tokenizer):
    preprocessor = AlbertPretrainerPreprocessor(
        tokenizer, sequence_length=16, max_sequence_length=16, max_masks=3, seed=1
    )
    pretrainer = AlbertPretrainer(backbone, preprocessor)
    first, second = ["the train was late", "good food"] * 4, ["we waited", "bad service"] * 4
    history = pretrainer.fit((first, second), np.array([0, 1] * 4), batch_size=8, epochs=2, verbose=0).history
    assert {"loss", "masked_lm_accuracy", "sentence_order_accuracy"} <= history.keys()
    assert history["loss"][0] == pytest.approx(
        history["masked_lm_loss"][0] + history["sentence_order_loss"][0], abs=1e-4
    )
    received = pretrainer.predict((first, second), batch_size=8, verbose=0)
    assert {name: array.shape for name, array in received.items()} == {
        "masked_lm": (8, 3, 400),
        "sentence_order": (8, 2),
    }


def test_fine_tuned_checkpoint_brings_its_classifier(shared):
    folder = shared / "golden" / "model"
    with np.load(folder / "finetuned_mrpc_outputs.npz") as stored:
        release = open_release(folder / "finetuned_mrpc")
        classifier = AlbertClassifier.from_preset(folder / "finetuned_mrpc", preprocessor=None)
        assert classifier.num_classes == release.num_classes == 2
        with np.load(folder / "albert_tiny_g1_outputs.npz") as given:
            x = {name: array for name, array in inputs(given).items() if name != "mask_positions"}
        np.testing.assert_allclose(classifier.predict(x, verbose=0), stored["logits"], rtol=0, atol=TOLERANCE)

"""The classifier on raw text: every way in, labels, saving, what is refused."""

import keras
import numpy as np
import pytest
from keras import ops

from keras_albert import AlbertBackbone, AlbertClassifier, AlbertClassifierPreprocessor

NAMES = ("dissatisfied", "satisfied")


@pytest.fixture
def texts(short_texts) -> list[str]:
    return [row["text"] for row in short_texts[:48]]


@pytest.fixture
def labels(short_texts) -> np.ndarray:
    return np.array([NAMES.index(row["label"]) for row in short_texts[:48]])


@pytest.fixture
def classifier(backbone, tokenizer) -> AlbertClassifier:
    preprocessor = AlbertClassifierPreprocessor(tokenizer, sequence_length=32, max_sequence_length=32)
    return AlbertClassifier(backbone, class_names=NAMES, preprocessor=preprocessor)


def logits_one_by_one(classifier, texts) -> np.ndarray:
    features = classifier.preprocessor(texts)
    return np.asarray(ops.convert_to_numpy(classifier(features)))


pytestmark = pytest.mark.filterwarnings("ignore:.*were truncated")


def test_predict_gives_logits_in_the_order_of_the_texts(classifier, texts):
    received = classifier.predict(texts[:9], batch_size=4, verbose=0)
    assert received.shape == (9, 2)
    np.testing.assert_allclose(received, logits_one_by_one(classifier, texts[:9]), atol=1e-5)


def test_predict_in_lengths_of_the_batch_gives_the_same_as_in_one_length(classifier, texts):
    fixed = classifier.predict(texts[:8], batch_size=4, verbose=0)
    classifier.preprocessor.sequence_length = None
    np.testing.assert_allclose(classifier.predict(texts[:8], batch_size=4, verbose=0), fixed, atol=1e-5)


def test_predict_takes_every_form_of_text(classifier, texts):
    import grain
    import tensorflow as tf

    texts = texts[:8]
    expected = classifier.predict(texts, batch_size=4, verbose=0)
    forms = {
        "array": np.array(texts),
        "object array": np.array(texts, dtype=object),
        "tf.data": tf.data.Dataset.from_tensor_slices(texts).batch(4),
        "grain": grain.MapDataset.source(texts).batch(4),
    }
    for name, form in forms.items():
        batch_size = 4 if "array" in name else None
        np.testing.assert_allclose(
            classifier.predict(form, batch_size=batch_size, verbose=0), expected, atol=1e-5, err_msg=name
        )


def test_predict_takes_pairs_in_both_forms(classifier, texts):
    first, second = texts[:4], texts[4:8]
    expected = logits_one_by_one(classifier, (first, second))
    np.testing.assert_allclose(classifier.predict((first, second), verbose=0), expected, atol=1e-5)
    pairs = list(zip(first, second, strict=True))
    np.testing.assert_allclose(classifier.predict(pairs, verbose=0), expected, atol=1e-5)
    assert not np.allclose(classifier.predict((second, first), verbose=0), expected, atol=1e-5)


def test_fit_and_evaluate_take_every_form_of_text(classifier, texts, labels):
    import grain
    import tensorflow as tf

    texts, labels = texts[:8], labels[:8]
    rows = [(text, label) for text, label in zip(texts, labels, strict=True)]
    forms = [
        {"x": texts, "y": labels, "batch_size": 4},
        {"x": np.array(texts), "y": [NAMES[label] for label in labels], "batch_size": 4},
        {"x": tf.data.Dataset.from_tensor_slices((texts, labels)).batch(4)},
        {"x": grain.MapDataset.source(rows).batch(4)},
    ]
    losses = [classifier.evaluate(**form, verbose=0)[0] for form in forms]
    np.testing.assert_allclose(losses, losses[0], atol=1e-5)
    for form in forms:
        history = classifier.fit(**form, epochs=2, verbose=0).history
        assert len(history["loss"]) == 2
        assert np.isfinite(history["loss"]).all()


def test_grain_under_lengths_that_differ_from_batch_to_batch(classifier):
    import grain

    classifier.preprocessor.sequence_length = None
    rows = [("good", 1)] * 8 + [("good " * 20, 0)] * 4
    classifier.fit(grain.MapDataset.source(rows).batch(4), verbose=0)
    assert classifier.predict(grain.MapDataset.source([text for text, _ in rows]).batch(4), verbose=0).shape == (12, 2)


def test_validation_in_every_form(classifier, texts, labels):
    import tensorflow as tf

    held_out = (texts[8:12], labels[8:12])
    dataset = tf.data.Dataset.from_tensor_slices(held_out).batch(4)
    for arguments in (
        {"validation_data": held_out},
        {"validation_data": dataset},
        {"validation_split": 0.5},
    ):
        history = classifier.fit(texts[:8], labels[:8], batch_size=4, verbose=0, **arguments).history
        assert {"loss", "accuracy", "val_loss", "val_accuracy"} <= history.keys()


def test_dataset_for_training_beside_raw_text_for_validation_in_other_lengths(classifier, texts, labels):
    import tensorflow as tf

    classifier.preprocessor.sequence_length = None
    held_out = (["good", "good " * 12, "good " * 20], [1, 0, 1])
    dataset = tf.data.Dataset.from_tensor_slices((texts[:4], labels[:4])).batch(4)
    history = classifier.fit(dataset, validation_data=held_out, batch_size=1, verbose=0).history
    assert "val_accuracy" in history


def test_class_weight_equals_sample_weight(classifier, texts, labels):
    classifier = AlbertClassifier(classifier.backbone, 2, classifier.preprocessor, classifier_dropout=0.0)
    start = classifier.get_weights()
    weight = {0: 3.0, 1: 0.5}
    losses = []
    for arguments in ({"class_weight": weight}, {"sample_weight": [weight[label] for label in labels[:8]]}):
        classifier.set_weights(start)
        classifier.compile(keras.optimizers.SGD(0.0))
        losses.append(classifier.fit(texts[:8], labels[:8], batch_size=8, verbose=0, **arguments).history["loss"][0])
    assert losses[0] == pytest.approx(losses[1], abs=1e-6)


def test_one_step_changes_every_weight_of_the_backbone(classifier, texts, labels):
    classifier.compile(keras.optimizers.SGD(1.0))
    before = {weight.path: ops.convert_to_numpy(weight).copy() for weight in classifier.trainable_variables}
    classifier.fit(texts[:8], labels[:8], batch_size=8, verbose=0)
    unmoved = [
        weight.path
        for weight in classifier.trainable_variables
        # A constant on all scores leaves the softmax as it is: the key's bias has no gradient but rounding.
        if np.array_equal(ops.convert_to_numpy(weight), before[weight.path]) and "key/bias" not in weight.path
    ]
    assert unmoved == []


def test_classifier_dropout_is_its_own(backbone):
    classifier = AlbertClassifier(backbone, num_classes=2, classifier_dropout=0.5)
    assert AlbertClassifier(backbone, num_classes=2).classifier_dropout == 0.1
    x = {name: np.ones((2, 6), "int32") for name in ("token_ids", "segment_ids", "padding_mask")}
    first, second = (ops.convert_to_numpy(classifier(x, training=True)) for _ in range(2))
    assert not np.array_equal(first, second)
    encoded = [ops.convert_to_numpy(backbone(x, training=True)["sequence_output"]) for _ in range(2)]
    np.testing.assert_array_equal(*encoded)


def test_default_optimizer_warms_up_and_clips(classifier):
    assert classifier.optimizer.global_clipnorm == 1.0
    assert classifier.optimizer._learning_rate.warmup_steps == 100
    assert float(classifier.optimizer._learning_rate(0)) == 0.0


@pytest.mark.parametrize("label", [-1, 2, 7])
def test_labels_out_of_range_are_refused(classifier, texts, label):
    with pytest.raises(ValueError, match=rf"from 0 to 1.*num_classes=2.*{label}"):
        classifier.fit(texts[:2], [0, label], verbose=0)


def test_unknown_names_and_wrong_numbers_of_rows_are_refused(classifier, texts):
    with pytest.raises(ValueError, match=r"Received: \['delighted'\]"):
        classifier.fit(texts[:2], ["satisfied", "delighted"], verbose=0)
    with pytest.raises(ValueError, match=r"3 texts, y.shape=\(2,\)"):
        classifier.fit(texts[:3], [0, 1], verbose=0)
    with pytest.raises(ValueError, match="no text"):
        classifier.predict([], verbose=0)
    with pytest.raises(ValueError, match="put it in a list"):
        classifier.predict("a fine film", verbose=0)


def test_number_of_classes_is_needed(backbone):
    with pytest.raises(ValueError, match="num_classes=2"):
        AlbertClassifier(backbone)
    with pytest.raises(ValueError, match="at least two"):
        AlbertClassifier(backbone, num_classes=1)
    with pytest.raises(ValueError, match="a name for each of 3"):
        AlbertClassifier(backbone, num_classes=3, class_names=NAMES)


def test_preprocessor_of_another_model_is_refused(tokenizer):
    preprocessor = AlbertClassifierPreprocessor(tokenizer, max_sequence_length=64)
    small = AlbertBackbone(100, 1, 1, 8, 16, 4)
    with pytest.raises(ValueError, match="400 ids, the backbone an embedding for 100"):
        AlbertClassifier(small, 2, preprocessor)
    short = AlbertBackbone(400, 1, 1, 8, 16, 4, max_sequence_length=32)
    with pytest.raises(ValueError, match="max_sequence_length=32"):
        AlbertClassifier(short, 2, preprocessor)


def test_ids_outside_of_the_vocabulary_are_refused_in_arrays(backbone):
    classifier = AlbertClassifier(backbone, num_classes=2)
    x = {name: np.full((2, 6), 400) for name in ("token_ids", "segment_ids", "padding_mask")}
    with pytest.raises(ValueError, match="from 0 to 399"):
        classifier.predict(x, verbose=0)


def test_strings_without_preprocessing_say_what_to_do(classifier):
    with pytest.raises(ValueError, match="preprocess"):
        classifier(["a fine film"])


def test_preset_round_trip_keeps_everything(classifier, texts, tmp_path):
    expected = classifier.predict(texts[:8], verbose=0)
    classifier.save_to_preset(tmp_path / "a preset")
    loaded = AlbertClassifier.from_preset(tmp_path / "a preset")
    np.testing.assert_array_equal(loaded.predict(texts[:8], verbose=0), expected)
    assert loaded.class_names == NAMES
    assert loaded.preprocessor.sequence_length == 32
    new_head = AlbertClassifier.from_preset(tmp_path / "a preset", num_classes=3)
    assert new_head.predict(texts[:2], verbose=0).shape == (2, 3)


def test_full_disk_while_saving_leaves_the_folder_as_it_was(classifier, tmp_path, monkeypatch):
    import errno

    classifier.save_to_preset(tmp_path / "preset")
    before = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}

    def fill_up(*args, **kwargs):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(type(classifier.preprocessor.tokenizer), "save_assets", fill_up)
    with pytest.raises(OSError, match=r"Cannot write .*preset.*Free some space"):
        classifier.save_to_preset(tmp_path / "preset")
    with pytest.raises(OSError, match="Free some space"):
        classifier.save_to_preset(tmp_path / "another")
    assert {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()} == before


def test_keras_file_keeps_model_tokenizer_and_optimizer(classifier, texts, labels, tmp_path):
    classifier.fit(texts[:8], labels[:8], batch_size=8, verbose=0)
    classifier.save(tmp_path / "model.keras")
    loaded = keras.saving.load_model(tmp_path / "model.keras")
    np.testing.assert_array_equal(loaded.predict(texts[:8], verbose=0), classifier.predict(texts[:8], verbose=0))
    assert loaded.preprocessor.tokenizer.tokenize(texts[0]) == classifier.preprocessor.tokenizer.tokenize(texts[0])
    assert int(loaded.optimizer.iterations) == 1
    for model in (classifier, loaded):
        keras.utils.set_random_seed(5)
        model.fit(texts[:8], labels[:8], batch_size=8, verbose=0)


def test_saved_weights_are_the_same_to_the_bit_under_another_backend(classifier, texts, tmp_path, run_under):
    classifier.save_to_preset(tmp_path / "preset")
    backends = ["tensorflow", "jax", "torch"]
    other = backends[(backends.index(keras.backend.backend()) + 1) % 3]
    code = f"""
import hashlib, keras_albert, numpy as np
classifier = keras_albert.AlbertClassifier.from_preset({str(tmp_path / "preset")!r})
print("weights", hashlib.sha256(b"".join(w.tobytes() for w in classifier.get_weights())).hexdigest())
print("labels", classifier.predict({texts[:8]!r}, verbose=0).argmax(axis=1).tolist())
"""
    import hashlib

    printed = dict(line.split(" ", 1) for line in run_under(other, code).splitlines() if " " in line)
    assert printed["weights"] == hashlib.sha256(b"".join(w.tobytes() for w in classifier.get_weights())).hexdigest()
    assert printed["labels"] == str(classifier.predict(texts[:8], verbose=0).argmax(axis=1).tolist())


def test_int8_preset_keeps_int8_and_the_outputs(classifier, texts, tmp_path, little_garbage):
    before = classifier.predict(texts[:8], verbose=0)
    classifier.quantize("int8")
    expected = classifier.predict(texts[:8], verbose=0)
    assert before.ravel() @ expected.ravel() / np.linalg.norm(before) / np.linalg.norm(expected) > 0.99
    classifier.save_to_preset(tmp_path / "preset")
    loaded = AlbertClassifier.from_preset(tmp_path / "preset")
    np.testing.assert_array_equal(loaded.predict(texts[:8], verbose=0), expected)
    assert "int8" in {str(weight.dtype) for weight in loaded.weights}


def test_lora_trains_after_compiling_anew(classifier, texts, labels):
    classifier.backbone.enable_lora(2)
    classifier.compile()
    classifier.fit(texts[:8], labels[:8], batch_size=8, verbose=0)
    # Kernel factors A and B and the bias of query and value in two blocks, and the head.
    assert len(classifier.trainable_variables) == 2 * 2 * 3 + 2


def test_dtype_of_a_loaded_preset(classifier, tmp_path):
    classifier.save_to_preset(tmp_path / "preset")
    loaded = AlbertClassifier.from_preset(tmp_path / "preset", dtype="mixed_bfloat16")
    assert loaded.backbone.dtype_policy.name == "mixed_bfloat16"
    assert loaded.predict(["a"], verbose=0).shape == (1, 2)


def test_logits_are_float32_in_mixed_precision(classifier, tmp_path):
    classifier.save_to_preset(tmp_path / "preset")
    loaded = AlbertClassifier.from_preset(tmp_path / "preset", dtype="mixed_bfloat16")
    assert loaded.predict(["a"], verbose=0).dtype == "float32"


TOPICS = ("food", "staff", "price")
TOPICS_OF_TEXTS = [["food"], ["food", "staff"], [], ["price"]] * 2


@pytest.fixture
def topic_classifier(classifier) -> AlbertClassifier:
    return AlbertClassifier(classifier.backbone, None, classifier.preprocessor, 0.0, TOPICS, multi_label=True)


def test_multi_label_loss_and_metrics_are_those_of_single_decisions(topic_classifier, texts):
    texts = texts[:8]
    logits = logits_one_by_one(topic_classifier, texts).astype("float64")
    hot = np.array([[name in row for name in TOPICS] for row in TOPICS_OF_TEXTS], "float64")
    probability = 1 / (1 + np.exp(-logits))
    entropy = -(hot * np.log(probability) + (1 - hot) * np.log(1 - probability))
    weight = np.array([1.0, 0.0, 2.0, 1.0, 0.0, 0.5, 1.0, 3.0])
    for labels in (TOPICS_OF_TEXTS, hot):
        received = topic_classifier.evaluate(texts, labels, batch_size=4, verbose=0, return_dict=True)
        assert received["loss"] == pytest.approx(entropy.mean(), rel=1e-4)
        assert received["accuracy"] == pytest.approx(((logits > 0) == hot).mean())
        hits = ((logits > 0) & (hot == 1)).sum()
        assert received["f1"] == pytest.approx(2 * hits / ((logits > 0).sum() + hot.sum()))
    received = topic_classifier.evaluate(texts, hot, batch_size=4, sample_weight=weight, verbose=0, return_dict=True)
    assert received["loss"] == pytest.approx((weight * entropy.mean(axis=1)).mean(), rel=1e-4)


def test_multi_label_is_learned_and_kept(topic_classifier, texts, tmp_path):
    topic_classifier.compile(keras.optimizers.Adam(3e-3))
    training = ["good food", "good food and friendly staff", "we waited", "too expensive"]
    topic_classifier.fit(training * 8, TOPICS_OF_TEXTS * 4, batch_size=4, epochs=20, verbose=0)
    found = topic_classifier.classify(training, batch_size=4)
    assert [{prediction.label for prediction in row} for row in found] == [
        {"food"},
        {"food", "staff"},
        set(),
        {"price"},
    ]
    topic_classifier.save_to_preset(tmp_path / "preset")
    loaded = AlbertClassifier.from_preset(tmp_path / "preset")
    assert loaded.multi_label
    assert loaded.classify(training, batch_size=4) == found


def test_multi_label_takes_one_class(classifier, texts):
    one = AlbertClassifier(classifier.backbone, 1, classifier.preprocessor, multi_label=True)
    one.fit(texts[:4], np.array([1, 0, 1, 1]), batch_size=4, verbose=0)
    assert one.predict(texts[:4], batch_size=4, verbose=0).shape == (4, 1)


def test_multi_label_asks_for_lists(topic_classifier, texts):
    with pytest.raises(ValueError, match="Expected a list or set of labels"):
        topic_classifier.fit(texts[:2], ["food", "staff"], verbose=0)
    with pytest.raises(ValueError, match="class_weight needs one class"):
        topic_classifier.fit(texts[:2], [["food"], []], class_weight={0: 2.0}, verbose=0)


def test_preset_from_before_multi_label_loads(classifier, tmp_path):
    import json

    classifier.save_to_preset(tmp_path / "preset")
    path = tmp_path / "preset" / "task.json"
    config = json.loads(path.read_text())
    del config["config"]["multi_label"]
    path.write_text(json.dumps(config))
    assert AlbertClassifier.from_preset(tmp_path / "preset").multi_label is False


def test_classify_gives_the_most_probable_class(classifier, texts):
    logits = logits_one_by_one(classifier, texts[:4]).astype("float64")
    probability = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    received = classifier.classify(texts[:4], batch_size=4)
    assert [prediction.label for prediction in received] == [NAMES[number] for number in logits.argmax(axis=1)]
    np.testing.assert_allclose([prediction.probability for prediction in received], probability.max(axis=1), atol=1e-5)


def test_classify_gives_numbers_where_there_are_no_names(classifier, texts):
    unnamed = AlbertClassifier(classifier.backbone, 3, classifier.preprocessor)
    (prediction,) = unnamed.classify(texts[:1])
    assert type(prediction.label) is int
    assert type(prediction.probability) is float


def test_classify_gives_the_classes_above_the_threshold_most_probable_first(topic_classifier, texts):
    probability = 1 / (1 + np.exp(-logits_one_by_one(topic_classifier, texts[:4]).astype("float64")))
    for threshold in (0.0, 0.5):
        for row, received in zip(
            probability, topic_classifier.classify(texts[:4], batch_size=4, threshold=threshold), strict=True
        ):
            expected = [number for number in np.argsort(-row) if row[number] >= threshold]
            assert [prediction.label for prediction in received] == [TOPICS[number] for number in expected]
            np.testing.assert_allclose([prediction.probability for prediction in received], row[expected], atol=1e-5)
    with pytest.raises(ValueError, match=r"threshold in \[0, 1\]"):
        topic_classifier.classify(texts[:4], batch_size=4, threshold=50)


@pytest.mark.skipif(keras.backend.backend() != "torch", reason="counts PyTorch's live tensors")
def test_repeated_prediction_keeps_no_tensors_under_torch(classifier, texts):
    import gc

    import torch

    def live() -> int:
        return sum(issubclass(type(thing), torch.Tensor) for thing in gc.get_objects())

    counts = []
    for calls in (10, 100):
        for _ in range(calls):
            classifier.predict_on_batch(texts[:4])
        counts.append(live())
    assert counts[1] <= counts[0] + 20

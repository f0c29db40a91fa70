"""The regressor on raw text: scores, losses with weights, labels that it refuses, saving."""

import keras
import numpy as np
import pytest
from keras import ops

from keras_albert import AlbertBackbone, AlbertClassifier, AlbertRegressor, AlbertRegressorPreprocessor
from keras_albert.tasks.regressor import score_labels

pytestmark = pytest.mark.filterwarnings("ignore:.*were truncated")

LABELS = np.array([0.0, 5.0, 2.5, 1.2, 4.8, 3.0, 3.2, 0.4], "float32")


@pytest.fixture
def texts(short_texts) -> list[str]:
    return [row["text"] for row in short_texts[:8]]


@pytest.fixture
def regressor(backbone, tokenizer) -> AlbertRegressor:
    preprocessor = AlbertRegressorPreprocessor(tokenizer, sequence_length=32, max_sequence_length=32)
    return AlbertRegressor(backbone, preprocessor)


def scores_by_hand(regressor, texts) -> np.ndarray:
    pooled = ops.convert_to_numpy(regressor.backbone(regressor.preprocessor(texts))["pooled_output"])
    kernel, bias = regressor.regressor_head.get_weights()
    return (pooled @ kernel + bias)[:, 0]


def test_predict_gives_a_score_for_each_text_in_their_order(regressor, texts):
    received = regressor.predict(texts, batch_size=4, verbose=0)
    assert received.shape == (8,)
    assert received.dtype == "float32"
    np.testing.assert_allclose(received, scores_by_hand(regressor, texts), atol=1e-5)
    assert np.ptp(received) > 1e-3  # the order can be told


def test_every_form_of_text_and_labels_has_the_same_loss(regressor, texts):
    import grain
    import tensorflow as tf

    expected = np.mean((scores_by_hand(regressor, texts) - LABELS) ** 2)
    rows = list(zip(texts, LABELS, strict=True))
    regressor.compile(keras.optimizers.SGD(0.0), metrics="auto")
    for form in (
        {"x": texts, "y": LABELS.tolist(), "batch_size": 4},
        {"x": np.array(texts), "y": LABELS[:, None], "batch_size": 4},
        {"x": regressor.preprocessor(texts), "y": LABELS, "batch_size": 4},
        {"x": regressor.preprocessor(texts), "y": LABELS[:, None], "batch_size": 4},
        {"x": tf.data.Dataset.from_tensor_slices((texts, LABELS)).batch(4)},
        {"x": grain.MapDataset.source(rows).batch(4)},
    ):
        loss, rmse = regressor.evaluate(**form, verbose=0)
        assert loss == pytest.approx(expected, rel=1e-5)
        assert rmse == pytest.approx(np.sqrt(expected), rel=1e-5)
        assert np.isfinite(regressor.fit(**form, verbose=0).history["loss"]).all()


@pytest.mark.parametrize("loss", ["auto", "mean_absolute_error"])
def test_weights_count_row_by_row_in_loss_and_metric(regressor, texts, loss):
    weight = np.array([1.0, 0.0, 3.0, 0.5, 0.0, 1.0, 2.0, 1.0], "float32")
    error = scores_by_hand(regressor, texts) - LABELS
    regressor.compile(loss=loss, metrics=None, weighted_metrics=[keras.metrics.RootMeanSquaredError(name="rmse")])
    received = regressor.evaluate(texts, LABELS, batch_size=4, sample_weight=weight, verbose=0)
    row_loss = error**2 if loss == "auto" else np.abs(error)
    assert received[0] == pytest.approx(np.mean(weight * row_loss), rel=1e-5)
    assert received[1] == pytest.approx(np.sqrt(np.sum(weight * error**2) / np.sum(weight)), rel=1e-5)


def test_one_step_changes_every_weight(regressor, texts):
    regressor.compile(keras.optimizers.SGD(1.0))
    before = {weight.path: ops.convert_to_numpy(weight).copy() for weight in regressor.trainable_variables}
    regressor.fit(texts, LABELS, batch_size=4, verbose=0)
    unmoved = [
        weight.path
        for weight in regressor.trainable_variables
        # A constant on all scores leaves the softmax as it is: the key's bias has no gradient but rounding.
        if np.array_equal(ops.convert_to_numpy(weight), before[weight.path]) and "key/bias" not in weight.path
    ]
    assert unmoved == []
    assert any("regressor_head" in path for path in before)


def test_scores_are_learned(tokenizer):
    backbone = AlbertBackbone(400, 1, 1, 16, 32, 8, max_sequence_length=16, initializer_range=0.2)
    preprocessor = AlbertRegressorPreprocessor(tokenizer, sequence_length=16, max_sequence_length=16)
    regressor = AlbertRegressor(backbone, preprocessor, regressor_dropout=0.0)
    regressor.compile(keras.optimizers.Adam(1e-2))
    texts = ["good food", "bad service"]
    regressor.fit(texts * 16, [4.0, -1.0] * 16, batch_size=8, epochs=15, verbose=0)
    np.testing.assert_allclose(regressor.predict(texts, verbose=0), [4.0, -1.0], atol=0.2)


def test_dropout_is_its_own(backbone):
    regressor = AlbertRegressor(backbone, regressor_dropout=0.5)
    x = {name: np.ones((2, 6), "int32") for name in ("token_ids", "segment_ids", "padding_mask")}
    first, second = (ops.convert_to_numpy(regressor(x, training=True)) for _ in range(2))
    assert not np.array_equal(first, second)


def test_labels_become_float32_of_one_axis():
    for labels in ([1, 2.5], np.array([[1.0], [2.5]]), np.array([1, 2.5], dtype=object)):
        received = score_labels(labels)
        assert received.dtype == "float32"
        assert received.tolist() == [1.0, 2.5]


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["4.5", "3"], r"Received: '4.5', a string; convert labels with `float`"),
        ([1.0, "3"], r"a string; convert labels with `float`"),
        ([1.0, None], r"nan in row 1"),
        ([np.inf, 1.0], r"inf in row 0, and 1 such rows"),
        ([[1.0, 2.0], [3.0, 4.0]], r"y.shape=\(2, 2\)"),
        ([{"score": 1}, {"score": 2}], r"Expected one number as the label"),
    ],
)
def test_labels_that_are_no_scores_are_refused(regressor, labels, message):
    with pytest.raises(ValueError, match=message):
        regressor.fit(["good", "bad"], labels, verbose=0)


def test_preset_round_trip_keeps_everything(regressor, texts, tmp_path):
    regressor = AlbertRegressor(regressor.backbone, regressor.preprocessor, regressor_dropout=0.3)
    expected = regressor.predict(texts, batch_size=4, verbose=0)
    regressor.save_to_preset(tmp_path / "preset")
    loaded = AlbertRegressor.from_preset(tmp_path / "preset")
    np.testing.assert_array_equal(loaded.predict(texts, batch_size=4, verbose=0), expected)
    assert loaded.regressor_dropout == 0.3
    assert isinstance(loaded.preprocessor, AlbertRegressorPreprocessor)


def test_preset_of_another_task_gives_the_backbone(backbone, tmp_path):
    AlbertClassifier(backbone, num_classes=2).save_to_preset(tmp_path / "preset")
    with pytest.warns(UserWarning, match="no weights for regressor_head of AlbertRegressor"):
        loaded = AlbertRegressor.from_preset(tmp_path / "preset", preprocessor=None)
    np.testing.assert_array_equal(loaded.backbone.get_weights()[0], backbone.get_weights()[0])


def test_keras_file_keeps_model_tokenizer_and_optimizer(regressor, texts, tmp_path):
    regressor.fit(texts, LABELS, batch_size=4, verbose=0)
    regressor.save(tmp_path / "model.keras")
    loaded = keras.saving.load_model(tmp_path / "model.keras")
    np.testing.assert_array_equal(
        loaded.predict(texts, batch_size=4, verbose=0), regressor.predict(texts, batch_size=4, verbose=0)
    )
    assert int(loaded.optimizer.iterations) == 2
    loaded.fit(texts, LABELS, batch_size=4, verbose=0)


def test_scores_are_float32_in_mixed_precision(tokenizer):
    backbone = AlbertBackbone(400, 1, 1, 16, 32, 8, max_sequence_length=16, dtype="mixed_bfloat16")
    preprocessor = AlbertRegressorPreprocessor(tokenizer, sequence_length=16, max_sequence_length=16)
    assert AlbertRegressor(backbone, preprocessor).predict(["good"], verbose=0).dtype == "float32"

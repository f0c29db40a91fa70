"""The embedder: pooling by hand, independence of the batch, similarity, what it refuses, saving."""

import keras
import numpy as np
import pytest
from keras import ops

from keras_albert import AlbertBackbone, AlbertTextEmbedder, AlbertTextEmbedderPreprocessor

TEXTS = ["good", "the train was late and we waited for an hour", "bad service", "good food"]


@pytest.fixture
def preprocessor(tokenizer) -> AlbertTextEmbedderPreprocessor:
    return AlbertTextEmbedderPreprocessor(tokenizer, max_sequence_length=32)


@pytest.fixture
def embedder(backbone, preprocessor) -> AlbertTextEmbedder:
    return AlbertTextEmbedder(backbone, preprocessor)


def states_of_real_tokens(embedder, texts) -> list[np.ndarray]:
    features = embedder.preprocessor(texts)
    states = ops.convert_to_numpy(embedder.backbone(features)["sequence_output"])
    return [row[mask == 1] for row, mask in zip(states, features["padding_mask"], strict=True)]


def test_mean_is_over_tokens_with_the_special_ones_and_without_padding(embedder):
    received = embedder.embed(TEXTS)
    assert received.dtype == "float32"
    expected = [states.mean(axis=0) for states in states_of_real_tokens(embedder, TEXTS)]
    np.testing.assert_allclose(received, expected, atol=1e-5)
    np.testing.assert_array_equal(embedder.predict(TEXTS, verbose=0), received)


def test_cls_is_the_first_vector_of_the_sequence(backbone, preprocessor):
    embedder = AlbertTextEmbedder(backbone, preprocessor, pooling="cls")
    expected = [states[0] for states in states_of_real_tokens(embedder, TEXTS)]
    np.testing.assert_allclose(embedder.embed(TEXTS), expected, atol=1e-5)


@pytest.mark.parametrize("pooling", ["mean", "cls"])
def test_text_alone_and_beside_longer_ones_has_one_vector(backbone, preprocessor, pooling):
    embedder = AlbertTextEmbedder(backbone, preprocessor, pooling=pooling)
    assert embedder.preprocessor(TEXTS)["token_ids"].shape[1] > embedder.preprocessor(TEXTS[:1])["token_ids"].shape[1]
    np.testing.assert_allclose(embedder.embed(TEXTS[0]), embedder.embed(TEXTS)[0], atol=1e-5)


@pytest.mark.parametrize("pooling", ["mean", "cls"])
@pytest.mark.parametrize("normalize", [False, True])
def test_row_of_padding_is_zero(backbone, pooling, normalize):
    embedder = AlbertTextEmbedder(backbone, pooling=pooling, normalize=normalize)
    x = {name: np.zeros((2, 16), "int32") for name in ("token_ids", "segment_ids", "padding_mask")}
    x["padding_mask"][0, :3] = 1
    received = embedder.predict(x, verbose=0)
    assert np.abs(received[0]).max() > 0
    np.testing.assert_array_equal(received[1], np.zeros(24))


def test_normalized_vectors_have_unit_length_and_the_same_direction(embedder):
    plain = embedder.embed(TEXTS)
    unit = AlbertTextEmbedder(embedder.backbone, embedder.preprocessor, normalize=True).embed(TEXTS)
    np.testing.assert_allclose(unit, plain / np.linalg.norm(plain, axis=1, keepdims=True), atol=1e-5)


@pytest.mark.parametrize("normalize", [False, True])
def test_similarity_is_the_cosine(backbone, preprocessor, normalize):
    embedder = AlbertTextEmbedder(backbone, preprocessor, normalize=normalize)
    vectors = embedder.embed(TEXTS).astype("float64")
    norms = np.linalg.norm(vectors, axis=1)
    expected = vectors[:3] @ vectors.T / np.outer(norms[:3], norms)
    received = embedder.similarity(TEXTS[:3], TEXTS)
    assert received.shape == (3, 4)
    np.testing.assert_allclose(received, expected, atol=1e-5)
    np.testing.assert_allclose(embedder.similarity(3.0 * vectors[:3], vectors), expected, atol=1e-5)


def test_similarity_with_nothing_is_zero(embedder):
    assert embedder.similarity(np.zeros((1, 24)), np.ones((1, 24))).tolist() == [[0.0]]


def test_similarity_refuses_other_shapes(embedder):
    with pytest.raises(ValueError, match=r"put a single text in a list.*\(24,\)"):
        embedder.similarity("good", TEXTS)


def test_fit_asks_for_a_loss(embedder):
    with pytest.raises(ValueError, match=r"compile\(loss=.*target vectors"):
        embedder.fit(TEXTS, np.zeros((4, 24)), verbose=0)


def test_fit_towards_vectors_changes_every_weight_but_the_poolers(embedder):
    embedder.compile(keras.optimizers.SGD(1.0), loss="mse")
    before = {weight.path: ops.convert_to_numpy(weight).copy() for weight in embedder.trainable_variables}
    pooler = embedder.backbone.pooler.get_weights()
    target = np.linspace(-1, 1, 96).reshape(4, 24)
    embedder.fit(TEXTS, target, batch_size=4, verbose=0)
    unmoved = [
        weight.path
        for weight in embedder.trainable_variables
        # A constant on all scores leaves the softmax as it is: the key's bias has no gradient but rounding.
        if np.array_equal(ops.convert_to_numpy(weight), before[weight.path]) and "key/bias" not in weight.path
    ]
    assert unmoved == []
    np.testing.assert_array_equal(embedder.backbone.pooler.get_weights()[0], pooler[0])
    assert np.isfinite(embedder.evaluate(TEXTS, target, batch_size=4, verbose=0))


def test_unknown_pooling_is_refused(backbone):
    with pytest.raises(ValueError, match=r"one of \('mean', 'cls'\). Received: pooling='max'"):
        AlbertTextEmbedder(backbone, pooling="max")


def test_preset_and_keras_file_keep_everything(backbone, preprocessor, tmp_path):
    embedder = AlbertTextEmbedder(backbone, preprocessor, pooling="cls", normalize=True)
    expected = embedder.embed(TEXTS)
    embedder.save_to_preset(tmp_path / "preset")
    embedder.save(tmp_path / "model.keras")
    for loaded in (
        AlbertTextEmbedder.from_preset(tmp_path / "preset"),
        keras.saving.load_model(tmp_path / "model.keras"),
    ):
        assert (loaded.pooling, loaded.normalize) == ("cls", True)
        np.testing.assert_array_equal(loaded.embed(TEXTS), expected)


def test_google_release_gives_vectors(golden_model):
    archive, _ = golden_model("albert_tiny_g2")
    assert AlbertTextEmbedder.from_preset(archive).embed(["a"]).shape == (1, 40)


def test_vectors_are_float32_in_mixed_precision(preprocessor):
    backbone = AlbertBackbone(400, 1, 1, 16, 32, 8, max_sequence_length=32, dtype="mixed_bfloat16")
    assert AlbertTextEmbedder(backbone, preprocessor).embed(["good"]).dtype == "float32"

"""The preset in the package: small, as its entry in the catalogue says, loaded without network, and trained."""

import keras
import numpy as np
import pytest

import keras_albert
from keras_albert.checkpoints import open_release
from keras_albert.presets import PRESETS

TINY = PRESETS["albert_tiny"]


@pytest.fixture(autouse=True)
def without_cache_and_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any download fails, and so does any use of the cache."""
    monkeypatch.setenv("KERAS_ALBERT_CACHE", "/dev/null/no-folder")
    monkeypatch.setenv("KERAS_ALBERT_MIRROR", "http://127.0.0.1:9/none")


@pytest.mark.any_backend
def test_it_is_what_the_catalogue_says():
    release = open_release(TINY.bundled_folder)
    assert TINY.differences(release.backbone_config, release.parameter_count()) == {}
    assert release.tokenizer == TINY.tokenizer
    assert release.heads == {"masked_lm_head", "sentence_order_head"}


@pytest.mark.any_backend
def test_its_folder_is_small_and_names_no_place():
    files = {path.name: path for path in TINY.bundled_folder.iterdir()}
    assert files.keys() >= {"README.md", "albert_config.json", "google_variables.safetensors", "spiece.model"}
    assert files["google_variables.safetensors"].stat().st_size <= 6_000_000
    assert sum(path.stat().st_size for path in files.values()) <= 7_000_000
    assert "/tmp" not in files["README.md"].read_text(encoding="utf-8")


def test_it_fills_gaps():
    masked_lm = keras_albert.AlbertMaskedLM.from_preset("albert_tiny")
    head, door = masked_lm.fill_mask(
        ["He shook his [MASK] and answered that he did not know.", "She opened the [MASK] and went into the garden."]
    )
    assert "\u2581head" in {fill.token for fill in head[0]}
    assert "\u2581door" in {fill.token for fill in door[0]}


def test_it_tells_the_order_of_sentences():
    pretrainer = keras_albert.AlbertPretrainer.from_preset("albert_tiny")
    pair = (
        "One evening in October a stranger knocked at the door of the inn.",
        "The landlord, who had gone to bed, came down with a candle and asked him what he wanted.",
    )
    in_order, swapped = pretrainer.sentence_order([pair, pair[::-1]])
    assert in_order > swapped + 0.3


def test_every_task_starts_from_it():
    classifier = keras_albert.AlbertClassifier.from_preset("albert_tiny", num_classes=2)
    pretrainer = keras_albert.AlbertPretrainer.from_preset("albert_tiny")
    for ours, theirs in zip(classifier.backbone.weights, pretrainer.backbone.weights, strict=True):
        assert ours.dtype == "float32"
        np.testing.assert_array_equal(*map(keras.ops.convert_to_numpy, (ours, theirs)))
    assert classifier.predict(["a fine film"], verbose=0).shape == (1, 2)

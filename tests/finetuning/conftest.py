"""Fixtures of the fine-tuning tests: a tiny preset, texts that it can learn, and a finished run."""

from pathlib import Path

import keras
import pytest
from labelled_remarks import remarks

from keras_albert import AlbertBackbone, AlbertClassifier, AlbertClassifierPreprocessor, AlbertTokenizer
from keras_albert.finetuning import Classification, FineTuned, FineTuning, finetune
from keras_albert.text import train_vocabulary


@pytest.fixture(scope="session")
def tiny_preset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A preset in Keras's layout: a backbone and a tokenizer, no task."""
    keras.utils.set_random_seed(1)
    folder = tmp_path_factory.mktemp("presets") / "tiny"
    tokenizer = AlbertTokenizer(train_vocabulary(remarks(64).texts * 4, vocabulary_size=48))
    backbone = AlbertBackbone(
        vocabulary_size=48,
        num_layers=1,
        num_heads=1,
        hidden_dim=12,
        intermediate_dim=16,
        embedding_dim=8,
        max_sequence_length=24,
        initializer_range=0.2,
    )
    backbone.save_to_preset(str(folder))
    tokenizer.save_to_preset(str(folder))
    return folder


@pytest.fixture(scope="session")
def finished(tiny_preset: Path, tmp_path_factory: pytest.TempPathFactory) -> FineTuned:
    """A run on texts that the tiny model can learn; its folder's name has a space and Chinese characters in it."""
    settings = FineTuning(
        preset=str(tiny_preset),
        output=str(tmp_path_factory.mktemp("runs") / "a run 一"),
        epochs=8,
        eval_steps=8,
        batch_size=16,
        learning_rate=0.02,
        sequence_length=24,
        max_train_rows=64,
    )
    return finetune(settings, Classification(class_names=("no", "yes")), remarks(96), remarks(32, "dev"), verbose=False)


@pytest.fixture
def small_classifier() -> AlbertClassifier:
    """A classifier in memory that nothing has trained."""
    tokenizer = AlbertTokenizer(train_vocabulary(remarks(64).texts * 4, vocabulary_size=48))
    backbone = AlbertBackbone(48, num_layers=1, num_heads=1, hidden_dim=4, intermediate_dim=4, embedding_dim=4)
    return AlbertClassifier(backbone, preprocessor=AlbertClassifierPreprocessor(tokenizer), class_names=["no", "yes"])

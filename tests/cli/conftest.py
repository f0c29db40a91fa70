"""Fixtures of the command-line tests: calling it in this process, and a fine-tuned model to call it with."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import keras
import numpy as np
import pytest

from keras_albert import AlbertBackbone, AlbertClassifier, AlbertClassifierPreprocessor, AlbertTokenizer
from keras_albert.cli import main
from keras_albert.text import train_vocabulary

WORDS = ["a good train", "a bad knife", "a good bank", "a bad meal", "a good film", "a bad room"]


@dataclass(frozen=True)
class Outcome:
    """What a command left: its exit code and what it wrote."""

    code: int
    out: str
    err: str


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """Runs a command in this process."""

    def run(*arguments: object) -> Outcome:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        return Outcome(code, *capsys.readouterr())

    return run


@pytest.fixture(scope="session")
def classifier_preset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A saved classifier of single texts, classes "no" and "yes"; its path has a space and Chinese characters in it."""
    keras.utils.set_random_seed(1)
    folder = tmp_path_factory.mktemp("saved") / "a model 一"
    tokenizer = AlbertTokenizer(train_vocabulary(WORDS * 8, vocabulary_size=31))
    backbone = AlbertBackbone(
        vocabulary_size=31,
        num_layers=1,
        num_heads=1,
        hidden_dim=12,
        intermediate_dim=16,
        embedding_dim=8,
        max_sequence_length=24,
        initializer_range=0.5,
    )
    preprocessor = AlbertClassifierPreprocessor(tokenizer, sequence_length=24, max_sequence_length=24)
    classifier = AlbertClassifier(backbone, preprocessor=preprocessor, class_names=["no", "yes"])
    # Logits that depend on nothing: "yes" has the probability 1 / (1 + exp(-1)).
    classifier.classifier_head.set_weights([np.zeros((12, 2)), np.array([0.0, 1.0])])
    classifier.save_to_preset(str(folder))
    return folder


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A file of labelled texts, in a folder with a space and Chinese characters in its name."""
    folder = tmp_path / "my data 我们"
    folder.mkdir()
    path = folder / "dev.tsv"
    path.write_text("sentence\tgold\na good train\tyes\na bad knife\tno\n我们 good\tyes\n", encoding="utf-8")
    return path

"""Fixtures of every test: where the reference data lie, and a fixed random state."""

import gc
import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path

import keras
import numpy as np
import pytest

import keras_albert

SHARED = Path(os.environ.get("KERAS_ALBERT_SHARED", Path(__file__).parents[2] / "shared"))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of reference data beside the project (outputs of Google's code, data sets, vocabularies)."""
    if SHARED.is_dir():
        return SHARED
    message = f"needs the reference data in {SHARED} (KERAS_ALBERT_SHARED names another folder)"
    if os.environ.get("CI") == "true":
        pytest.fail(message)
    pytest.skip(message)


def pytest_collection_finish() -> None:
    """Leave what the imports made out of every later collection of garbage."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def little_garbage() -> None:
    """Leave what the tests before made out of collections as well.

    Keras collects whenever a layer's attribute is deleted, as `quantize` does with each kernel: seconds each time,
    beside the graphs of a whole suite.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _fixed_random_state() -> None:
    keras.utils.set_random_seed(20190926)


@pytest.fixture
def rng() -> np.random.Generator:
    """A seeded NumPy generator."""
    return np.random.default_rng(20190926)


GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture(scope="session")
def golden_model(request) -> Callable[[str], tuple[Path, Callable[[str], dict[str, np.ndarray]]]]:
    """Return a function from a golden model's name to its archive and to a reader of its stored outputs.

    Two models lie in tests/golden; the others need the reference data.
    """

    def find(name: str) -> tuple[Path, Callable[[str], dict[str, np.ndarray]]]:
        folder = GOLDEN / "model"
        if not (folder / f"{name}.tar.gz").is_file():
            folder = request.getfixturevalue("shared") / "golden" / "model"

        def outputs(kind: str) -> dict[str, np.ndarray]:
            with np.load(folder / f"{name}_{kind}.npz") as stored:
                return dict(stored)

        return folder / f"{name}.tar.gz", outputs

    return find


@pytest.fixture(scope="session")
def kept_golden() -> Path:
    """The part of them that is kept with the tests."""
    return GOLDEN / "model"


@pytest.fixture(scope="session")
def kept_release(kept_golden: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Unpacks a release that is kept with the tests."""

    def unpack(name: str) -> Path:
        folder = tmp_path_factory.getbasetemp() / "kept_releases"
        if not (folder / name).is_dir():
            with tarfile.open(kept_golden / f"{name}.tar.gz") as archive:
                archive.extractall(folder, filter="data")
        return folder / name

    return unpack


@pytest.fixture(scope="session")
def short_texts() -> list[dict[str, str]]:
    """The demo's labelled texts: text, label, group and split of each."""
    path = Path(__file__).parents[1] / "examples" / "short_texts.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="session")
def tokenizer(short_texts) -> keras_albert.AlbertTokenizer:
    """A tokenizer of 400 pieces, trained on the demo's texts."""
    return keras_albert.AlbertTokenizer(
        keras_albert.train_vocabulary([row["text"] for row in short_texts], vocabulary_size=400)
    )


@pytest.fixture
def backbone() -> keras_albert.AlbertBackbone:
    """A small random backbone for the small tokenizer: E != H, two groups, three heads."""
    return keras_albert.AlbertBackbone(
        vocabulary_size=400,
        num_layers=2,
        num_heads=3,
        hidden_dim=24,
        intermediate_dim=40,
        embedding_dim=16,
        num_groups=2,
        max_sequence_length=32,
        initializer_range=0.2,
    )


@pytest.fixture(scope="session")
def run_under() -> Callable[[str, str], str]:
    """Return a function that runs code in a fresh process under another backend, and returns what it printed."""

    def run(backend: str, code: str) -> str:
        environment = os.environ | {"KERAS_BACKEND": backend, "TF_CPP_MIN_LOG_LEVEL": "3"}
        command = [sys.executable, "-c", code]
        result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
        assert result.returncode == 0, result.stderr
        return result.stdout

    return run


@pytest.fixture(autouse=True)
def _no_backend_where_any_will_do(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail a test that is marked `any_backend` where it computes with Keras: `make test` runs it under one backend."""
    if request.node.get_closest_marker("any_backend") is None:
        return

    def refuse(*arguments: object, **named: object) -> None:
        pytest.fail("Expected no computing with Keras in a test that is marked any_backend. Remove the marker.")

    for name in dir(keras.ops):
        if not name.startswith("_") and callable(getattr(keras.ops, name)):
            monkeypatch.setattr(keras.ops, name, refuse)
    monkeypatch.setattr(keras.Variable, "__init__", refuse)
    monkeypatch.setattr(keras.layers.Layer, "__call__", refuse)

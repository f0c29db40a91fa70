"""Fixtures of the checkpoint tests: small synthetic checkpoints, stand-ins for models, the reference folders."""

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save_file

from keras_albert.checkpoints import SAFETENSORS_NAME, table_for

# Unequal sizes, two groups of two blocks, so that no transpose and no swapped block can hide.
GOOGLE_CONFIG = {
    "attention_probs_dropout_prob": 0.2,
    "hidden_act": "relu",
    "hidden_dropout_prob": 0.1,
    "embedding_size": 3,
    "hidden_size": 6,
    "initializer_range": 0.02,
    "intermediate_size": 10,
    "max_position_embeddings": 7,
    "num_attention_heads": 3,
    "num_hidden_layers": 5,
    "num_hidden_groups": 2,
    "inner_group_num": 2,
    "type_vocab_size": 2,
    "vocab_size": 11,
}
BACKBONE_CONFIG = {
    "attention_dropout": 0.2,
    "activation": "relu",
    "hidden_dropout": 0.1,
    "embedding_dim": 3,
    "hidden_dim": 6,
    "initializer_range": 0.02,
    "intermediate_dim": 10,
    "max_sequence_length": 7,
    "num_heads": 3,
    "num_layers": 5,
    "num_groups": 2,
    "num_inner_repetitions": 2,
    "num_segments": 2,
    "vocabulary_size": 11,
    "sharing": "all",
}


class FakeVariable:
    """What a Keras variable is to the loader: a shape and a way to assign."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.shape = shape
        self.value: np.ndarray | None = None

    def assign(self, value: np.ndarray) -> None:
        assert value.shape == self.shape
        self.value = np.array(value)


def build_fake(paths: dict[str, tuple[int, ...]]) -> Any:
    """An object with a variable at each path; a step of digits makes a list."""
    tree: dict[str, Any] = {}
    for path, shape in paths.items():
        *steps, last = path.split("/")
        node = tree
        for step in steps:
            node = node.setdefault(step, {})
        node[last] = FakeVariable(shape)

    def as_object(node: Any) -> Any:
        if not isinstance(node, dict):
            return node
        if all(key.isdigit() for key in node):
            return [as_object(node[str(index)]) for index in range(len(node))]
        return SimpleNamespace(**{key: as_object(value) for key, value in node.items()})

    return as_object(tree)


@pytest.fixture
def google_config() -> dict[str, Any]:
    return dict(GOOGLE_CONFIG)


@pytest.fixture
def backbone_config() -> dict[str, Any]:
    return dict(BACKBONE_CONFIG)


@pytest.fixture
def arrays(rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Every variable of a small pretraining checkpoint under Google's names, each with values of its own."""
    sizes = {**BACKBONE_CONFIG, "num_classes": 1}
    return {
        row.google: rng.normal(size=row.google_shape(sizes)).astype("float32")
        for row in table_for(BACKBONE_CONFIG)
        if row.part in ("backbone", "masked_lm_head", "sentence_order_head")
    }


@pytest.fixture
def write_release(tmp_path: Path) -> Callable[..., Path]:
    """Writes a release's folder from arrays, without TensorFlow."""

    def write(arrays: dict[str, np.ndarray], config: dict[str, Any] | None = None, name: str = "release") -> Path:
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        save_file({key: np.ascontiguousarray(value) for key, value in arrays.items()}, folder / SAFETENSORS_NAME)
        (folder / "albert_config.json").write_text(json.dumps(GOOGLE_CONFIG if config is None else config))
        return folder

    return write


@pytest.fixture
def fake_part() -> Callable[..., Any]:
    """Builds a stand-in for a backbone or head of a configuration."""

    def build(part: str, config: dict[str, Any], num_classes: int = 2) -> Any:
        sizes = {**config, "num_classes": num_classes}
        return build_fake({row.path: row.variable_shape(sizes) for row in table_for(config) if row.part == part})

    return build


@pytest.fixture
def golden_model(shared: Path) -> Path:
    """The outputs and checkpoints of Google's code."""
    return shared / "golden" / "model"

"""Files that hold the state of a training: written whole or not at all."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import keras
import numpy as np

_FACTS = "facts"


def all_variables(model: keras.Model) -> list[Any]:
    """Return what decides a training's further course: weights, seeds of the dropout, what the optimizer keeps."""
    if not model.optimizer.built:  # Keras's scaling of the loss adds its variables at every call
        model.optimizer.build(model.trainable_variables)
    return [*model.variables, *model.optimizer.variables]


def write_variables(path: Path, variables: Sequence[Any], facts: Any = None) -> None:
    """Write the values of variables as an `.npz`.

    Args:
        path: the file; it appears when it is whole.
        variables: Keras variables; their order is their name.
        facts: something that JSON takes, kept in the same file.
    """
    arrays = {str(number): keras.ops.convert_to_numpy(v.value) for number, v in enumerate(variables)}
    arrays[_FACTS] = np.frombuffer(json.dumps(facts).encode(), "uint8")
    temporary = path.with_name(f".{path.name}")
    try:
        with temporary.open("wb") as file:
            np.savez(file, **arrays)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def read_variables(path: Path, variables: Sequence[Any]) -> Any:
    """Give variables the values in a file, and return its facts.

    Raises:
        ValueError: the file has another number of variables.
    """
    with np.load(path) as stored:
        if len(stored.files) != len(variables) + 1:
            raise ValueError(
                f"Expected {len(variables)} variables in {path}. Received: {len(stored.files) - 1}. The run was "
                "started by another version: drop it (`--overwrite`; `overwrite=True` in Python)."
            )
        for number, variable in enumerate(variables):
            variable.assign(stored[str(number)])
        return json.loads(stored[_FACTS].tobytes())


def read_facts(path: Path) -> Any:
    """Return the facts in a file that `write_variables` wrote."""
    with np.load(path) as stored:
        return json.loads(stored[_FACTS].tobytes())


def replace_file(path: Path, content: bytes) -> None:
    """Write a file, which changes at once."""
    temporary = path.with_name(f".{path.name}")
    try:
        temporary.write_bytes(content)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)

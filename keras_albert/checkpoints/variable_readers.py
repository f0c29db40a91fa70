"""Readers of the two kinds of file that hold variables under Google's names, and what any reader has."""

import math
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from safetensors import SafetensorError, safe_open

from keras_albert.checkpoints.checkpoint_files import data_shards, find_checkpoint

_DAMAGED = "It is truncated or damaged: copy or download it again."


class VariableReader(Protocol):
    """What can list the variables of a checkpoint and read them one by one.

    Args:
        shapes: The variables that are for use, by their names.
        skipped: Further variables of the checkpoint, with the reason why they are left out.
    """

    shapes: dict[str, tuple[int, ...]]
    skipped: dict[str, str]

    def read(self, name: str) -> np.ndarray:
        """Reads one variable."""

    def spelled(self, name: str) -> str:
        """The name that the checkpoint itself uses."""


def open_reader(path: str | Path) -> tuple[Path, VariableReader]:
    """Opens the checkpoint that a path means.

    Args:
        path: As for `find_checkpoint`.

    Returns:
        The prefix or file that was found, and its reader.
    """
    found = find_checkpoint(path)
    return found, SafetensorsReader(found) if found.suffix == ".safetensors" else TensorFlowReader(found)


class TensorFlowReader:
    """Reads a TF1 checkpoint with TensorFlow's own reader, which builds no graph and touches no accelerator.

    Args:
        prefix: The checkpoint's prefix.

    Raises:
        ImportError: If TensorFlow is not installed.
        ValueError: If the index cannot be read or if the data files are shorter than it says.
    """

    def __init__(self, prefix: Path) -> None:
        """Opens the index and checks the size of the data."""
        try:
            import tensorflow as tf
        except ImportError as error:
            raise ImportError(
                f"Reading the TensorFlow 1 checkpoint {prefix} needs TensorFlow: pip install keras-albert[tensorflow]. "
                "A checkpoint converted once (`keras-albert convert`) is loaded without it."
            ) from error
        self._failures = (tf.errors.OpError, ValueError, RuntimeError, LookupError)
        self._prefix = prefix
        try:
            self._reader = tf.train.load_checkpoint(str(prefix))
            shapes: dict[str, list[int]] = self._reader.get_variable_to_shape_map()
            dtypes: dict[str, Any] = self._reader.get_variable_to_dtype_map()
        except self._failures as error:
            raise ValueError(f"Cannot read the index of the checkpoint {prefix}. {_DAMAGED} {error}") from error
        self.shapes = {name: tuple(shape) for name, shape in shapes.items()}
        self.skipped: dict[str, str] = {}
        self._check_size({name: dtype.size for name, dtype in dtypes.items()})

    def read(self, name: str) -> np.ndarray:
        """Reads one variable; TensorFlow checks its checksum."""
        try:
            return np.asarray(self._reader.get_tensor(name))
        except self._failures as error:
            raise ValueError(f"Cannot read {name!r} of the checkpoint {self._prefix}. {_DAMAGED} {error}") from error

    def spelled(self, name: str) -> str:
        """The name itself."""
        return name

    def _check_size(self, item_sizes: dict[str, int]) -> None:
        expected = sum(math.prod(shape) * item_sizes[name] for name, shape in self.shapes.items())
        shards = data_shards(self._prefix)
        received = sum(shard.stat().st_size for shard in shards)
        if received < expected:
            raise ValueError(
                f"Expected at least {expected:,} bytes of data for the checkpoint {self._prefix}. "
                f"Received: {received:,} bytes in {', '.join(shard.name for shard in shards)}. {_DAMAGED}"
            )


class SafetensorsReader:
    """Reads arrays from a safetensors file; its header is checked against the file's length before any is read.

    Args:
        path: The file.

    Raises:
        ValueError: If the file cannot be read.
    """

    def __init__(self, path: Path) -> None:
        """Opens the file and reads its header."""
        self._path = path
        self.skipped: dict[str, str] = {}
        try:
            with safe_open(path, framework="numpy") as file:
                self.shapes = {name: tuple(file.get_slice(name).get_shape()) for name in file.keys()}  # noqa: SIM118
        except SafetensorError as error:
            raise ValueError(f"Cannot read {path}. {_DAMAGED} {error}") from error

    def read(self, name: str) -> np.ndarray:
        """Reads one variable."""
        try:
            # Opened each time: the pages of the file that were read stay in memory as long as it is open.
            with safe_open(self._path, framework="numpy") as file:
                return file.get_tensor(name)
        except SafetensorError as error:
            raise ValueError(f"Cannot read {name!r} of {self._path}. {_DAMAGED} {error}") from error

    def spelled(self, name: str) -> str:
        """The name itself."""
        return name

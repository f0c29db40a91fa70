"""A checkpoint under Google's variable names, whatever file it is read from."""

from difflib import get_close_matches
from pathlib import Path

import numpy as np

from keras_albert.checkpoints.stored_names import organize
from keras_albert.checkpoints.variable_readers import VariableReader, open_reader


class GoogleCheckpoint:
    """The variables of a checkpoint under the names of the weight table, read one by one.

    A leading `module/` (a program that instantiated the TF-Hub module) is left out of the names; optimizer slots, the
    training step and heads that were not trained with the rest are known and skipped.

    Args:
        path: A TF1 checkpoint's prefix, one of its files, a directory with one checkpoint, or a `.safetensors` file.
        reader: What reads another layout and presents it under Google's names; `path` is then only its name.

    Raises:
        FileNotFoundError: If there is no checkpoint, or if one of its files is missing.
        ImportError: If the checkpoint is TensorFlow's and TensorFlow is not installed.
        ValueError: If a directory holds several checkpoints, or if a file is truncated or damaged.
    """

    def __init__(self, path: str | Path, reader: VariableReader | None = None) -> None:
        """Opens the file and sorts its names; no array is read."""
        self.path, self._reader = open_reader(path) if reader is None else (Path(path), reader)
        self.is_translated = reader is not None
        stored = organize(self._reader.shapes)
        self._sources = stored.sources
        self.skipped = {**stored.skipped, **self._reader.skipped}

    @property
    def names(self) -> list[str]:
        """The names of the weights, sorted."""
        return list(self._sources)

    @property
    def variable_count(self) -> int:
        """How many variables the file holds, the skipped ones included."""
        return len(self._reader.shapes) + len(self._reader.skipped)

    def sources(self, name: str) -> tuple[str, ...]:
        """The variables of the file that claim a name; one, except for a layer norm that is not shared."""
        if name not in self._sources:
            near = get_close_matches(name, self._sources, n=3)
            raise ValueError(f"No variable of that name in {self.path}. Received: name={name!r}. Near it: {near}")
        return self._sources[name]

    def spelled(self, name: str) -> str:
        """The name that the file itself uses, also for a weight that it lacks; for errors."""
        return self._reader.spelled(name)

    def shape(self, name: str) -> tuple[int, ...]:
        """The shape of a weight, as stored."""
        return self._reader.shapes[self.sources(name)[0]]

    def read(self, name: str) -> np.ndarray:
        """Reads a weight, as stored.

        Args:
            name: One of `names`.

        Returns:
            The array, of the dtype in the file (float32 in Google's).

        Raises:
            ValueError: If there is no such name, or if the data are damaged.
        """
        return self._reader.read(self.sources(name)[0])

    def read_slots(self, name: str) -> tuple[np.ndarray, np.ndarray] | None:
        """Reads what Google's optimizers, LAMB and AdamW, keep of a weight.

        Args:
            name: One of `names`.

        Returns:
            The means of the gradient and of its square, each of the weight's shape; `None` if they are not stored.
        """
        stored = [f"{self.sources(name)[0]}/{slot}" for slot in ("adam_m", "adam_v")]
        if not all(slot in self.skipped for slot in stored):
            return None
        first, second = map(self._reader.read, stored)
        return first, second

    def is_shared(self, name: str) -> bool:
        """Whether every variable that claims a name holds the same values."""
        first, *others = self.sources(name)
        if not others:
            return True
        values = self._reader.read(first)
        return all(np.array_equal(values, self._reader.read(other)) for other in others)

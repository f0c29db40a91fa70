"""A checkpoint of another layout, presented under Google's names and in Google's order of axes."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from keras_albert.checkpoints.variable_readers import VariableReader


@dataclass(frozen=True)
class Source:
    """Where a weight lies in a checkpoint of another layout.

    Args:
        name: The name that it has there.
        is_turned: Whether the array there is the transpose of Google's.
    """

    name: str
    is_turned: bool = False


class TranslatedReader:
    """Reads the weights of another layout as if they were Google's.

    Args:
        reader: Reads the file, under its own names.
        sources: For each of Google's names that is there, where.
        spelling: For any of Google's names, the name in the file; for errors.
        skipped: Names in the file that are left out, with the reason. Whatever is neither a source nor skipped is
            listed under its own name, which the weight table then calls unexpected or unmapped.
    """

    def __init__(
        self,
        reader: VariableReader,
        sources: Mapping[str, Source],
        spelling: Mapping[str, str],
        skipped: Mapping[str, str],
    ) -> None:
        self._reader, self._sources, self._spelling = reader, sources, spelling
        self.skipped = {**reader.skipped, **skipped}
        taken = {source.name for source in sources.values()}
        others = {name: shape for name, shape in reader.shapes.items() if name not in taken and name not in skipped}
        translated = {
            google: reader.shapes[source.name][::-1] if source.is_turned else reader.shapes[source.name]
            for google, source in sources.items()
        }
        self.shapes = {**others, **translated}

    def read(self, name: str) -> np.ndarray:
        """Reads one weight; a dtype that NumPy lacks, such as bfloat16, becomes float32."""
        source = self._sources.get(name, Source(name))
        array = self._reader.read(source.name)
        if array.dtype.kind not in "biuf":
            array = array.astype("float32")
        return array.T if source.is_turned else array

    def spelled(self, name: str) -> str:
        """The name in the file, or the one that it would have there."""
        return self._sources[name].name if name in self._sources else self._spelling.get(name, name)

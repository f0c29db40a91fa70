"""Finding the files of a Hugging Face directory, and reading weights that lie in one file or in several."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from keras_albert.checkpoints.checkpoint_files import listing
from keras_albert.checkpoints.hugging_face.pytorch_file import PytorchReader
from keras_albert.checkpoints.variable_readers import SafetensorsReader, VariableReader

CONFIG, WEIGHTS = "config.json", "model.safetensors"
# In the order in which transformers looks for them.
WEIGHT_FILES = (WEIGHTS, f"{WEIGHTS}.index.json", "pytorch_model.bin", "pytorch_model.bin.index.json")
TOKENIZER_FILES = ("spiece.model", "vocab.txt", "tokenizer.json")


@dataclass(frozen=True)
class HuggingFaceFiles:
    """Where the parts of a model lie.

    Args:
        config: The `config.json`.
        weights: The file with the weights, or the index of several.
        tokenizer: A SentencePiece model, a WordPiece vocabulary or a `tokenizer.json`; `None` if there is none.
    """

    config: Path
    weights: Path
    tokenizer: Path | None


def find_hugging_face_files(folder: str | Path) -> HuggingFaceFiles:
    """Finds the files of a Hugging Face directory.

    Args:
        folder: The directory.

    Returns:
        The files.

    Raises:
        FileNotFoundError: If the configuration or the weights are missing.
    """
    folder = Path(folder)
    found = [folder / name for name in WEIGHT_FILES if (folder / name).is_file()]
    if not (folder / CONFIG).is_file() or not found:
        missing = CONFIG if not (folder / CONFIG).is_file() else f"weights ({', '.join(WEIGHT_FILES)})"
        raise FileNotFoundError(
            f"No {missing} in {folder}. {listing(folder)} Weights of other frameworks (tf_model.h5, "
            "flax_model.msgpack) are not read: save the model with `save_pretrained` of transformers."
        )
    tokenizers = [folder / name for name in TOKENIZER_FILES if (folder / name).is_file()]
    return HuggingFaceFiles(folder / CONFIG, found[0], tokenizers[0] if tokenizers else None)


def is_hugging_face(folder: str | Path) -> bool:
    """Whether a directory's `config.json` is one of transformers' (of whatever architecture)."""
    try:
        content = json.loads((Path(folder) / CONFIG).read_text(encoding="utf-8-sig"))
    except (OSError, ValueError):
        return False
    return isinstance(content, dict) and "model_type" in content and "registered_name" not in content


def open_weights(path: Path) -> VariableReader:
    """Opens a file of weights, or the several that an index names.

    Args:
        path: A `.safetensors` file, a `.bin` file of PyTorch or an `.index.json`.

    Returns:
        The reader.

    Raises:
        FileNotFoundError: If a file that the index names is missing.
        ValueError: If a file is damaged, or if the index is none.
    """
    if path.name.endswith(".index.json"):
        return _Shards(path)
    return PytorchReader(path) if path.suffix == ".bin" else SafetensorsReader(path)


class _Shards:
    """Reads weights that are spread over several files."""

    def __init__(self, index: Path) -> None:
        self.skipped: dict[str, str] = {}
        placed = _weight_map(index)
        files = {name: index.parent / name for name in sorted(set(placed.values()))}
        missing = [name for name, file in files.items() if not file.is_file()]
        if missing:
            found = listing(index.parent)
            raise FileNotFoundError(f"{index} names {', '.join(missing)}. {found} Copy what is missing.")
        readers = {name: open_weights(file) for name, file in files.items()}
        self.shapes: dict[str, tuple[int, ...]] = {}
        self._readers: dict[str, VariableReader] = {}
        for file, reader in readers.items():
            for name, shape in reader.shapes.items():
                if name in self.shapes:
                    raise ValueError(f"{name!r} lies in several of the files that {index} names, such as {file}.")
                self.shapes[name], self._readers[name] = shape, reader
        absent = sorted(set(placed) - set(self.shapes))
        if absent:
            raise ValueError(f"{index} promises {', '.join(absent[:5])} ({len(absent)} in all), and no file has it.")

    def read(self, name: str) -> np.ndarray:
        return self._readers[name].read(name)

    def spelled(self, name: str) -> str:
        return name


def _weight_map(index: Path) -> Mapping[str, str]:
    try:
        placed = json.loads(index.read_text(encoding="utf-8-sig"))["weight_map"]
        files = set(placed.values())
    except (json.JSONDecodeError, UnicodeDecodeError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"Expected a JSON object with a 'weight_map' in {index}, but {error!r}.") from error
    wrong = [
        name
        for name in files
        if not isinstance(name, str) or Path(name).name != name or not name.endswith((".safetensors", ".bin"))
    ]
    if wrong or not files:
        raise ValueError(
            f"Expected names of .safetensors or .bin files beside it in the 'weight_map' of {index}. Received: "
            f"{wrong or 'none'}"
        )
    return placed

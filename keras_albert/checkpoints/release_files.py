"""Finding the files of a release: its configuration, its checkpoint and its vocabulary."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from keras_albert.checkpoints.checkpoint_files import checkpoints_in, find_checkpoint, listing

_ASSETS = "assets"  # where a TF-Hub module keeps its configuration and vocabulary


@dataclass(frozen=True)
class ReleaseFiles:
    """Where the parts of a release lie.

    Args:
        config: The `albert_config.json`.
        checkpoint: The prefix of a TF1 checkpoint, or a `.safetensors` file.
        vocabulary: A SentencePiece model or a WordPiece vocabulary; `None` if there is none.
    """

    config: Path
    checkpoint: Path
    vocabulary: Path | None


def find_release_files(path: str | Path) -> ReleaseFiles:
    """Finds the files of a release.

    Args:
        path: A directory, possibly with everything in one folder below it, or a checkpoint (its prefix or one of its
            files) with the configuration and the vocabulary beside it.

    Returns:
        The files.

    Raises:
        FileNotFoundError: If the configuration or a file of the checkpoint is missing.
        ValueError: If there are several checkpoints, configurations or vocabularies.
    """
    path = Path(path)
    folder = _folder(path)
    checkpoint = find_checkpoint(folder if path.is_dir() else path)
    return ReleaseFiles(_config(folder), checkpoint, _vocabulary(folder))


def _folder(path: Path) -> Path:
    """The folder that a release is in."""
    if not path.is_dir():
        return path.parent.parent if path.parent.name == "variables" else path.parent
    entries = [entry for entry in path.iterdir() if not entry.name.startswith(".")]
    folders = [entry for entry in entries if entry.is_dir()]
    wrapped = len(folders) == 1 and folders[0].name not in ("variables", _ASSETS)
    is_release = bool(checkpoints_in(path)) or any(entry.suffix == ".json" for entry in entries)
    return folders[0] if wrapped and not is_release else path


def _config(folder: Path) -> Path:
    for usual in (folder / "albert_config.json", folder / _ASSETS / "albert_config.json"):
        if usual.is_file():
            return usual
    found = [file for place in (folder, folder / _ASSETS) for file in place.glob("*config*.json") if _is_config(file)]
    if not found:
        raise FileNotFoundError(
            f"No albert_config.json in {folder}. {listing(folder)} Copy the configuration of the model that the "
            "checkpoint was trained with there: sizes, heads and activation are not in the checkpoint."
        )
    return _only(found, "configuration", folder)


def _is_config(file: Path) -> bool:
    try:
        content = json.loads(file.read_text(encoding="utf-8-sig"))
    except (json.JSONDecodeError, UnicodeDecodeError):
        return False
    return isinstance(content, dict) and "embedding_size" in content and "model_type" not in content


def _vocabulary(folder: Path) -> Path | None:
    places = (folder, folder / _ASSETS)
    found = [file for place in places for pattern in ("*.model", "vocab*.txt") for file in place.glob(pattern)]
    found = [file for file in found if file.is_file() and not file.name.startswith(".")]
    return _only(found, "vocabulary (*.model or vocab*.txt)", folder) if found else None


def _only(found: list[Path], what: str, folder: Path) -> Path:
    if len(found) > 1:
        names = ", ".join(sorted(file.name for file in found))
        raise ValueError(f"Expected one {what} in {folder}. Received: {names}. Keep the one that the model uses.")
    return found[0]


def kind_of_tokenizer(path: Path) -> Literal["sentencepiece", "wordpiece"]:
    """Tells which kind of tokenizer a `tokenizer.json` of Hugging Face's describes.

    Raises:
        ValueError: If the file is damaged, or if it describes another kind.
    """
    try:
        kind = json.loads(path.read_text(encoding="utf-8-sig"))["model"]["type"]
    except (json.JSONDecodeError, UnicodeDecodeError, KeyError, TypeError) as error:
        raise ValueError(f"Expected a tokenizer's JSON in {path}, but {error!r}. Copy or download it again.") from error
    if kind not in ("Unigram", "WordPiece"):
        raise ValueError(f"Expected a Unigram or WordPiece tokenizer in {path}. Received: {kind!r}")
    return "sentencepiece" if kind == "Unigram" else "wordpiece"

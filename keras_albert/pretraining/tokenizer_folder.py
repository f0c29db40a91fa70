"""The tokenizer of a data folder: what it is, in a JSON file, and its vocabulary file beside that.

Processes that only tokenize read it without Keras.
"""

import hashlib
import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from keras_albert.presets.output_folder import write_file, writing
from keras_albert.text.encoder import TextEncoder

if TYPE_CHECKING:
    from keras_albert.text import AlbertTokenizer, AlbertWordPieceTokenizer

    Tokenizer = AlbertTokenizer | AlbertWordPieceTokenizer

_CONFIG_FILE = "tokenizer.json"
_VOCABULARY_FILES = {"AlbertTokenizer": "vocabulary.spm", "AlbertWordPieceTokenizer": "vocabulary.txt"}
_SETTINGS = ("lowercase", "strip_accents", "special_tokens_in_strings")
_SPECIAL_TOKENS = ("pad_token", "unk_token", "start_token", "end_token", "mask_token")


@dataclass(frozen=True)
class TokenizerFolder:
    """A folder that `write_tokenizer` filled.

    Args:
        path: the folder.
    """

    path: Path

    @property
    def is_there(self) -> bool:
        """Say whether the folder holds a tokenizer."""
        return (self.path / _CONFIG_FILE).is_file() and "vocabulary_file" in self._config()

    def load(self) -> "Tokenizer":
        """Build the tokenizer."""
        from keras_albert import text

        config = self._config()
        tokenizer = getattr(text, config["class_name"])(**config["config"])
        tokenizer.load_assets(str(self.path))
        return tokenizer

    def load_encoder(self) -> TextEncoder:
        """Build what encodes the tokenizer's texts, for one thread. `[MASK]` and the like are plain text for it."""
        config = self._config()
        settings = config["config"]
        content = (self.path / config["vocabulary_file"]).read_bytes()
        if config["class_name"] == "AlbertTokenizer":
            from keras_albert.text.sentencepiece_model import SentencePieceModel

            return SentencePieceModel(
                content, settings["lowercase"], settings["strip_accents"], config["special_tokens"], num_threads=1
            )
        from keras_albert.text.wordpiece import WordPieceModel

        pieces = content.decode().split("\n")[:-1]
        return WordPieceModel(pieces, config["special_tokens"][1], settings["lowercase"], settings["strip_accents"])

    def special_ids(self, encoder: TextEncoder) -> list[int]:
        """Return the ids of padding, the unknown, the start, the end and the mask token."""
        return [encoder.ids[token] for token in self._config()["special_tokens"]]

    def facts(self) -> dict[str, Any]:
        """Return `class_name`, `vocabulary_size` and `digest`."""
        return {
            "class_name": self._config()["class_name"],
            "vocabulary_size": len(self.load_encoder().pieces),
            "digest": self.digest(),
        }

    def copy_to(self, path: Path) -> "TokenizerFolder":
        """Copy the tokenizer's files into another folder.

        Raises:
            OutputError: that folder cannot be written.
        """
        with writing(path):
            path.mkdir(parents=True, exist_ok=True)
            for name in (self._config()["vocabulary_file"], _CONFIG_FILE):
                shutil.copyfile(self.path / name, path / name)
        return TokenizerFolder(path)

    def digest(self) -> str:
        """Return a checksum of everything that decides the ids."""
        config = self._config()
        settings = json.dumps([config["class_name"], config["config"]]).encode()
        return hashlib.sha256(settings + (self.path / config["vocabulary_file"]).read_bytes()).hexdigest()

    def _config(self) -> dict[str, Any]:
        return json.loads((self.path / _CONFIG_FILE).read_text(encoding="utf-8"))


def write_tokenizer(tokenizer: "Tokenizer", path: Path) -> TokenizerFolder:
    """Write a tokenizer into a folder, the same files for the same tokenizer.

    Raises:
        OutputError: the folder cannot be written.
    """
    config = {
        "class_name": type(tokenizer).__name__,
        "config": {name: getattr(tokenizer, name) for name in _SETTINGS},
        "vocabulary_file": _VOCABULARY_FILES[type(tokenizer).__name__],
        "special_tokens": [getattr(tokenizer, name) for name in _SPECIAL_TOKENS],
    }
    with writing(path):
        path.mkdir(parents=True, exist_ok=True)
        tokenizer.save_assets(str(path))
    write_file(path / _CONFIG_FILE, json.dumps(config, indent=2) + "\n")
    return TokenizerFolder(path)


@contextmanager
def made_tokenizer_folder(tokenizer: "Tokenizer | str | Path") -> Iterator[TokenizerFolder]:
    """Yield a folder with a tokenizer: the one that is meant, which loads no Keras, or a temporary one."""
    if isinstance(tokenizer, str | Path):
        found = find_tokenizer_folder(tokenizer)
        if found is not None:
            yield found
            return
        tokenizer = load_tokenizer(tokenizer)
    with tempfile.TemporaryDirectory(prefix="keras_albert-") as folder:
        yield write_tokenizer(tokenizer, Path(folder))


def find_tokenizer_folder(source: str | Path) -> TokenizerFolder | None:
    """Return the folder that a path means: one that `write_tokenizer` filled, or that of a folder of data."""
    path = Path(source).expanduser()
    folders = (TokenizerFolder(path), TokenizerFolder(path / "tokenizer"))
    return next((folder for folder in folders if folder.is_there), None)


def load_tokenizer(source: Any, **options: Any) -> "Tokenizer":
    """Load a tokenizer from any place that has one.

    Args:
        source: a SentencePiece `.model` file; a WordPiece `vocab.txt`; a folder that `keras-albert train-vocabulary`
            or `write_tokenizer` filled, or one of data; or a preset as `AlbertBackbone.from_preset` takes it.
        **options: `lowercase`, `strip_accents`: what replaces the tokenizer's own.

    Raises:
        ValueError: none of these, or a vocabulary of another model.
    """
    from keras_albert.presets import resolve
    from keras_albert.presets.keras_preset import read_part
    from keras_albert.text import AlbertTokenizer, AlbertWordPieceTokenizer, tokenizer_from_release

    path = Path(source).expanduser()
    if path.is_file() and path.suffix.lower() in (".model", ".spm"):
        return AlbertTokenizer(path, **options)
    if path.is_file() and path.suffix.lower() == ".txt":
        return AlbertWordPieceTokenizer(path, **options)
    if path.is_file() and path.suffix.lower() == ".vocab":
        raise ValueError(f"Expected a SentencePiece `.model`. Received: {path}, its list of pieces. Pass the `.model`.")
    if (folder := find_tokenizer_folder(source)) is not None:
        return _changed(folder.load(), options)
    release = resolve(source)
    if not isinstance(release, str):
        return tokenizer_from_release(release, **options)
    if Path(release).is_dir():
        config = read_part(Path(release), "tokenizer")
    else:
        from keras_albert.presets.handles import part_of

        config = part_of(release, "tokenizer")
    classes = {"AlbertTokenizer": AlbertTokenizer, "AlbertWordPieceTokenizer": AlbertWordPieceTokenizer}
    if config.get("class_name") not in classes:
        raise ValueError(f"Expected a preset with a tokenizer of this package. Received: {source}")
    return classes[config["class_name"]].from_preset(release, **options)


def _changed(tokenizer: "Tokenizer", options: dict[str, Any]) -> "Tokenizer":
    if not options:
        return tokenizer
    changed = type(tokenizer).from_config(tokenizer.get_config() | options)
    changed._load_vocabulary(tokenizer._vocabulary_source())
    return changed

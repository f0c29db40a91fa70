"""What a data folder says of itself, in its `manifest.json`."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from keras_albert.presets.output_folder import write_file

MANIFEST_FILE = "manifest.json"
FORMAT = "keras_albert pretraining data"
VERSION = 1
DOCUMENTS, FEATURES = "documents", "features"
ENDINGS = {DOCUMENTS: ".safetensors", FEATURES: ".tfrecord"}  # of the files, for each form


@dataclass(frozen=True)
class ShardRecord:
    """One file of a data folder.

    Args:
        file: its path within the folder.
        documents: documents in it, those without a token left out.
        sentences: their sentences.
        tokens: their tokens; for features before the repetition by `dupe_factor`.
        bytes: its size.
        sha256: its checksum.
        instances: rows of features; 0 for documents.
        pairs: how many there are of each kind of pair of features.
    """

    file: str
    documents: int
    sentences: int
    tokens: int
    bytes: int
    sha256: str
    instances: int = 0
    pairs: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Manifest:
    """What a data folder holds, and what it was made with.

    Args:
        form: "documents" or "features".
        settings: every setting that decides the content.
        tokenizer: `class_name`, `vocabulary_size` and `digest`.
        sources: `name`, `bytes` and `digest` of each file, in order; see `keras_albert.pretraining.unfinished`.
        counts: sums over the corpus; see `keras_albert.pretraining.corpus_lines.ReadingCounts`.
        shards: the files in the order of the corpus.
        software: versions of the package and of the libraries that decide the content.
    """

    form: str
    settings: dict[str, Any]
    tokenizer: dict[str, Any]
    sources: list[dict[str, Any]]
    counts: dict[str, int]
    shards: list[ShardRecord] = field(default_factory=list)
    software: dict[str, str] = field(default_factory=dict)

    @property
    def tokens(self) -> int:
        """Return the number of tokens of all shards."""
        return sum(shard.tokens for shard in self.shards)

    @property
    def documents(self) -> int:
        """Return the number of documents of all shards."""
        return sum(shard.documents for shard in self.shards)

    @property
    def sentences(self) -> int:
        """Return the number of sentences of all shards."""
        return sum(shard.sentences for shard in self.shards)

    @property
    def instances(self) -> int:
        """Return the number of rows of features of all shards."""
        return sum(shard.instances for shard in self.shards)

    def write(self, folder: Path) -> None:
        """Write `manifest.json` into a folder.

        Raises:
            OutputError: it cannot be written.
        """
        content = {"format": FORMAT, "version": VERSION, **asdict(self)}
        write_file(folder / MANIFEST_FILE, json.dumps(content, indent=1, ensure_ascii=False) + "\n")


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest of a data folder.

    Raises:
        ValueError: there is none, it is damaged, or of another format or version.
    """
    path = folder / MANIFEST_FILE
    if not path.is_file():
        raise ValueError(
            f"Expected a folder of `keras-albert build-data`. Received: {folder}, without {MANIFEST_FILE}."
        )
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content["format"] != FORMAT:
            raise ValueError(f"the format {content['format']!r}")
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"Expected a manifest of pretraining data. Received: {path} ({error}).") from error
    if content["version"] != VERSION:
        raise ValueError(
            f"Expected data of version {VERSION}. Received: {path} of version {content['version']}. Build the data "
            "again."
        )
    return Manifest(**{part.name: _part(part.name, content) for part in fields(Manifest)})


def _part(name: str, content: Mapping[str, Any]) -> Any:
    return [ShardRecord(**shard) for shard in content[name]] if name == "shards" else content[name]

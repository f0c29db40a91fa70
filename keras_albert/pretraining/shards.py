"""Token documents on the disk: files of them, and a folder of such files with its manifest and its tokenizer."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file, save

from keras_albert.pretraining.manifest import DOCUMENTS, ENDINGS, FEATURES, Manifest, ShardRecord, read_manifest
from keras_albert.pretraining.token_documents import TokenDocuments
from keras_albert.pretraining.tokenizer_folder import TokenizerFolder

if TYPE_CHECKING:
    from keras_albert.pretraining.tokenizer_folder import Tokenizer

TOKENIZER_FOLDER = "tokenizer"
# One entry alone: safetensors writes several in an order that changes from run to run.
_METADATA = {"format": "keras_albert token documents, version 1"}


def shard_content(documents: TokenDocuments, vocabulary_size: int) -> bytes:
    """Return the content of a shard: a safetensors file of ids and lengths.

    Args:
        documents: what to store.
        vocabulary_size: ids are stored as uint16 where it is at most 65,536, else as int32.

    Returns:
        `token_ids` (tokens,), `sentence_lengths` (sentences,) in tokens and `document_lengths` (documents,) in
        sentences, both uint32.
    """
    arrays = {
        "token_ids": documents.token_ids.astype("uint16" if vocabulary_size <= 2**16 else "int32"),
        "sentence_lengths": np.diff(documents.sentence_offsets).astype("uint32"),
        "document_lengths": np.diff(documents.document_offsets).astype("uint32"),
    }
    return save(arrays, _METADATA)


def read_shard(path: str | Path) -> TokenDocuments:
    """Read a shard.

    Raises:
        ValueError: the file is damaged, or something else.
        FileNotFoundError: there is no such file.
    """
    try:
        arrays = load_file(path)
        lengths = [arrays[name].astype("int64") for name in ("sentence_lengths", "document_lengths")]
        token_ids = arrays["token_ids"]
    except FileNotFoundError:
        raise
    except (SafetensorError, KeyError, OSError) as error:
        raise _damaged(path, f"it is no shard of token documents: {error}") from error
    sentence_offsets, document_offsets = (np.concatenate([[0], np.cumsum(part)]) for part in lengths)
    if sentence_offsets[-1] != len(token_ids) or document_offsets[-1] != len(lengths[0]):
        raise _damaged(path, "its lengths don't add up")
    return TokenDocuments(token_ids, sentence_offsets, document_offsets)


@dataclass(frozen=True)
class DocumentData:
    """A folder of data.

    Args:
        folder: where it is.
        manifest: what it says of itself.
    """

    folder: Path
    manifest: Manifest

    @property
    def shards(self) -> list[Path]:
        """Return the files in the order of the corpus."""
        return [self.folder / shard.file for shard in self.manifest.shards]

    @property
    def num_tokens(self) -> list[int]:
        """Return the number of tokens of each shard."""
        return [shard.tokens for shard in self.manifest.shards]

    def __iter__(self) -> Iterator[TokenDocuments]:
        """Read one shard after the other."""
        return (read_shard(path) for path in self.shards)

    def tokenizer(self) -> "Tokenizer":
        """Load the tokenizer that the data were made with."""
        return TokenizerFolder(self.folder / TOKENIZER_FOLDER).load()

    def check(self) -> None:
        """Compare every file with its checksum.

        Raises:
            ValueError: a file is missing, or was changed.
        """
        folder = TokenizerFolder(self.folder / TOKENIZER_FOLDER)
        if not folder.is_there or folder.digest() != self.manifest.tokenizer["digest"]:
            raise _damaged(folder.path, "it is not the tokenizer that the data were made with")
        for shard in self.manifest.shards:
            if not is_intact(self.folder, shard):
                raise _damaged(self.folder / shard.file, "its checksum is another, or it is not there")

    def check_tokenizer(self, tokenizer: "Tokenizer") -> None:
        """Check that ids mean the same for a tokenizer as in the data.

        Raises:
            ValueError: it has another vocabulary.
        """
        own = self.tokenizer().get_vocabulary()
        if own != tokenizer.get_vocabulary():
            raise ValueError(
                f"The data in {self.folder} were made with another vocabulary ({len(own):,} pieces) than that of the "
                f"model. Received: one of {tokenizer.vocabulary_size():,} pieces. Build the data with the model's own."
            )


def open_data(folder: str | Path, form: str = DOCUMENTS) -> DocumentData:
    """Open a folder that `build_data` wrote.

    Args:
        folder: the folder.
        form: what it must hold, "documents" or "features".

    Raises:
        ValueError: it is no such folder, or its data have the other form.
    """
    path = Path(folder).expanduser()
    if not path.is_dir():
        unfinished = path.with_name(f"{path.name}.unfinished")
        advice = " The build is not finished: repeat its command." if unfinished.is_dir() else " Check the path."
        raise ValueError(
            f"Expected a folder of `keras-albert build-data`. Received: {folder}, which is no folder.{advice}"
        )
    manifest = read_manifest(path)
    if manifest.form != form:
        raise ValueError(
            f"Expected data in the form of {form}. Received: {folder}, which holds {manifest.form}"
            + (f"; for those name the files, {folder}/shards/*{ENDINGS[FEATURES]}." if form == DOCUMENTS else ".")
        )
    return DocumentData(path, manifest)


def is_intact(folder: Path, shard: ShardRecord) -> bool:
    """Say whether a shard is there and has its checksum."""
    path = folder / shard.file
    return path.is_file() and size_and_digest(path) == (shard.bytes, shard.sha256)


def size_and_digest(path: Path) -> tuple[int, str]:
    """Return the size of a file and its SHA-256 checksum."""
    with path.open("rb") as file:
        return path.stat().st_size, hashlib.file_digest(file, "sha256").hexdigest()


def _damaged(path: str | Path, reason: str) -> ValueError:
    return ValueError(f"{path} is damaged: {reason}. Build the data again, or copy them again.")

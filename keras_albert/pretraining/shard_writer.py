"""From documents of text to the content of one file of a data folder: what a worker does."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

import numpy as np

from keras_albert.presets.output_folder import writing
from keras_albert.pretraining.feature_writer import FeatureSettings, FeatureWriter
from keras_albert.pretraining.manifest import ShardRecord
from keras_albert.pretraining.sentences import split_sentences
from keras_albert.pretraining.shards import shard_content, size_and_digest
from keras_albert.pretraining.token_documents import TokenDocuments
from keras_albert.pretraining.tokenizer_folder import TokenizerFolder
from keras_albert.text.encoder import TextEncoder


@dataclass(frozen=True)
class WriterSettings:
    """What every worker has to know.

    Args:
        tokenizer: the tokenizer's folder.
        is_split: whether lines are paragraphs, to be split into sentences.
        language: the language of the texts.
        features: how features are made; None for token documents.
    """

    tokenizer: Path
    is_split: bool
    language: str
    features: FeatureSettings | None = None


@dataclass(frozen=True)
class ShardJob:
    """What one file is made of.

    Args:
        number: its number, from 0.
        documents: documents of lines.
        path: where to write it.
        file: the name in its record.
    """

    number: int
    documents: list[list[str]]
    path: Path
    file: str


class ShardWriter:
    """Tokenizes groups of documents and writes each into its file.

    Args:
        settings: what is the same for all groups.
    """

    def __init__(self, settings: WriterSettings) -> None:
        self._settings = settings
        tokenizer = TokenizerFolder(settings.tokenizer)
        self._encoder = tokenizer.load_encoder()
        self._features = None
        if settings.features is not None:
            special_ids = tokenizer.special_ids(self._encoder)
            self._features = FeatureWriter(settings.features, self._encoder.pieces, special_ids)

    def write(self, job: ShardJob) -> ShardRecord:
        """Write one file; none where no document has a token.

        Raises:
            OutputError: the file cannot be written.
        """
        documents = self._tokenize(job.documents)
        record = ShardRecord(
            file=job.file,
            documents=len(documents),
            sentences=len(documents.sentence_offsets) - 1,
            tokens=len(documents.token_ids),
            bytes=0,
            sha256="",
        )
        if not len(documents):
            return record
        instances = 0
        pairs: dict[str, int] = {}
        if self._features is not None:
            instances, pairs = self._features.write(job.path, documents, job.number)
        else:
            with writing(job.path):
                job.path.write_bytes(shard_content(documents, len(self._encoder.pieces)))
        size, digest = size_and_digest(job.path)
        return replace(record, bytes=size, sha256=digest, instances=instances, pairs=pairs)

    def _tokenize(self, documents: Sequence[Sequence[str]]) -> TokenDocuments:
        if self._settings.is_split:
            language = self._settings.language
            documents = [[s for line in document for s in split_sentences(line, language)] for document in documents]
        return tokenize_documents(documents, self._encoder)


def tokenize_documents(documents: Sequence[Sequence[str]], encoder: TextEncoder) -> TokenDocuments:
    """Encode documents of sentences in one call; sentences and documents without a token are left out.

    Args:
        documents: documents, each a list of sentences.
        encoder: the vocabulary.
    """
    rows = encoder.encode(list(chain.from_iterable(documents)))
    lengths = np.fromiter(map(len, rows), "int64", len(rows))
    token_ids = np.fromiter(chain.from_iterable(rows), "int32", int(lengths.sum()))
    document_of_sentence = np.repeat(np.arange(len(documents)), [len(document) for document in documents])
    document_lengths = np.bincount(document_of_sentence[lengths > 0], minlength=len(documents))
    return TokenDocuments(
        token_ids,
        np.concatenate([[0], np.cumsum(lengths[lengths > 0])]),
        np.concatenate([[0], np.cumsum(document_lengths[document_lengths > 0])]),
    )

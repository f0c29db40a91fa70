"""From raw text to a folder of data on the disk, by several processes, in memory that does not follow the corpus.

Takes the place of `create_pretraining_data.py` of google-research/albert.
"""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from keras_albert.pretraining.build_settings import BuildProgress, BuildSettings
from keras_albert.pretraining.corpus import Corpus, find_files
from keras_albert.pretraining.manifest import ENDINGS, Manifest, ShardRecord
from keras_albert.pretraining.shard_writer import ShardJob, WriterSettings
from keras_albert.pretraining.shards import TOKENIZER_FOLDER, DocumentData
from keras_albert.pretraining.tokenizer_folder import TokenizerFolder, made_tokenizer_folder
from keras_albert.pretraining.unfinished import SHARDS_FOLDER, UnfinishedData, source_record
from keras_albert.pretraining.workers import Workers

if TYPE_CHECKING:
    from concurrent.futures import Future

    from keras_albert.pretraining.tokenizer_folder import Tokenizer

_MAX_DEFAULT_WORKERS = 8


def build_data(
    files: str | Path | Iterable[str | Path],
    tokenizer: "Tokenizer | str | Path",
    output: str | Path,
    settings: BuildSettings | None = None,
    workers: int | None = None,
    overwrite: bool = False,
    on_progress: Callable[[BuildProgress], None] | None = None,
) -> DocumentData:
    """Tokenize a corpus into a folder of data.

    The folder has its name only when it is whole. A build that was killed leaves `OUTPUT.unfinished`, and the same
    call goes on with it. The content follows from files and settings alone, not from the number of workers.

    Args:
        files: files, patterns or folders; see `keras_albert.pretraining.find_files`.
        tokenizer: a tokenizer, or where to load it from; see `keras_albert.pretraining.load_tokenizer`.
        output: the folder to write.
        settings: what decides the content.
        workers: processes that tokenize; by default one for each CPU, 8 at most.
        overwrite: whether a folder that is there is replaced.
        on_progress: called after each file.

    Returns:
        The data.

    Raises:
        ValueError: files that can't be read as what they seem to be, no sentence in all of them, a vocabulary of
            another model, or an unfinished build with other settings.
        FileExistsError: the folder is there already.
        OutputError: the folder cannot be written.
    """
    settings = settings or BuildSettings()
    workers = min(_MAX_DEFAULT_WORKERS, os.cpu_count() or 1) if workers is None else workers
    if workers < 1:
        raise ValueError(f"Expected at least one worker. Received: workers={workers}")
    corpus = Corpus(find_files(files), settings.corpus)
    sources = [source_record(path) for path in corpus.files]
    with made_tokenizer_folder(tokenizer) as made, UnfinishedData(output, overwrite) as unfinished:
        facts: dict[str, Any] = {"form": settings.form, "settings": asdict(settings), "tokenizer": made.facts()}
        unfinished.start({**facts, "sources": sources})
        folder = made.copy_to(unfinished.folder / TOKENIZER_FOLDER)
        build = _Build(unfinished, corpus, sum(source["bytes"] for source in sources), settings, on_progress)
        shards = build.run(workers, folder)
        if not shards:
            unfinished.remove()
            raise ValueError(f"Expected at least one sentence. Received: {len(sources)} files without any. Check them.")
        manifest = Manifest(
            **facts, sources=sources, counts=asdict(corpus.counts), shards=shards, software=_software_versions()
        )
        unfinished.finish(manifest)
    return DocumentData(unfinished.destination, manifest)


class _Build:
    """One call: reads groups of documents and hands them to workers, a bounded number at a time."""

    def __init__(
        self,
        unfinished: UnfinishedData,
        corpus: Corpus,
        total_bytes: int,
        settings: BuildSettings,
        on_progress: Callable[[BuildProgress], None] | None,
    ) -> None:
        self._unfinished = unfinished
        self._corpus = corpus
        self._total_bytes = total_bytes
        self._settings = settings
        self._on_progress = on_progress or (lambda progress: None)
        self._records: list[ShardRecord] = []
        self._kept = self._tokens = 0

    def run(self, workers: int, tokenizer: TokenizerFolder) -> list[ShardRecord]:
        """Write what is not there yet, and return the records of the files in order."""
        done = self._unfinished.done()
        settings = self._settings
        is_split = settings.corpus.lines != "sentence"
        writer = WriterSettings(tokenizer.path, is_split, settings.language, settings.features)
        waiting: deque[tuple[int, ShardRecord | Future[ShardRecord]]] = deque()
        with Workers(workers, writer) as submit:
            for number, documents in enumerate(_groups(self._corpus, settings.shard_characters)):
                if number in done:
                    waiting.append((number, done[number]))
                else:
                    file = f"{SHARDS_FOLDER}/{number:06}{ENDINGS[settings.form]}"
                    job = ShardJob(number, documents, self._unfinished.temporary(file), file)
                    waiting.append((number, submit(job)))
                # The text of these is in memory; their order is that of the corpus, whichever is ready first.
                while len(waiting) > workers:
                    self._take(*waiting.popleft())
            while waiting:
                self._take(*waiting.popleft())
        return self._records

    def _take(self, number: int, result: "ShardRecord | Future[ShardRecord]") -> None:
        if isinstance(result, ShardRecord):
            record = result
            self._kept += 1
        else:
            record = result.result()
            self._unfinished.add(number, record)
        if record.documents:
            self._records.append(record)
        self._tokens += record.tokens
        read = self._corpus.counts.bytes_read
        self._on_progress(BuildProgress(read, self._total_bytes, len(self._records), self._tokens, self._kept))


def _groups(corpus: Corpus, characters: int) -> Iterator[list[list[str]]]:
    """Yield consecutive documents that have a number of characters together."""
    group: list[list[str]] = []
    size = 0
    for document in corpus:
        group.append(document)
        size += sum(map(len, document))
        if size >= characters:
            yield group
            group, size = [], 0
    if group:
        yield group


def _software_versions() -> dict[str, str]:
    return {name: version(name) for name in ("keras-albert", "sentencepiece", "sentencex")}

"""Training of a SentencePiece vocabulary on files."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from keras_albert.pretraining.corpus import Corpus, CorpusSettings, find_files
from keras_albert.pretraining.corpus_lines import ReadingCounts
from keras_albert.text.vocabulary import train_vocabulary

GOOGLE_SAMPLE_SIZE = 10_000_000  # `input_sentence_size`, section "SentencePiece" of Google's README
_LINES_A_REPORT = 1000


def vocabulary_from_files(
    files: str | Path | Iterable[str | Path],
    vocabulary_size: int = 30_000,
    character_coverage: float = 0.99995,
    sample_size: int = GOOGLE_SAMPLE_SIZE,
    seed: int = 0,
    lowercase: bool = True,
    strip_accents: bool = True,
    settings: CorpusSettings | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> tuple[bytes, ReadingCounts]:
    """Train a vocabulary on a sample of the lines of files, with Google's settings.

    Args:
        files: files, patterns or folders; see `keras_albert.pretraining.find_files`.
        vocabulary_size, character_coverage, seed, lowercase, strip_accents: as of `keras_albert.train_vocabulary`.
        sample_size: lines to draw at random where there are more; they are held in memory.
        settings: how files are read.
        on_progress: called now and then with the bytes that are read, and those of all files.

    Returns:
        The serialized model, and what was met in the files.

    Raises:
        ValueError: files that can't be read, or a size that the texts don't allow.
    """
    corpus = Corpus(find_files(files), settings or CorpusSettings())
    total_bytes = sum(path.stat().st_size for path in corpus.files)

    def lines() -> Iterator[str]:
        number = 0
        for document in corpus:
            for line in document:
                yield line
                number += 1
                if on_progress is not None and number % _LINES_A_REPORT == 0:
                    on_progress(corpus.counts.bytes_read, total_bytes)
        if on_progress is not None:
            on_progress(total_bytes, total_bytes)

    proto = train_vocabulary(
        lines(), vocabulary_size, lowercase, strip_accents, character_coverage, sample_size=sample_size, seed=seed
    )
    return proto, corpus.counts

"""Speed of making pretraining data, beside SentencePiece's own encoding of the same lines on one thread.

Every figure is the median over fresh processes, whose measurements take turns; in each the work is done once on a
twentieth of the text before it is timed, so that neither imports nor first calls count. Google's script reaches 0.016
of the encoding's rate.
"""

import argparse
import multiprocessing
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

DESCRIPTION = "from text, and from token documents, to masked arrays, beside raw SentencePiece encoding"

Documents = list[list[str]]
_SPECIAL_TOKENS = ["<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]"]
# The rate that ours has to reach, as a share of the encoding's.
_GOALS = {"encode": 1.0, "text to masked arrays": 0.2, "token documents to masked arrays": 0.4}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this subject's options."""
    parser.add_argument("--data", type=Path, required=True, help="folder of .txt files; blank lines part documents")
    parser.add_argument("--vocabulary", type=Path, required=True, help="a SentencePiece model, such as 30k-clean.model")
    parser.add_argument("--tokens", type=int, default=616_000, help="how much text to use (default: %(default)s)")
    parser.add_argument("--sequence-length", type=int, default=128)
    parser.add_argument("--max-masks", type=int, default=20)
    parser.add_argument("--repetitions", type=int, default=5, help="fresh processes for each figure")


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    """Measure, and return the table's rows and the settings."""
    documents, tokens = read_documents(arguments.data, arguments.vocabulary, arguments.tokens)
    measurements = [documents, arguments.vocabulary, arguments.sequence_length, arguments.max_masks]
    seconds: dict[str, list[float]] = {name: [] for name in _GOALS}
    for _ in range(arguments.repetitions):
        for name in _GOALS:
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                seconds[name].append(pool.apply(measure, (name, *measurements)))
    rows = []
    for name, goal in _GOALS.items():
        median = statistics.median(seconds[name])
        ratios = [encoding / own for encoding, own in zip(seconds["encode"], seconds[name], strict=True)]
        row = {"what": name, "seconds": median, "tokens/s": tokens / median, "of encode": statistics.median(ratios)}
        rows.append(row | {"least": min(ratios), "goal": goal})
    settings = {name: str(value) for name, value in vars(arguments).items()}
    return {"rows": rows, "tokens": tokens, "seconds": seconds, "settings": settings}


def read_documents(folder: Path, vocabulary: Path, tokens: int) -> tuple[Documents, int]:
    """Read documents of lines from the files in order until they have so many tokens; return them, and how many."""
    import sentencepiece

    processor = sentencepiece.SentencePieceProcessor(model_file=str(vocabulary))
    documents: Documents = []
    found = 0
    for path in sorted(folder.glob("*.txt")):
        for block in path.read_text(encoding="utf-8").split("\n\n"):
            lines = [line for line in block.split("\n") if line.strip()]
            found += sum(map(len, processor.encode(lines)))
            documents.append(lines)
            if found >= tokens:
                return documents, found
    raise ValueError(f"Expected files with {tokens:,} tokens. Received: {folder}, with {found:,}. Lower --tokens.")


def measure(name: str, documents: Documents, vocabulary: Path, sequence_length: int, max_masks: int) -> float:
    """Return the seconds that one kind of work takes."""
    maker = {
        "encode": _encoding,
        "text to masked arrays": _from_text,
        "token documents to masked arrays": _from_tokens,
    }[name]
    _once(maker, documents[: max(1, len(documents) // 20)], vocabulary, sequence_length, max_masks)
    return _once(maker, documents, vocabulary, sequence_length, max_masks)


def _once(maker: Callable[..., Callable[[], Any]], *arguments: Any) -> float:
    work = maker(*arguments)
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _encoding(documents: Documents, vocabulary: Path, *_: int) -> Callable[[], Any]:
    import sentencepiece

    processor = sentencepiece.SentencePieceProcessor(model_file=str(vocabulary))
    lines = [line for document in documents for line in document]
    return lambda: processor.encode(lines, num_threads=1)


def _from_text(documents: Documents, vocabulary: Path, sequence_length: int, max_masks: int) -> Callable[[], Any]:
    from keras_albert.pretraining.shard_writer import tokenize_documents

    encoder = _encoder(vocabulary)
    finish = _instances(encoder.pieces, sequence_length, max_masks)
    return lambda: finish(tokenize_documents(documents, encoder))


def _from_tokens(documents: Documents, vocabulary: Path, sequence_length: int, max_masks: int) -> Callable[[], Any]:
    from keras_albert.pretraining.shard_writer import tokenize_documents

    encoder = _encoder(vocabulary)
    tokens = tokenize_documents(documents, encoder)
    finish = _instances(encoder.pieces, sequence_length, max_masks)
    return lambda: finish(tokens)


def _encoder(vocabulary: Path) -> Any:
    from keras_albert.text.sentencepiece_model import SentencePieceModel

    return SentencePieceModel(vocabulary.read_bytes(), True, True, _SPECIAL_TOKENS, num_threads=1)


def _instances(pieces: Sequence[str], sequence_length: int, max_masks: int) -> Callable[[Any], Any]:
    import numpy as np

    from keras_albert.pretraining.instances import make_instances
    from keras_albert.pretraining.pairs import PairSettings
    from keras_albert.text.masking import Masking, MaskingVocabulary
    from keras_albert.text.packing import SpecialIds

    ids = [list(pieces).index(token) for token in _SPECIAL_TOKENS]
    pad, _, start, end, mask = ids
    vocabulary = MaskingVocabulary.from_pieces(pieces, mask, ids)
    pairs, masking = PairSettings(sequence_length=sequence_length), Masking(max_masks=max_masks)
    special_ids, rng = SpecialIds(start, end, pad), np.random.default_rng(0)
    return lambda documents: make_instances(documents, pairs, masking, vocabulary, special_ids, rng)

"""Sentence pairs as spans of the documents' tokens: whole arrays at a time, nothing is copied.

Paper section 3.1 (sentence-order prediction) and Table 5 (what it is compared with); `create_instances_from_document`
of google-research/albert create_pretraining_data.py.
"""

from dataclasses import dataclass, field, replace
from typing import Literal, get_args

import numpy as np

from keras_albert.pretraining.token_documents import TokenDocuments

PairKind = Literal["sentence_order", "google", "next_sentence", "none"]

_NO_OTHER_DOCUMENT = (
    'Pairs of kind "{kind}" need a second document: label 1 is a segment of another one. Received: 1 document. '
    'Separate documents by a blank line, or make pairs of kind "sentence_order".'
)


@dataclass(frozen=True)
class PairSettings:
    """How pairs are made.

    Args:
        pairs: "sentence_order": a segment and the one after it, in order (label 0) or swapped (label 1), never of two
            documents. "google": the same, but a chunk of one sentence is paired with a random other document under
            label 1, as Google's code does. "next_sentence": BERT's, the segment after it (label 0) or one of another
            document (label 1). "none": one segment, label 0.
        sequence_length: the length S of a row with its special tokens, at least 5.
        short_sequences: share of the documents whose pairs are made shorter, each to a random length.

    Raises:
        ValueError: an unknown kind, or a number out of its range.
    """

    pairs: PairKind = "sentence_order"
    sequence_length: int = 512
    short_sequences: float = 0.1

    def __post_init__(self) -> None:
        if self.pairs not in get_args(PairKind):
            raise ValueError(f"Expected pairs to be one of {get_args(PairKind)}. Received: pairs={self.pairs!r}")
        if self.sequence_length < 5:
            raise ValueError(
                "Expected sequence_length to be at least 5: [CLS], a token, [SEP], a token and [SEP]. "
                f"Received: sequence_length={self.sequence_length}"
            )
        if not 0 <= self.short_sequences <= 1:
            raise ValueError(
                f"Expected short_sequences to be from 0 to 1. Received: short_sequences={self.short_sequences}"
            )

    @property
    def max_tokens(self) -> int:
        """The number of tokens of a row without the special ones."""
        return self.sequence_length - (2 if self.pairs == "none" else 3)


@dataclass(frozen=True)
class Pairs:
    """Pairs of segments.

    Attributes:
        spans: int64 (N, 4), start and stop of the first and of the second segment as indices into the documents'
            `token_ids`; without a second segment both are 0.
        labels: int32 (N,), 0 = in order, 1 = swapped or of another document.
        counts: what was made: `in_order`, `swapped`, `other_document` and `one_segment` sum up to N; `split_sentences`,
            pairs whose segments are parts of one sentence; `skipped`, chunks of a single token, of which no pair is
            made.
    """

    spans: np.ndarray
    labels: np.ndarray
    counts: dict[str, int] = field(default_factory=dict)


def make_pairs(documents: TokenDocuments, settings: PairSettings, rng: np.random.Generator) -> Pairs:
    """Make the pairs of documents, in the order of the documents.

    Each document is cut into chunks of whole sentences, the last of which reaches the wanted length; a chunk is parted
    at a random sentence, and then loses tokens at random ends until it fits. A chunk of one sentence is parted inside
    of it where the kind of pairs knows no other document.

    Args:
        documents: the documents.
        settings: the kind of pairs, and their length.
        rng: the random generator.

    Returns:
        The pairs.

    Raises:
        ValueError: a pair needs another document and there is none.

    Example:
        >>> documents = TokenDocuments.from_lists([[[5, 6], [7, 8, 9]]])
        >>> pairs = make_pairs(documents, PairSettings(sequence_length=8, short_sequences=0), np.random.default_rng(2))
        >>> pairs.spans.tolist(), pairs.labels.tolist()
        ([[0, 2, 2, 5]], [0])
    """
    is_alone = len(documents) == 1
    if is_alone and settings.pairs == "next_sentence":
        raise ValueError(_NO_OTHER_DOCUMENT.format(kind=settings.pairs))
    chunks = _find_chunks(documents, settings, rng)
    counts = dict.fromkeys(("in_order", "swapped", "other_document", "one_segment", "split_sentences", "skipped"), 0)
    if settings.pairs == "sentence_order":
        chunks, counts["split_sentences"], counts["skipped"] = _split_lone_sentences(chunks, rng)
    if settings.pairs == "none":
        spans = np.stack([chunks.start, chunks.stop, np.zeros_like(chunks.stop), np.zeros_like(chunks.stop)], axis=1)
        counts["one_segment"] = len(spans)
        return Pairs(_truncated(spans, settings.max_tokens, rng), np.zeros(len(spans), "int32"), counts)
    spans = np.stack([chunks.start, chunks.middle, chunks.middle, chunks.stop], axis=1)
    is_other = chunks.needs_other
    if is_alone and is_other.any():
        raise ValueError(_NO_OTHER_DOCUMENT.format(kind=settings.pairs))
    spans[is_other, 2:] = _segments_of_others(documents, chunks, rng)
    is_swapped = ~is_other & (settings.pairs != "next_sentence") & (rng.random(len(spans)) < 0.5)
    spans[is_swapped] = spans[is_swapped][:, [2, 3, 0, 1]]
    counts["other_document"], counts["swapped"] = int(is_other.sum()), int(is_swapped.sum())
    counts["in_order"] = len(spans) - counts["other_document"] - counts["swapped"]
    return Pairs(_truncated(spans, settings.max_tokens, rng), (is_other | is_swapped).astype("int32"), counts)


@dataclass(frozen=True)
class _Chunks:
    """Chunks of sentences, each array (chunks,): first token, the second segment's first, the one after the last."""

    start: np.ndarray
    middle: np.ndarray
    stop: np.ndarray
    num_sentences: np.ndarray
    needs_other: np.ndarray  # whether the second segment is to be of another document
    document: np.ndarray
    wanted_length: np.ndarray  # of both segments together

    def select(self, index: np.ndarray) -> "_Chunks":
        return _Chunks(*(getattr(self, name)[index] for name in self.__dataclass_fields__))


def _find_chunks(documents: TokenDocuments, settings: PairSettings, rng: np.random.Generator) -> _Chunks:
    offsets = documents.sentence_offsets
    num_sentences = len(offsets) - 1
    document = np.repeat(np.arange(len(documents)), np.diff(documents.document_offsets))
    wanted = np.full(len(documents), settings.max_tokens)
    is_short = rng.random(len(documents)) < settings.short_sequences
    wanted[is_short] = rng.integers(2, settings.max_tokens, int(is_short.sum()), endpoint=True)
    wanted = wanted[document]
    # For every sentence: the end of the chunk that would begin there, and where that would be parted.
    first = np.arange(num_sentences)
    end = _end_of_length(documents, first, document, wanted)
    part = first + 1 + rng.integers(0, np.maximum(end - first - 1, 1))
    needs_other = np.zeros(num_sentences, bool)
    following = end
    if settings.pairs in ("google", "next_sentence"):
        needs_other = end - first == 1
    if settings.pairs == "next_sentence":
        needs_other |= rng.random(num_sentences) < 0.5
        # Sentences that give way to another document's begin the next chunk.
        following = np.where(needs_other, part, end)
    begins = _walk(following)
    return _Chunks(offsets[first], offsets[part], offsets[end], end - first, needs_other, document, wanted).select(
        begins
    )


def _end_of_length(
    documents: TokenDocuments, first: np.ndarray, document: np.ndarray, length: np.ndarray
) -> np.ndarray:
    """Return the sentence after the one that reaches a length, or else the document's end."""
    offsets = documents.sentence_offsets
    return np.minimum(
        np.searchsorted(offsets, offsets[first] + np.maximum(length, 1)), documents.document_offsets[document + 1]
    )


def _walk(following: np.ndarray) -> np.ndarray:
    """Return the sentences that begin chunks: the first, the one that follows its chunk, and so on."""
    steps = following.tolist()
    begins = []
    sentence = 0
    while sentence < len(steps):
        begins.append(sentence)
        sentence = steps[sentence]
    return np.array(begins, "int64")


def _split_lone_sentences(chunks: _Chunks, rng: np.random.Generator) -> tuple[_Chunks, int, int]:
    """Part chunks of one sentence at a random inner token; return how many these are, and how many were too short."""
    lengths = chunks.stop - chunks.start
    kept = chunks.select(lengths > 1)
    is_lone = kept.num_sentences == 1
    inner = kept.start + rng.integers(1, kept.stop - kept.start)
    return replace(kept, middle=np.where(is_lone, inner, kept.middle)), int(is_lone.sum()), int((lengths == 1).sum())


def _segments_of_others(documents: TokenDocuments, chunks: _Chunks, rng: np.random.Generator) -> np.ndarray:
    """Return start and stop of a random segment of another document for each chunk that needs one, (chunks, 2)."""
    chunks = chunks.select(chunks.needs_other)
    # Google's code draws up to ten times, and may end with the same document.
    document = rng.integers(0, max(len(documents) - 1, 1), len(chunks.document))
    document += document >= chunks.document
    sentence = rng.integers(documents.document_offsets[document], documents.document_offsets[document + 1])
    end = _end_of_length(documents, sentence, document, chunks.wanted_length - (chunks.middle - chunks.start))
    return documents.sentence_offsets[np.stack([sentence, end], axis=1)]


def _truncated(spans: np.ndarray, max_tokens: int, rng: np.random.Generator) -> np.ndarray:
    """Cut spans until both fit: the longer one loses tokens, on a tie the second, each at its front or its back."""
    lengths = spans[:, 1::2] - spans[:, ::2]
    # Once both are equally long they lose in turn, the second first.
    first = np.maximum(np.minimum(lengths[:, 0], (max_tokens + 1) // 2), max_tokens - lengths[:, 1])
    kept = np.stack([first, max_tokens - first], axis=1)
    lost = np.where(lengths.sum(axis=1, keepdims=True) > max_tokens, lengths - kept, 0)
    from_front = rng.binomial(lost, 0.5)
    cut = spans.copy()
    cut[:, ::2] += from_front
    cut[:, 1::2] -= lost - from_front
    return cut

"""Long texts as overlapping windows of whole words, and the pieces of words as a model's rows.

`convert_examples_to_features` of google-research/albert squad_utils.py has such windows for questions.
"""

from dataclasses import dataclass

import numpy as np

from keras_albert.tasks.token_classification.words import Span, WordedTexts


def window_spans(piece_counts: np.ndarray, capacity: int, overlap: int) -> list[Span]:
    """Return the words of each window of a text, as [first, end).

    A window holds as many whole words as fit. The next one begins with the first word that makes them share at most
    `overlap` pieces; the last one is filled up from the left.

    Args:
        piece_counts: pieces of each word, int (W,), each from 1 to `capacity`.
        capacity: the most pieces in a window.
        overlap: the most pieces that neighbours share, less than `capacity`.

    Returns:
        At least one window; a text without words has (0, 0).

    Example:
        >>> window_spans(np.ones(10, "int64"), capacity=5, overlap=2)
        [(0, 5), (3, 8), (5, 10)]
    """
    ends = np.concatenate([[0], np.cumsum(piece_counts)])  # pieces before each word
    count = len(piece_counts)
    spans: list[Span] = []
    first = 0
    while ends[count] - ends[first] > capacity:
        end = int(np.searchsorted(ends, ends[first] + capacity, side="right")) - 1
        spans.append((first, end))
        # It has room for the next word at least, so that every window brings new words.
        first = int(np.searchsorted(ends, max(ends[end] - overlap, ends[end + 1] - capacity)))
    if spans:
        first = int(np.searchsorted(ends, ends[count] - capacity))
    return [*spans, (first, count)]


def rows_with_most_context(piece_offsets: np.ndarray, windows: np.ndarray) -> np.ndarray:
    """Return for each word the window where it has most context: the fewer of the pieces on its two sides.

    Args:
        piece_offsets: pieces before each word, and in all, int (W + 1,).
        windows: [first, end) words of each window, in order, int (R, 2).

    Returns:
        int64 (W,), which never goes down; of two that are equal the earlier one.

    Example:
        >>> rows_with_most_context(np.arange(11), np.array([[0, 5], [3, 8], [5, 10]])).tolist()
        [0, 0, 0, 0, 1, 1, 1, 2, 2, 2]
    """
    words = len(piece_offsets) - 1
    most, rows = np.full(words, -1), np.zeros(words, "int64")
    for row, (first, end) in enumerate(windows):
        before = piece_offsets[first:end] - piece_offsets[first]
        after = piece_offsets[end] - piece_offsets[first + 1 : end + 1]
        context = np.minimum(before, after)
        is_more = context > most[first:end]
        most[first:end] = np.where(is_more, context, most[first:end])
        rows[first:end] = np.where(is_more, row, rows[first:end])
    return rows


@dataclass(frozen=True)
class EncodedWords:
    """The words of a set of texts as pieces, and the windows that are a model's rows. It has the length of these.

    Args:
        texts: the texts.
        pieces: the ids of all words one after the other, int32 (pieces,).
        piece_offsets: where each word's ids begin in `pieces`, and their number, int64 (words + 1,).
        word_offsets: where each text's words begin, and their number, int64 (texts + 1,).
        windows: the words [first, end) of each window, int64 (rows, 2).
        word_rows: the window that each word is trained in and predicted from, int64 (words,), sorted.
        cut_words: number of words with more pieces than a window holds; only their first pieces are there.
        labels: the number of each word's tag, int32 (words,), or None.
        weights: the weight of each word, float32 (words,), or None.
    """

    texts: WordedTexts
    pieces: np.ndarray
    piece_offsets: np.ndarray
    word_offsets: np.ndarray
    windows: np.ndarray
    word_rows: np.ndarray
    cut_words: int = 0
    labels: np.ndarray | None = None
    weights: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.windows)

    @property
    def lengths(self) -> np.ndarray:
        """Length of each packed row, int64 (rows,)."""
        return self.piece_offsets[self.windows[:, 1]] - self.piece_offsets[self.windows[:, 0]] + 2

    def row_pieces(self, row: int) -> np.ndarray:
        """Return the ids of one window, without special tokens."""
        first, end = self.windows[row]
        return self.pieces[self.piece_offsets[first] : self.piece_offsets[end]]

    def places(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return where the words of some windows stand that are trained in and predicted from these.

        Args:
            rows: the windows of a batch, int (B,).

        Returns:
            For each such word its place in the batch, the position of its first piece in the packed row, and its number
            among all words; int64 (K,) each.
        """
        starts = np.searchsorted(self.word_rows, rows, side="left")
        ends = np.searchsorted(self.word_rows, rows, side="right")
        words = np.concatenate([np.arange(start, end) for start, end in zip(starts, ends, strict=True)])
        in_batch = np.repeat(np.arange(len(rows)), ends - starts)
        window_starts = self.piece_offsets[self.windows[rows, 0]]
        return in_batch, self.piece_offsets[words] - window_starts[in_batch] + 1, words  # [CLS] is at 0

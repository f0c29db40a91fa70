"""Windows over documents that are longer than a row, and the window in which a token has most context.

`convert_examples_to_features` and `_check_is_max_context` of google-research/albert squad_utils.py.
"""

from dataclasses import dataclass

import numpy as np


def window_spans(num_tokens: int, room: int, stride: int) -> np.ndarray:
    """Return the windows of a document.

    Args:
        num_tokens: length of the document; a document without tokens has one window, without tokens.
        room: the most tokens in a window, at least 1.
        stride: tokens from one window's start to the next one's, at least 1.

    Returns:
        int64 (w, 2), first token and number of tokens of each window.

    Example:
        >>> window_spans(10, room=6, stride=3).tolist()
        [[0, 6], [3, 6], [6, 4]]
    """
    spans = []
    first = 0
    while True:
        length = min(num_tokens - first, room)
        spans.append((first, length))
        if first + length == num_tokens:
            return np.array(spans, "int64")
        first += min(length, stride)


def max_context_windows(spans: np.ndarray) -> np.ndarray:
    """Return for each token of a document the window that shows most of its surroundings.

    That is the largest `min(tokens to the left, tokens to the right) + 0.01 * tokens in the window`; on a tie the
    earlier window.

    Args:
        spans: int (w, 2), the document's windows.

    Returns:
        int64 (tokens,), indices of windows.

    Example:
        >>> max_context_windows(window_spans(10, room=6, stride=3)).tolist()
        [0, 0, 0, 0, 0, 1, 1, 1, 2, 2]
    """
    num_tokens = int(spans[-1].sum())
    best = np.full(num_tokens, -1.0)
    windows = np.zeros(num_tokens, "int64")
    for index, (first, length) in enumerate(spans.tolist()):
        left = np.arange(length)
        scores = np.minimum(left, left[::-1]) + 0.01 * length
        tokens = slice(first, first + length)
        windows[tokens] = np.where(scores > best[tokens], index, windows[tokens])
        best[tokens] = np.maximum(best[tokens], scores)
    return windows


@dataclass(frozen=True)
class QuestionWindows:
    """The windows of one question, as the search for spans needs them.

    Args:
        spans: int (w, 2), first token of the context and number of its tokens in each window.
        offset: position of a window's first context token in its row: `[CLS]`, the question and `[SEP]` come before.
    """

    spans: np.ndarray
    offset: int

    @property
    def max_context(self) -> np.ndarray:
        """The window in which each token of the context has most context, int64 (tokens,)."""
        return max_context_windows(self.spans)

    def starts_that_count(self, length: int) -> np.ndarray:
        """Say which positions of the rows are context tokens that have most context there, bool (w, S)."""
        best = self.max_context
        counts = np.zeros((len(self.spans), length), "bool")
        for window, (first, size) in enumerate(self.spans.tolist()):
            counts[window, self.offset : self.offset + size] = best[first : first + size] == window
        return counts

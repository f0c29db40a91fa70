"""Words of packed rows, and the choice of n-grams of them: the k-th candidate of every row at once.

`create_masked_lm_predictions` of google-research/albert create_pretraining_data.py, which draws row by row.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Words:
    """The words of a batch of rows; W is the largest number of words in a row, at least 1.

    Attributes:
        is_in_word: bool (B, S), whether a token belongs to a word; special tokens and padding don't.
        word_of_token: int (B, S), the index of the word that a token belongs to.
        counts: int64 (B,), the number of words of each row.
        offsets: int64 (B, W + 1); word `w` of row `r` has `offsets[r, w + 1] - offsets[r, w]` tokens.
        reach: int8 (B, W), the largest number of words of an n-gram that begins with this one.
    """

    is_in_word: np.ndarray
    word_of_token: np.ndarray
    counts: np.ndarray
    offsets: np.ndarray
    reach: np.ndarray

    def tokens_of(self, is_chosen: np.ndarray) -> np.ndarray:
        """Return which tokens belong to the chosen words.

        Args:
            is_chosen: bool (B, W).

        Returns:
            bool (B, S).
        """
        return self.is_in_word & np.take_along_axis(is_chosen, self.word_of_token, axis=1)


def find_words(is_in_word: np.ndarray, begins_word: np.ndarray, is_border: np.ndarray, max_ngram: int) -> Words:
    """Number the words of each row.

    Args:
        is_in_word: bool (B, S), whether a token belongs to a word.
        begins_word: bool (B, S), whether a token begins one; a row's first token in a word always does.
        is_border: bool (B, S), whether no n-gram may reach across the left side of a token that begins a word.
        max_ngram: the largest number of words of an n-gram.

    Returns:
        The words.

    Example:
        >>> in_word = np.array([[False, True, True, True, False]])
        >>> words = find_words(in_word, np.array([[False, True, False, True, False]]), ~in_word, max_ngram=3)
        >>> words.counts.tolist(), words.offsets.tolist(), words.reach.tolist()
        ([2], [[0, 2, 3]], [[2, 1]])
    """
    rows = len(is_in_word)
    begins = begins_word & is_in_word
    first = np.argmax(is_in_word, axis=1)
    begins[np.arange(rows), first] = is_in_word[np.arange(rows), first]
    number = np.cumsum(begins, axis=1, dtype="int32")  # of the word, counted from 1
    counts = number[:, -1].astype("int64")
    width = max(int(counts.max(initial=0)), 1)
    # What stands before a row's first word is in no word, so any index does there.
    word_of_token = np.maximum(number - 1, 0)
    row_of_token, _ = np.nonzero(is_in_word)
    sizes = np.bincount(row_of_token * width + word_of_token[is_in_word], minlength=rows * width)
    offsets = np.zeros((rows, width + 1), "int64")
    np.cumsum(sizes.reshape(rows, width), axis=1, out=offsets[:, 1:])

    ends_ngram = np.arange(width + max_ngram) >= counts[:, None]
    row_of_border, border = np.nonzero(begins & is_border)
    ends_ngram[row_of_border, word_of_token[row_of_border, border]] = True
    reach = np.ones((rows, width), "int8")
    goes_on = np.ones((rows, width), bool)
    for size in range(1, max_ngram):
        goes_on &= ~ends_ngram[:, size : size + width]
        reach += goes_on
    return Words(is_in_word, word_of_token, counts, offsets, reach)


def choose_words(
    words: Words,
    budgets: np.ndarray,
    ngram_shares: np.ndarray,
    rng: np.random.Generator,
    excluded: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Choose n-grams of words until each row has as many tokens as its budget says.

    Each row goes through its words in random order. For each it draws how many words the n-gram that begins there has;
    takes fewer where those don't fit in the rest of the budget or of the segment; and takes none where one of them is
    taken already. Google's code stops there; here a row that is not full then takes single words, so that it is full
    whenever a word fits in the rest.

    Args:
        words: the words.
        budgets: int (B,), the number of tokens to choose in each row.
        ngram_shares: float (n,), the probability of n-grams of 1, 2, ... words.
        rng: the random generator.
        excluded: bool (B, W), words that are not to be chosen; None excludes none.

    Returns:
        Which words are chosen, bool (B, W), without the excluded ones; and the draws in their order, int64 (draws, 4):
        the row, the first word, the size that was drawn, and the number of words that were taken.
    """
    rows, width = words.reach.shape
    keys = rng.random((rows, width), dtype="float32")
    keys[np.arange(width) >= words.counts[:, None]] = 2  # behind all words
    order = np.argsort(keys, axis=1)
    # Wider than the words, so that an n-gram may look past their end.
    taken = np.zeros((rows, width + len(ngram_shares)), bool)
    if excluded is not None:
        taken[:, :width] = excluded
    rest = np.where(words.counts > 0, budgets, 0).astype("int64")
    draws = [_pass(words, order, taken, rest, shares, rng) for shares in (ngram_shares, np.ones(1))]
    chosen = taken[:, :width]
    return chosen if excluded is None else chosen & ~excluded, np.concatenate(draws)


def _pass(
    words: Words,
    order: np.ndarray,
    taken: np.ndarray,
    rest: np.ndarray,
    ngram_shares: np.ndarray,
    rng: np.random.Generator,
) -> np.ndarray:
    """Go through the words of all rows that are not full, changing `taken` and `rest` (what is left of the budgets)."""
    limits = np.cumsum(ngram_shares)[:-1]
    offsets, reach = words.offsets.ravel(), words.reach.ravel()
    is_taken = taken.ravel()  # a view
    draws = [np.zeros((0, 4), "int64")]
    active = np.flatnonzero(rest > 0)
    turn = 0
    while len(active):
        start = order[active, turn]
        drawn = np.searchsorted(limits, rng.random(len(active)), side="right") + 1
        size = np.minimum(drawn, reach[active * words.reach.shape[1] + start])
        at = active * words.offsets.shape[1] + start
        tokens = offsets[at + size] - offsets[at]
        for _ in limits:
            size -= (tokens > rest[active]) & (size > 1)
            tokens = offsets[at + size] - offsets[at]
        is_free = tokens <= rest[active]
        at = active * taken.shape[1] + start
        for step in range(len(ngram_shares)):
            is_free &= ~(is_taken[at + step] & (step < size))
        size *= is_free
        for step in range(len(ngram_shares)):
            is_taken[at[step < size] + step] = True
        rest[active] -= tokens * is_free
        draws.append(np.stack([active, start, drawn, size], axis=1))
        turn += 1
        active = active[(rest[active] > 0) & (turn < words.counts[active])]
    return np.concatenate(draws)

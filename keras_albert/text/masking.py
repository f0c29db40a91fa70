"""Masking of whole-word n-grams for masked language modelling.

Paper section 3.2 (n-grams up to 3 words, p(n) proportional to 1/n); `create_masked_lm_predictions` of
google-research/albert create_pretraining_data.py. Unlike there, no n-gram reaches across a `[SEP]`, and a random
replacement is never a special token.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

MASK_SHARE = 0.15
MAX_NGRAM = 3


@dataclass(frozen=True)
class MaskingVocabulary:
    """What masking has to know of a vocabulary.

    Attributes:
        mask_id: the id of `[MASK]`.
        special_ids: ids that are never masked and never drawn as a replacement.
        word_starts: bool (V,), whether a piece begins a word.
    """

    mask_id: int
    special_ids: np.ndarray
    word_starts: np.ndarray

    @classmethod
    def from_pieces(cls, pieces: Sequence[str], mask_id: int, special_ids: Sequence[int]) -> "MaskingVocabulary":
        """Read word starts off the markers: SentencePiece's "▁" before a word, or WordPiece's "##" inside of one."""
        begins = np.array([piece.startswith("▁") for piece in pieces])
        continues = np.array([piece.startswith("##") for piece in pieces])
        # Either marker can occur as plain text in a vocabulary of the other kind, where it is rare.
        starts = begins if begins.sum() > continues.sum() else ~continues
        return cls(mask_id, np.asarray(special_ids), starts)


def number_to_mask(num_tokens: int, max_masks: int, share: float = MASK_SHARE) -> int:
    """Return how many of `num_tokens` (special ones included) are masked; halves round to even, as Google's do.

    Example:
        >>> number_to_mask(128, max_masks=20), number_to_mask(4, max_masks=20)
        (19, 1)
    """
    return min(max_masks, max(1, round(num_tokens * share)))


def choose_positions(
    token_ids: np.ndarray, vocabulary: MaskingVocabulary, count: int, rng: np.random.Generator
) -> np.ndarray:
    """Choose the positions to mask: whole words, in n-grams of one to three.

    Args:
        token_ids: int (tokens,), one packed row without its padding.
        vocabulary: special ids and word starts.
        count: the most positions to choose; fewer only where no whole word fits in the rest.
        rng: the random generator.

    Returns:
        Sorted int positions, none of them of a special token.
    """
    words = _words(token_ids, vocabulary)
    sizes = np.arange(1, MAX_NGRAM + 1)
    weights = (1 / sizes) / (1 / sizes).sum()
    taken = [False] * len(words)
    chosen: list[int] = []
    drawn_sizes = rng.choice(sizes, len(words), p=weights)
    for start, size in zip(rng.permutation(len(words)).tolist(), drawn_sizes.tolist(), strict=True):
        # A shorter n-gram is taken where the drawn one does not fit: in the count, in the segment, or beside words that
        # are taken.
        while size:
            ngram = range(start, start + size)
            if _is_free(ngram, words, taken) and len(chosen) + sum(len(words[w]) for w in ngram) <= count:
                break
            size -= 1
        for word in range(start, start + size):
            taken[word] = True
            chosen.extend(words[word])
        if len(chosen) >= count:
            break
    return np.sort(np.array(chosen, "int64"))


def _words(token_ids: np.ndarray, vocabulary: MaskingVocabulary) -> list[list[int]]:
    is_special = np.isin(token_ids, vocabulary.special_ids).tolist()
    starts_word = vocabulary.word_starts[token_ids].tolist()
    words: list[list[int]] = []
    after_special = True
    for position, special in enumerate(is_special):
        if not special:
            if after_special or starts_word[position]:
                words.append([])
            words[-1].append(position)
        after_special = special
    return words


def _is_free(ngram: range, words: list[list[int]], taken: list[bool]) -> bool:
    if ngram.stop > len(words) or any(taken[word] for word in ngram):
        return False
    # Words of two segments are not neighbours: a special token lies between their positions.
    return all(words[word + 1][0] == words[word][-1] + 1 for word in ngram[:-1])


def mask_tokens(
    token_ids: np.ndarray,
    padding_mask: np.ndarray,
    vocabulary: MaskingVocabulary,
    max_masks: int,
    rng: np.random.Generator,
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Mask a batch of packed rows.

    Of the chosen tokens 80% become `[MASK]`, 10% another ordinary token, 10% stay.

    Args:
        token_ids: int (B, S).
        padding_mask: int (B, S), 1 on the tokens of each row, which come first, 0 on the padding after them.
        vocabulary: special ids and word starts.
        max_masks: the number P of slots for predictions.
        rng: the random generator.

    Returns:
        The masked ids int32 (B, S), and `mask_positions` int32, `mask_ids` (the original ids) int32 and `mask_weights`
        float32, each (B, P); unused slots are position 0, id 0, weight 0.
    """
    rows = len(token_ids)
    masked = token_ids.astype("int32")
    slots = {
        "mask_positions": np.zeros((rows, max_masks), "int32"),
        "mask_ids": np.zeros((rows, max_masks), "int32"),
        "mask_weights": np.zeros((rows, max_masks), "float32"),
    }
    ordinary = np.setdiff1d(np.arange(len(vocabulary.word_starts)), vocabulary.special_ids)
    for row in range(rows):
        length = int(padding_mask[row].sum())
        count = number_to_mask(length, max_masks)
        positions = choose_positions(token_ids[row, :length], vocabulary, count, rng)
        draw = rng.random(len(positions))
        replacements = np.where(draw < 0.8, vocabulary.mask_id, token_ids[row, positions])
        masked[row, positions] = np.where(draw < 0.9, replacements, rng.choice(ordinary, len(positions)))
        slots["mask_positions"][row, : len(positions)] = positions
        slots["mask_ids"][row, : len(positions)] = token_ids[row, positions]
        slots["mask_weights"][row, : len(positions)] = 1
    return masked, slots

"""Masking of whole-word n-grams for masked language modelling, a batch of rows at a time.

Paper section 3.2 (n-grams up to 3 words, p(n) proportional to 1/n); `create_masked_lm_predictions` of
google-research/albert create_pretraining_data.py. Unlike there, no n-gram reaches across a `[SEP]`, a segment's first
piece begins a word, and a random replacement is never a special token; see `Masking.across_segments` and
`MaskingVocabulary.as_google` for data just as Google's.
"""

from dataclasses import dataclass

import numpy as np

from keras_albert.text.masking_vocabulary import MaskingVocabulary
from keras_albert.text.ngrams import Words, choose_words, find_words

__all__ = ["Masking", "MaskingVocabulary", "mask_tokens", "number_to_mask"]

MASK_SHARE = 0.15
MAX_NGRAM = 3


@dataclass(frozen=True)
class Masking:
    """How tokens are chosen and masked.

    Args:
        share: share of a row's tokens, special ones included, that is predicted.
        max_masks: predictions of a row at most. 15% of 512 tokens are 77.
        max_ngram: words of an n-gram at most.
        favor_shorter_ngrams: whether the probability of n words is proportional to 1/n; False turns the order around,
            as the original's option does: the longest are the likeliest.
        whole_words: whether all pieces of a word are masked together; False makes every piece a word.
        permutation: whether as many tokens again are permuted among themselves and predicted, the original's option.
            Rows then have twice `max_masks` slots.
        across_segments: whether n-grams reach across `[SEP]` and a second segment that begins inside a word goes on
            with the first one's last word. Only for comparisons with Google's data, where they do.

    Raises:
        ValueError: a number is out of its range.
    """

    share: float = MASK_SHARE
    max_masks: int = 20
    max_ngram: int = MAX_NGRAM
    favor_shorter_ngrams: bool = True
    whole_words: bool = True
    permutation: bool = False
    across_segments: bool = False

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1:
            raise ValueError(f"Expected share to be above 0 and at most 1. Received: share={self.share}")
        for name in ("max_masks", "max_ngram"):
            if getattr(self, name) < 1:
                raise ValueError(f"Expected {name} to be at least 1. Received: {name}={getattr(self, name)}")

    @property
    def num_slots(self) -> int:
        """The number P of slots for predictions in each row."""
        return self.max_masks * (2 if self.permutation else 1)

    @property
    def ngram_shares(self) -> np.ndarray:
        """The probability of each n, float64 (max_ngram,).

        Example:
            >>> (Masking().ngram_shares * 11).round(9).tolist()
            [6.0, 3.0, 2.0]
        """
        shares = 1 / np.arange(1, self.max_ngram + 1)
        return (shares if self.favor_shorter_ngrams else shares[::-1]) / shares.sum()


def number_to_mask(num_tokens: int, max_masks: int, share: float = MASK_SHARE) -> int:
    """Return how many of `num_tokens` (special ones included) are masked; halves round to even, as Google's do.

    Example:
        >>> number_to_mask(128, max_masks=20), number_to_mask(4, max_masks=20)
        (19, 1)
    """
    return min(max_masks, max(1, round(num_tokens * share)))


def mask_tokens(
    token_ids: np.ndarray,
    padding_mask: np.ndarray,
    vocabulary: MaskingVocabulary,
    masking: Masking,
    rng: np.random.Generator,
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Mask a batch of packed rows.

    Of the chosen tokens 80% become `[MASK]`, 10% another ordinary token, 10% stay; each piece has a draw of its own. As
    many are chosen as `number_to_mask` says, or fewer where no whole word fits in the rest.

    Args:
        token_ids: int (B, S).
        padding_mask: int (B, S), 1 on the tokens of each row, which come first, 0 on the padding after them.
        vocabulary: special ids and word starts.
        masking: how many are chosen, and how.
        rng: the random generator.

    Returns:
        The masked ids int32 (B, S), and `mask_positions` int32 in ascending order, `mask_ids` (the original ids) int32
        and `mask_weights` float32, each (B, P); unused slots are position 0, id 0, weight 0.
    """
    words = _words(token_ids, padding_mask, vocabulary, masking)
    lengths = np.count_nonzero(padding_mask, axis=1)
    counts = np.minimum(masking.max_masks, np.maximum(1, np.round(lengths * masking.share))).astype("int64")
    taken, _ = choose_words(words, counts, masking.ngram_shares, rng)
    masked = token_ids.astype("int32")
    chosen = words.tokens_of(taken)
    _replace(masked, chosen, vocabulary, rng)
    if masking.permutation:
        both, _ = choose_words(words, counts, masking.ngram_shares, rng, taken)
        permuted = words.tokens_of(both) & ~chosen
        _permute(masked, permuted, rng)
        chosen |= permuted
    return masked, _slots(token_ids, chosen, masking.num_slots)


def _words(token_ids: np.ndarray, padding_mask: np.ndarray, vocabulary: MaskingVocabulary, masking: Masking) -> Words:
    is_in_word = (padding_mask != 0) & ~vocabulary.is_special[token_ids]
    begins_segment = is_in_word.copy()
    begins_segment[:, 1:] &= ~is_in_word[:, :-1]
    if not masking.whole_words:
        begins_word = is_in_word
    else:
        begins_word = vocabulary.word_starts[token_ids]
        begins_word[:, 1:] |= vocabulary.standing_alone[token_ids[:, :-1]]
    if masking.across_segments:
        return find_words(is_in_word, begins_word, np.zeros_like(is_in_word), masking.max_ngram)
    return find_words(is_in_word, begins_word | begins_segment, begins_segment, masking.max_ngram)


def _replace(masked: np.ndarray, chosen: np.ndarray, vocabulary: MaskingVocabulary, rng: np.random.Generator) -> None:
    originals = masked[chosen]
    draw = rng.random(len(originals))
    others = rng.choice(vocabulary.replacement_ids, len(originals))
    masked[chosen] = np.where(draw < 0.8, vocabulary.mask_id, np.where(draw < 0.9, originals, others))


def _permute(token_ids: np.ndarray, chosen: np.ndarray, rng: np.random.Generator) -> None:
    rows, positions = np.nonzero(chosen)
    order = np.lexsort((rng.random(len(rows)), rows))
    token_ids[rows, positions] = token_ids[rows, positions[order]]


def _slots(token_ids: np.ndarray, chosen: np.ndarray, num_slots: int) -> dict[str, np.ndarray]:
    rows, positions = np.nonzero(chosen)
    counts = np.count_nonzero(chosen, axis=1)
    slots = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    shape = (len(token_ids), num_slots)
    mask_positions, mask_ids, mask_weights = (
        np.zeros(shape, "int32"),
        np.zeros(shape, "int32"),
        np.zeros(shape, "float32"),
    )
    mask_positions[rows, slots] = positions
    mask_ids[rows, slots] = token_ids[rows, positions]
    mask_weights[rows, slots] = 1
    return {"mask_positions": mask_positions, "mask_ids": mask_ids, "mask_weights": mask_weights}

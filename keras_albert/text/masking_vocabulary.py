"""What masking has to know of a vocabulary: where words begin, what is special, what may replace a token."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from keras_albert.text.word_starts import (
    default_word_starts,
    google_word_starts,
    has_wordpiece_markers,
    standing_alone,
    wordpiece_word_starts,
)


@dataclass(frozen=True)
class MaskingVocabulary:
    """What masking has to know of a vocabulary.

    Attributes:
        mask_id: the id of `[MASK]`.
        special_ids: ids that are never masked.
        word_starts: bool (V,), whether a piece begins a word.
        replacement_ids: ids that random replacements are drawn from; by default all but the special ones.
        standing_alone: bool (V,), whether a piece is a word of its own, so that the piece behind it begins another; by
            default none.
    """

    mask_id: int
    special_ids: np.ndarray
    word_starts: np.ndarray
    replacement_ids: np.ndarray = field(default_factory=lambda: np.zeros(0, "int64"))
    standing_alone: np.ndarray = field(default_factory=lambda: np.zeros(0, bool))
    is_special: np.ndarray = field(init=False, repr=False)

    def __post_init__(self) -> None:
        is_special = np.zeros(len(self.word_starts), bool)
        is_special[np.asarray(self.special_ids)] = True
        object.__setattr__(self, "is_special", is_special)
        if not len(self.replacement_ids):
            object.__setattr__(self, "replacement_ids", np.flatnonzero(~is_special))
        if not len(self.standing_alone):
            object.__setattr__(self, "standing_alone", np.zeros_like(is_special))

    @classmethod
    def from_pieces(cls, pieces: Sequence[str], mask_id: int, special_ids: Sequence[int]) -> "MaskingVocabulary":
        """Read word starts off a vocabulary of SentencePiece or WordPiece; see `keras_albert.text.word_starts`.

        Args:
            pieces: the vocabulary in the order of its ids.
            mask_id: the id of `[MASK]`.
            special_ids: ids that are never masked and never drawn as a replacement.
        """
        special = np.asarray(special_ids)
        if has_wordpiece_markers(pieces):
            return cls(mask_id, special, wordpiece_word_starts(pieces))
        return cls(mask_id, special, default_word_starts(pieces), standing_alone=standing_alone(pieces))

    @classmethod
    def as_google(cls, pieces: Sequence[str], mask_id: int, special_ids: Sequence[int]) -> "MaskingVocabulary":
        """Read word starts off a vocabulary by Google's rule, and draw replacements from all of it.

        Google's code never masks `[CLS]` and `[SEP]`, and masks unknown tokens as any other: leave those out of
        `special_ids`.

        Args:
            pieces: the vocabulary in the order of its ids.
            mask_id: the id of `[MASK]`.
            special_ids: ids that are never masked.
        """
        starts = wordpiece_word_starts(pieces) if has_wordpiece_markers(pieces) else google_word_starts(pieces)
        return cls(mask_id, np.asarray(special_ids), starts, np.arange(len(pieces)))

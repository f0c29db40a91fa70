"""From token documents to record files of Google's features, whose masks are fixed.

Follows `create_training_instances` of google-research/albert create_pretraining_data.py.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from keras_albert.pretraining.google_features import write_features
from keras_albert.pretraining.instances import make_instances
from keras_albert.pretraining.pairs import PairSettings
from keras_albert.pretraining.token_documents import TokenDocuments
from keras_albert.text.masking import Masking, MaskingVocabulary
from keras_albert.text.packing import SpecialIds

GOOGLE_DUPE_FACTOR = 40


@dataclass(frozen=True)
class FeatureSettings:
    """How features are made.

    Args:
        pairs: how pairs are made.
        masking: how tokens are masked.
        dupe_factor: how often the documents are paired and masked, each time anew.
        seed: seed of all that; each file has random numbers of its own.

    Raises:
        ValueError: a number is out of its range.
    """

    pairs: PairSettings = field(default_factory=PairSettings)
    masking: Masking = field(default_factory=Masking)
    dupe_factor: int = GOOGLE_DUPE_FACTOR
    seed: int = 0

    def __post_init__(self) -> None:
        if self.dupe_factor < 1:
            raise ValueError(f"Expected dupe_factor to be at least 1. Received: dupe_factor={self.dupe_factor}")
        if self.seed < 0:
            raise ValueError(f"Expected a seed from 0. Received: seed={self.seed}")


class FeatureWriter:
    """Writes token documents as features.

    Args:
        settings: how they are made.
        pieces: the vocabulary.
        special_ids: ids of padding, the unknown, the start, the end and the mask token.
    """

    def __init__(self, settings: FeatureSettings, pieces: Sequence[str], special_ids: Sequence[int]) -> None:
        pad, _, start, end, mask = special_ids
        self._settings = settings
        self._vocabulary = MaskingVocabulary.from_pieces(pieces, mask, special_ids)
        self._special_ids = SpecialIds(start, end, pad)

    def write(self, path: Path, documents: TokenDocuments, number: int) -> tuple[int, dict[str, int]]:
        """Write a file of rows in random order.

        Args:
            path: the file.
            documents: what it is made of.
            number: its number, which its random numbers follow from.

        Returns:
            The number of rows, and how many there are of each kind of pair.

        Raises:
            ValueError: a pair needs another document, and there is none among these.
            OutputError: the file cannot be written.
        """
        rng = np.random.default_rng([self._settings.seed, number])
        counts: Counter[str] = Counter()
        parts = [self._instances(documents, rng, counts) for _ in range(self._settings.dupe_factor)]
        order = rng.permutation(sum(len(part["token_ids"]) for part in parts))
        instances = {}
        for name in list(parts[0]):
            # One array at a time, so that all of them are not there twice.
            instances[name] = np.concatenate([part.pop(name) for part in parts])[order]
        return write_features(path, instances, self._vocabulary), dict(counts)

    def _instances(
        self, documents: TokenDocuments, rng: np.random.Generator, counts: Counter[str]
    ) -> dict[str, np.ndarray]:
        settings = self._settings
        return make_instances(
            documents, settings.pairs, settings.masking, self._vocabulary, self._special_ids, rng, counts
        )

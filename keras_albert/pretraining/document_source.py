"""Where a run's rows come from: token documents, whose pairs and masks are made anew in every epoch."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from keras_albert.pretraining.batches import Instances
from keras_albert.pretraining.instances import make_instances
from keras_albert.pretraining.pairs import PairSettings
from keras_albert.pretraining.shards import read_shard
from keras_albert.pretraining.token_documents import TokenDocuments
from keras_albert.text.masking import Masking, MaskingVocabulary
from keras_albert.text.packing import SpecialIds

# Different streams of random numbers for one seed.
_SHARD_ORDER, _ROWS, _SPLIT, _EVALUATION = range(4)
_COUNTED_TOKENS = 50_000_000  # shares of pieces are known well enough


@dataclass(frozen=True)
class RowSettings:
    """How rows are made from documents.

    Args:
        pairs: how pairs are made.
        masking: how tokens are masked.
        vocabulary: what masking has to know of the vocabulary.
        special_ids: what packing adds.
        seed: seed of all of it.
    """

    pairs: PairSettings
    masking: Masking
    vocabulary: MaskingVocabulary
    special_ids: SpecialIds
    seed: int

    def rows(self, documents: TokenDocuments, *purpose: int) -> Instances:
        """Make the rows of documents, the same for the same purpose."""
        rng = np.random.default_rng([self.seed, *purpose])
        return make_instances(documents, self.pairs, self.masking, self.vocabulary, self.special_ids, rng)


class DocumentSource:
    """Rows from shards of token documents, a window of shards at a time.

    Args:
        shards: the files.
        tokens: the number of tokens in each.
        settings: how rows are made.
        window_tokens: tokens that a window has at least, where there are so many.
        held_out_share: share of the documents, drawn by the seed, that is left out here and evaluated on.
    """

    def __init__(
        self,
        shards: Sequence[Path],
        tokens: Sequence[int],
        settings: RowSettings,
        window_tokens: int,
        held_out_share: float = 0.0,
    ) -> None:
        self._shards = list(shards)
        self._tokens = np.asarray(tokens)
        self._settings = settings
        self._window_tokens = window_tokens
        self._held_out_share = held_out_share
        self._windows: tuple[int, list[np.ndarray]] = (-1, [])

    def number_of_windows(self, epoch: int) -> int:
        """Return how many windows an epoch has."""
        return len(self._windows_of(epoch))

    def window(self, epoch: int, number: int) -> Instances:
        """Return the rows of a window."""
        shards = self._windows_of(epoch)[number]
        parts = [self._training_part(read_shard(self._shards[shard]), shard) for shard in shards]
        return self._settings.rows(TokenDocuments.joined(parts), _ROWS, epoch, number)

    def evaluation_rows(self, count: int, is_all: bool) -> Instances:
        """Return the same rows at every call, from the documents that are held out.

        Args:
            count: the number of rows at most.
            is_all: whether every document may be evaluated on, since this is not the training data.

        Raises:
            ValueError: no document is held out.
        """
        parts: list[TokenDocuments] = []
        wanted = 2 * count * self._settings.pairs.sequence_length  # pairs may be shorter than a row
        for shard in range(len(self._shards)):
            documents = read_shard(self._shards[shard])
            part = documents if is_all else documents.select(self._is_held_out(len(documents), shard))
            if len(part):
                parts.append(part)
            if sum(len(part.token_ids) for part in parts) >= wanted:
                break
        if not parts:
            raise ValueError(
                f"No document is held out: there are too few. Received: held_out_share={self._held_out_share}. "
                "Raise it, or name other data to evaluate on (held_out_data)."
            )
        rows = self._settings.rows(TokenDocuments.joined(parts), _EVALUATION)
        order = np.random.default_rng([self._settings.seed, _EVALUATION]).permutation(len(rows["token_ids"]))[:count]
        return {name: array[order] for name, array in rows.items()}

    def piece_counts(self, vocabulary_size: int) -> np.ndarray:
        """Count the pieces in the shards, the first 50 million tokens at most, int64 (V,)."""
        counts = np.zeros(vocabulary_size, "int64")
        for shard in self._shards:
            counts += np.bincount(read_shard(shard).token_ids, minlength=vocabulary_size)
            if counts.sum() >= _COUNTED_TOKENS:
                break
        return counts

    def _windows_of(self, epoch: int) -> list[np.ndarray]:
        if self._windows[0] != epoch:
            order = np.random.default_rng([self._settings.seed, _SHARD_ORDER, epoch]).permutation(len(self._shards))
            # A window ends with the shard that fills it; what is left over goes to the last one.
            filled = np.cumsum(self._tokens[order]) // self._window_tokens
            ends = np.flatnonzero(np.diff(filled, prepend=0)) + 1
            windows = [part for part in np.split(order, ends) if len(part)]
            if len(windows) > 1 and (not len(ends) or ends[-1] < len(order)):
                windows[-2:] = [np.concatenate(windows[-2:])]
            self._windows = (epoch, windows)
        return self._windows[1]

    def _training_part(self, documents: TokenDocuments, shard: int) -> TokenDocuments:
        if not self._held_out_share:
            return documents
        return documents.select(~self._is_held_out(len(documents), shard))

    def _is_held_out(self, documents: int, shard: int) -> np.ndarray:
        return np.random.default_rng([self._settings.seed, _SPLIT, shard]).random(documents) < self._held_out_share

"""Documents as sentences of token ids, held flat: what pairs are made from."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np


@dataclass(frozen=True)
class TokenDocuments:
    """Documents, each one or more sentences, each one or more token ids without special ones.

    Attributes:
        token_ids: int (tokens,), all sentences one after the other.
        sentence_offsets: int64 (sentences + 1,); sentence `s` has the tokens from `sentence_offsets[s]` to before
            `sentence_offsets[s + 1]`.
        document_offsets: int64 (documents + 1,); document `d` has the sentences from `document_offsets[d]` to before
            `document_offsets[d + 1]`.

    Example:
        >>> documents = TokenDocuments.from_lists([[[5, 6], [7]], [[8]]])
        >>> documents.token_ids.tolist(), documents.sentence_offsets.tolist(), documents.document_offsets.tolist()
        ([5, 6, 7, 8], [0, 2, 3, 4], [0, 2, 3])
    """

    token_ids: np.ndarray
    sentence_offsets: np.ndarray
    document_offsets: np.ndarray

    @classmethod
    def from_lists(cls, documents: Sequence[Sequence[Sequence[int]]]) -> "TokenDocuments":
        """Copy documents of sentences of ids; empty sentences and documents are left out."""
        kept = [[sentence for sentence in document if len(sentence)] for document in documents]
        kept = [document for document in kept if document]
        sentences = list(chain.from_iterable(kept))
        return cls(
            np.fromiter(chain.from_iterable(sentences), "int32"),
            np.cumsum([0, *map(len, sentences)], dtype="int64"),
            np.cumsum([0, *map(len, kept)], dtype="int64"),
        )

    def __len__(self) -> int:
        return len(self.document_offsets) - 1

    @classmethod
    def joined(cls, parts: Sequence["TokenDocuments"]) -> "TokenDocuments":
        """Put several together, in order.

        Example:
            >>> part = TokenDocuments.from_lists([[[5, 6], [7]]])
            >>> TokenDocuments.joined([part, part]).document_offsets.tolist()
            [0, 2, 4]
        """
        return cls(
            np.concatenate([part.token_ids for part in parts]),
            _joined_offsets([part.sentence_offsets for part in parts]),
            _joined_offsets([part.document_offsets for part in parts]),
        )

    def select(self, is_chosen: np.ndarray) -> "TokenDocuments":
        """Copy some of the documents.

        Args:
            is_chosen: bool (documents,).

        Example:
            >>> documents = TokenDocuments.from_lists([[[5, 6], [7]], [[8]]])
            >>> documents.select(np.array([False, True])).token_ids.tolist()
            [8]
        """
        sentences = np.repeat(is_chosen, np.diff(self.document_offsets))
        lengths = np.diff(self.sentence_offsets)
        return type(self)(
            self.token_ids[np.repeat(sentences, lengths)],
            np.concatenate([[0], np.cumsum(lengths[sentences])]),
            np.concatenate([[0], np.cumsum(np.diff(self.document_offsets)[is_chosen])]),
        )


def _joined_offsets(parts: Sequence[np.ndarray]) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(np.concatenate([np.diff(part) for part in parts]))])

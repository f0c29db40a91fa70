"""A SentencePiece model with Google's normalization before it and Google's digit+comma split after it.

Follows `preprocess_text` and `encode_pieces` of google-research/albert `tokenization.py`, as they run on Python 3.
"""

import functools
import os
from collections.abc import Sequence
from typing import Any

import sentencepiece

from keras_albert.text.normalization import normalize, normalize_with_alignment
from keras_albert.text.offsets import Span, to_source_spans

__all__ = ["SentencePieceModel"]

_MARKER = "\u2581"  # SentencePiece writes a blank as this character
_BLANKS = _MARKER + " "
# Below this number of texts, starting threads costs more than they save; beyond 8, other work on the machine suffers.
_TEXTS_WORTH_THREADS = 64
_NUM_THREADS = min(8, os.cpu_count() or 1)


class SentencePieceModel:
    """Encodes texts to ids, with or without the source span of each piece, and decodes ids.

    Args:
        proto: a serialized SentencePiece model.
        lowercase: whether texts are lower-cased.
        strip_accents: whether texts are decomposed (NFKD) and lose their combining marks.
        reserved: pieces that no text may give. A model can let one match as a user-defined symbol; it is the unknown
            id then.
        num_threads: threads that share a batch of texts.

    Raises:
        ValueError: `proto` is not a SentencePiece model.
    """

    def __init__(
        self,
        proto: bytes,
        lowercase: bool,
        strip_accents: bool,
        reserved: Sequence[str] = (),
        num_threads: int = _NUM_THREADS,
    ) -> None:
        self.proto = proto
        self._num_threads = num_threads
        self._options = (lowercase, strip_accents)
        self._processor = sentencepiece.SentencePieceProcessor()
        try:
            self._processor.LoadFromSerializedProto(proto)
        except RuntimeError as error:
            raise ValueError(f"Expected a serialized SentencePiece model. Received: {len(proto)} bytes") from error
        self.pieces: list[str] = [self._processor.IdToPiece(id) for id in range(self._processor.vocab_size())]
        self.ids: dict[str, int] = {piece: id for id, piece in enumerate(self.pieces)}
        self.unknown_id: int = self._processor.unk_id()
        self.lone_marker_id: int | None = self.ids.get(_MARKER)
        self._reserved_ids = {self.ids[piece] for piece in reserved if piece in self.ids} - {self.unknown_id}
        self._comma_id = self.ids.get(",", self.unknown_id)
        self._watched_ids = {id for id, piece in enumerate(self.pieces) if _ends_in_digit_and_comma(piece)}
        self._watched_ids |= self._reserved_ids
        if self._comma_id == self.unknown_id:
            self._watched_ids.add(self.unknown_id)
        self._split_number = functools.lru_cache(maxsize=4096)(self._compute_number_split)
        self._is_blank = functools.lru_cache(maxsize=4096)(self._compute_is_blank)

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the ids of each text, without special tokens."""
        normalized = [normalize(text, *self._options) for text in texts]
        rows: list[list[int]] = self._native_encode(normalized, int)
        for position, row in enumerate(rows):
            if not self._watched_ids.isdisjoint(row):
                rows[position] = self._split_numbers(row, normalized[position])
        return rows

    def encode_with_offsets(self, texts: Sequence[str]) -> list[tuple[list[int], list[Span]]]:
        """Return for each text its ids and as many spans [start, end) of the text, without leading blanks."""
        aligned = [normalize_with_alignment(text, *self._options) for text in texts]
        encoded = self._native_encode([normalized for normalized, _, _ in aligned], "offset_mapping")
        results = []
        for text, (normalized, starts, ends), pieces in zip(texts, aligned, encoded, strict=True):
            spanned = self._spanned_ids(normalized, pieces)
            spans = to_source_spans([span for _, span in spanned], starts, ends, len(text))
            results.append(([id for id, _ in spanned], spans))
        return results

    def decode(self, rows: Sequence[Sequence[int]]) -> list[str]:
        """Return the text of each row of ids."""
        return self._processor.Decode([list(row) for row in rows])

    def starts_word(self, id: int) -> bool:
        """Say whether a blank stands before this id in a text."""
        return self.pieces[id].startswith(_MARKER)

    def _native_encode(self, texts: list[str], return_type: Any) -> Any:
        if len(texts) < _TEXTS_WORTH_THREADS:
            return [self._processor.Encode(text, return_type=return_type) for text in texts]
        return self._processor.Encode(texts, return_type=return_type, num_threads=self._num_threads)

    def _split_numbers(self, row: list[int], normalized: str) -> list[int]:
        if self.unknown_id in self._watched_ids and self.unknown_id in row:
            # What an unknown id stands for is not in the vocabulary.
            encoded = self._processor.Encode(normalized, return_type="offset_mapping")
            return [id for id, _ in self._spanned_ids(normalized, encoded)]
        split_row: list[int] = []
        for id in row:
            if id not in self._watched_ids:
                split_row.append(id)
            elif id in self._reserved_ids:
                split_row.append(self.unknown_id)
            else:
                split_row.extend(part_id for part_id, _ in self._split_number(self.pieces[id].lstrip(_BLANKS)))
        return split_row

    def _spanned_ids(self, normalized: str, encoded: dict[str, list[Any]]) -> list[tuple[int, Span]]:
        spanned: list[tuple[int, Span]] = []
        for id, piece, (start, end) in zip(encoded["ids"], encoded["pieces"], encoded["offsets"], strict=True):
            if piece[0] == _MARKER:
                while start < end and self._is_blank(normalized[start]):
                    start += 1
            if start == end and piece != _MARKER:
                # SentencePiece gives the source of a character that it expands to the last piece alone.
                end = min(start + 1, len(normalized))
            if id not in self._watched_ids:
                spanned.append((id, (start, end)))
            elif id in self._reserved_ids:
                spanned.append((self.unknown_id, (start, end)))
            elif _ends_in_digit_and_comma(piece):
                spanned.extend(self._split_span(piece.lstrip(_BLANKS), start, end))
            else:
                spanned.append((id, (start, end)))
        return spanned

    def _split_span(self, content: str, start: int, end: int) -> list[tuple[int, Span]]:
        parts = self._split_number(content)
        if end - start != len(content):
            # SentencePiece's own normalization changed the length: each part then gets the whole.
            return [(id, (start, end)) for id, _ in parts]
        spanned = []
        for id, length in parts:
            spanned.append((id, (start, start + length)))
            start += length
        return spanned

    def _compute_number_split(self, content: str) -> list[tuple[int, int]]:
        """Return id and number of characters of what Google makes of a piece that ends in digit + comma."""
        encoded = self._processor.Encode(content[:-1], return_type="offset_mapping")
        parts = [(id, len(piece.lstrip(_BLANKS))) for id, piece in zip(encoded["ids"], encoded["pieces"], strict=True)]
        return [*parts, (self._comma_id, 1)]

    def _compute_is_blank(self, character: str) -> bool:
        return not self._processor.Normalize(character).strip(_BLANKS)


def _ends_in_digit_and_comma(piece: str) -> bool:
    return len(piece) > 1 and piece[-1] == "," and piece[-2].isdigit()

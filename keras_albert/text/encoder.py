"""What a tokenizer asks of its vocabulary, whatever its kind."""

from collections.abc import Sequence
from typing import Protocol

from keras_albert.text.offsets import Span

__all__ = ["EncodedWithOffsets", "TextEncoder"]

EncodedWithOffsets = tuple[list[int], list[Span]]


class TextEncoder(Protocol):
    """A vocabulary that encodes texts and decodes ids; it knows special tokens as ids only.

    Attributes:
        pieces: the vocabulary in the order of the ids.
        ids: id of each piece.
        unknown_id: id of what the vocabulary can't spell.
        lone_marker_id: id of a blank that is a piece of its own, None if there is none.
    """

    pieces: list[str]
    ids: dict[str, int]
    unknown_id: int
    lone_marker_id: int | None

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the ids of each text."""

    def encode_with_offsets(self, texts: Sequence[str]) -> list[EncodedWithOffsets]:
        """Return the ids of each text, and for each id its span [start, end) of the text."""

    def decode(self, rows: Sequence[Sequence[int]]) -> list[str]:
        """Return the text of each row of ids."""

    def starts_word(self, id: int) -> bool:
        """Say whether a blank stands before this id in a text."""

"""WordPiece: greedy longest-match-first encoding of words, after BERT's basic tokenization.

Follows `WordpieceTokenizer` and `FullTokenizer` of google-research/albert `tokenization.py`.
"""

import functools
from collections.abc import Sequence

from keras_albert.text.basic_tokenization import CharacterTable, is_cjk, normalize_word, split_on_punctuation
from keras_albert.text.encoder import EncodedWithOffsets
from keras_albert.text.offsets import Span

__all__ = ["WordPieceModel"]

_SUFFIX = "##"
_MAX_WORD_LENGTH = 200  # Google's `max_input_chars_per_word`; longer words are unknown
# The words of a language fit; a longer word hardly comes twice, and must not fill the memory.
_MAX_CACHED_WORDS = 65_536
_MAX_CACHED_LENGTH = 64


class WordPieceModel:
    """Encodes texts to ids, with or without the source span of each piece, and decodes ids.

    Args:
        pieces: the vocabulary in the order of its ids, without duplicates.
        unknown: the piece of a word that the vocabulary can't spell.
        lowercase: whether words are lower-cased.
        strip_accents: whether words are decomposed (NFD) and lose their non-spacing marks.
    """

    lone_marker_id: int | None = None

    def __init__(self, pieces: Sequence[str], unknown: str, lowercase: bool, strip_accents: bool) -> None:
        self.pieces = list(pieces)
        self.ids = {piece: id for id, piece in enumerate(self.pieces)}
        self.unknown_id = self.ids[unknown]
        self._options = (lowercase, strip_accents)
        self._longest = max(map(len, self.pieces))
        self._characters = CharacterTable()
        self._cached_word_ids = functools.lru_cache(maxsize=_MAX_CACHED_WORDS)(self._word_ids)

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the ids of each text, without special tokens."""
        rows = []
        for text in texts:
            row: list[int] = []
            for word in self._characters.words(text):
                row.extend(self._cached_word_ids(word) if len(word) <= _MAX_CACHED_LENGTH else self._word_ids(word))
            rows.append(row)
        return rows

    def encode_with_offsets(self, texts: Sequence[str]) -> list[EncodedWithOffsets]:
        """Return for each text its ids and as many spans [start, end) of the text."""
        results = []
        for text in texts:
            ids: list[int] = []
            offsets: list[Span] = []
            for word, positions in self._characters.words_with_positions(text):
                normalized, starts, ends = self._normalize_with_positions(word, positions)
                for id, (start, end) in self._spelling(normalized):
                    ids.append(id)
                    offsets.append((starts[start], ends[end - 1]))
            results.append((ids, offsets))
        return results

    def decode(self, rows: Sequence[Sequence[int]]) -> list[str]:
        """Return the text of each row of ids: words with a blank between them, none beside an ideograph."""
        return [self._decode_row(row) for row in rows]

    def starts_word(self, id: int) -> bool:
        """Say whether a piece begins a word."""
        return not self.pieces[id].startswith(_SUFFIX)

    def _word_ids(self, word: str) -> tuple[int, ...]:
        return tuple(id for id, _ in self._spelling(normalize_word(word, *self._options)))

    def _spelling(self, word: str) -> list[tuple[int, Span]]:
        """Return the ids of a normalized word, and the span of the word that each stands for."""
        spelled = []
        offset = 0
        for part in split_on_punctuation(word):
            spelled += [(id, (offset + start, offset + end)) for id, (start, end) in self._longest_matches(part)]
            offset += len(part)
        return spelled

    def _longest_matches(self, part: str) -> list[tuple[int, Span]]:
        unknown = [(self.unknown_id, (0, len(part)))]
        if len(part) > _MAX_WORD_LENGTH:
            return unknown
        matches = []
        start = 0
        while start < len(part):
            prefix = _SUFFIX if start else ""
            for end in range(min(len(part), start + self._longest), start, -1):
                id = self.ids.get(prefix + part[start:end])
                if id is not None:
                    matches.append((id, (start, end)))
                    start = end
                    break
            else:
                return unknown
        return matches

    def _normalize_with_positions(self, word: str, positions: list[int]) -> tuple[str, list[int], list[int]]:
        normalized = normalize_word(word, *self._options)
        if word.isascii():
            return normalized, positions, [position + 1 for position in positions]
        # One character at a time is enough for the lengths: NFD reorders marks only, and the final sigma has the
        # length of the other.
        starts: list[int] = []
        ends: list[int] = []
        for character, position in zip(word, positions, strict=True):
            length = len(normalize_word(character, *self._options))
            if length:
                starts.extend([position] * length)
                ends.extend([position + 1] * length)
            elif ends:
                ends[-1] = position + 1
        return normalized, starts, ends

    def _decode_row(self, row: Sequence[int]) -> str:
        text = ""
        for id in row:
            piece = self.pieces[id]
            if not self.starts_word(id):
                text += piece.removeprefix(_SUFFIX)
            elif not text or _is_full_width(text[-1]) or _is_full_width(piece[:1]):
                text += piece
            else:
                text += f" {piece}"
        return text


def _is_full_width(character: str) -> bool:
    if not character:
        return False
    return is_cjk(ord(character)) or "\u3000" <= character <= "\u303f" or "\uff00" <= character <= "\uffef"

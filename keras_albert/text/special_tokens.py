"""Special tokens in texts: found in a raw string, such as the `[MASK]` of a fill-in prompt, and shown in decoded text.

Google's code knows them only as ids that are added after encoding; finding them in strings is an option here.
"""

import itertools
import re
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from keras_albert.text.encoder import EncodedWithOffsets, TextEncoder
from keras_albert.text.offsets import Span

__all__ = ["Segment", "SpecialTokenEncoder", "decode_with_special_tokens", "split_on_special_tokens"]


class Segment(NamedTuple):
    """A part of a text.

    Attributes:
        text: the characters.
        start: where it begins in the whole text.
        special_id: the id, if it is a special token; None if it is plain text.
    """

    text: str
    start: int
    special_id: int | None


def split_on_special_tokens(text: str, special_ids: Mapping[str, int]) -> list[Segment]:
    """Split a text into special tokens and the plain text between them.

    Args:
        text: raw text.
        special_ids: id of each literal to look for; one at least.

    Returns:
        The segments in order; empty ones are left out.

    >>> [tuple(segment) for segment in split_on_special_tokens("a [MASK].", {"[MASK]": 4})]
    [('a ', 0, None), ('[MASK]', 2, 4), ('.', 8, None)]
    """
    segments = []
    end = 0
    for match in re.finditer("|".join(map(re.escape, special_ids)), text):
        if end < match.start():
            segments.append(Segment(text[end : match.start()], end, None))
        segments.append(Segment(match.group(), match.start(), special_ids[match.group()]))
        end = match.end()
    if end < len(text):
        segments.append(Segment(text[end:], end, None))
    return segments


class SpecialTokenEncoder:
    """Encodes texts in which some literals are special tokens, the text on each side as if it stood alone.

    SentencePiece begins each text with a blank, which is a piece of its own where no piece of the vocabulary joins it
    to what follows. Beside a special token such a lone blank is dropped: `[MASK],` gives two ids.

    Args:
        encoder: encodes the plain text.
        special_ids: id of each literal to look for.
    """

    def __init__(self, encoder: TextEncoder, special_ids: Mapping[str, int]) -> None:
        self._encoder = encoder
        self._special_ids = special_ids

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the ids of each text."""
        split_texts = self._split(texts)
        plain_ids = iter(self._encoder.encode(_plain_texts(split_texts)))
        rows = []
        for segments in split_texts:
            row: list[int] = []
            for position, segment in enumerate(segments):
                if segment.special_id is not None:
                    row.append(segment.special_id)
                else:
                    ids = next(plain_ids)
                    row.extend(ids[self._without_lone_markers(ids, position, len(segments))])
            rows.append(row)
        return rows

    def encode_with_offsets(self, texts: Sequence[str]) -> list[EncodedWithOffsets]:
        """Return the ids of each text, and for each id its span [start, end) of the text."""
        split_texts = self._split(texts)
        plain = iter(self._encoder.encode_with_offsets(_plain_texts(split_texts)))
        results = []
        for segments in split_texts:
            row: list[int] = []
            offsets: list[Span] = []
            for position, segment in enumerate(segments):
                if segment.special_id is not None:
                    row.append(segment.special_id)
                    offsets.append((segment.start, segment.start + len(segment.text)))
                else:
                    ids, spans = next(plain)
                    kept = self._without_lone_markers(ids, position, len(segments))
                    row.extend(ids[kept])
                    offsets.extend((segment.start + start, segment.start + end) for start, end in spans[kept])
            results.append((row, offsets))
        return results

    def _split(self, texts: Sequence[str]) -> list[list[Segment]]:
        return [split_on_special_tokens(text, self._special_ids) for text in texts]

    def _without_lone_markers(self, ids: list[int], position: int, num_segments: int) -> slice:
        # The neighbours of a plain segment are special tokens or the ends of the text.
        marker_id = self._encoder.lone_marker_id
        first, last = 0, len(ids)
        if position > 0 and ids and ids[0] == marker_id:
            first = 1
        if position < num_segments - 1 and first < last and ids[-1] == marker_id:
            last -= 1
        return slice(first, last)


def _plain_texts(split_texts: list[list[Segment]]) -> list[str]:
    return [segment.text for segments in split_texts for segment in segments if segment.special_id is None]


def decode_with_special_tokens(encoder: TextEncoder, ids: Sequence[int], special_ids: Collection[int]) -> str:
    """Decode ids to a text that shows its special tokens, a blank before each and after it before a word.

    Args:
        encoder: decodes the plain ids.
        ids: one row of ids.
        special_ids: the ids to show as their pieces.
    """
    text = ""
    for is_special, run in itertools.groupby(ids, key=lambda id: id in special_ids):
        run_ids = list(run)
        if is_special:
            text = " ".join([text, *(encoder.pieces[id] for id in run_ids)]).lstrip()
        else:
            gap = " " if text and encoder.starts_word(run_ids[0]) else ""
            text += gap + encoder.decode([run_ids])[0]
    return text

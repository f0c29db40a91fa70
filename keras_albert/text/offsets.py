"""Character spans of pieces, carried from a normalized text back to the text it was made from.

Google's code has no offsets (its SQuAD script aligns characters by a longest common subsequence, `squad_utils.py`).
"""

from collections.abc import Sequence

__all__ = ["Span", "to_source_spans"]

Span = tuple[int, int]


def to_source_spans(spans: Sequence[Span], starts: Sequence[int], ends: Sequence[int], length: int) -> list[Span]:
    """Carry spans of a normalized text back to its source.

    Args:
        spans: [start, end) of each piece in the normalized text of N characters, in order; an empty span is a piece
            without a character of its own, such as the blank that SentencePiece puts before a text.
        starts: N source positions where each normalized character begins.
        ends: N source positions where each normalized character ends.
        length: number of characters of the source.

    Returns:
        One span of the source for each piece: inside the source, with starts and ends that never go back.

    >>> to_source_spans([(0, 0), (0, 1), (1, 4)], [0, 1, 1, 1], [1, 2, 2, 2], 2)
    [(0, 0), (0, 1), (1, 2)]
    """
    source_spans: list[Span] = []
    previous_start = previous_end = 0
    for start, end in spans:
        if start < end:
            source_start, source_end = starts[start], ends[end - 1]
        else:
            source_start = source_end = starts[start] if start < len(starts) else length
        # One source character can stand for several normalized ones, a blank among them: the next piece then begins
        # where this one began.
        previous_start = max(source_start, previous_start)
        previous_end = max(source_end, previous_end, previous_start)
        source_spans.append((previous_start, previous_end))
    return source_spans

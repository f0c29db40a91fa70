"""Google's digit+comma rule in the words of Hugging Face's `tokenizer.json`.

Google encodes a text, and then encodes a piece that ends in a digit and a comma again without the comma: "▁2011," gives
"▁2011" and ",", and "5," inside of a word gives "▁5" and ",", as each new text begins with a blank. A `tokenizer.json`
can't look at a piece again. So its text is parted at those commas before it is encoded, and gets the blank there.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

import sentencepiece

from keras_albert.text.hugging_face_steps import Step, any_of, replace

__all__ = ["SCORE_OF_THE_UNWANTED", "NumberSteps", "ends_in_digit_and_comma", "number_steps"]

# Added to the score of a piece that must not win. Single precision and this power of two fit into double precision, so
# that the import gets the score back.
SCORE_OF_THE_UNWANTED = -(2.0**20)

# What stands before a piece inside of a word, to see whether the model takes it there: a letter, and a symbol.
_INSIDE = ("a", "(")


class NumberSteps(NamedTuple):
    """How a text is prepared.

    Attributes:
        normalizers: steps after the normalization, once blanks are written as U+2581.
        comma: regular expression of the commas that are to stand alone; empty if there is none.
    """

    normalizers: list[Step]
    comma: str


def ends_in_digit_and_comma(piece: str) -> bool:
    """Say whether Google encodes a piece again."""
    return len(piece) > 1 and piece[-1] == "," and piece[-2].isdigit()


def number_steps(proto: bytes, pieces: Sequence[str]) -> NumberSteps:
    """Return the steps for a model.

    They are exact where pieces with a digit and a comma at their end begin a word, as in Google's 30k-clean (the comma
    that another digit follows excepted: there the pieces compete, such as "▁1," and "▁1,000"). For pieces inside of a
    word the model is asked where it takes them; of several at one comma the longest counts.

    Args:
        proto: the SentencePiece model.
        pieces: those of its pieces that a text can give.
    """
    fused = [piece for piece in pieces if ends_in_digit_and_comma(piece)]
    if not fused:
        return NumberSteps([], "")
    tails = {piece[at + 1 :] for piece in pieces for at in range(len(piece) - 1) if piece[at] == ","}
    going_on = f"(?!{any_of({tail[0] for tail in tails})})" if tails else ""
    uses = _uses(proto, fused, tails)
    used = [piece for piece in fused if piece.startswith("▁")] + [use.piece for use in uses]
    places, commas = [], [f"(?<={any_of({piece[-2] for piece in fused})}),{going_on}"]
    for use in uses:
        longer = [other.removesuffix(use.piece) for other in used if other.endswith(use.piece) and other != use.piece]
        before = "".join(f"(?<!{re.escape(start)})" for start in longer)
        before += ("" if use.at_start else "(?<!▁)") + ("" if use.inside else "(?<=▁)")
        places.append(f"{before}(?={re.escape(use.piece)}{'' if use.before_digits else going_on})")
        if use.before_digits:
            commas.append(f"(?<=▁{re.escape(use.piece[:-1])}),")
    return NumberSteps([replace("|".join(places), "▁")] if places else [], "|".join(commas))


class _Use(NamedTuple):
    """Where a model takes a piece that does not begin a word."""

    piece: str
    at_start: bool
    inside: bool
    before_digits: bool


def _uses(proto: bytes, fused: Sequence[str], tails: set[str]) -> list[_Use]:
    encode = sentencepiece.SentencePieceProcessor(model_proto=proto).encode_as_pieces
    uses = []
    for piece in fused:
        # A piece with two commas competes with others at the first of them; it is left out, which is a guess.
        if piece.startswith("▁") or "," in piece[:-1]:
            continue
        at_start = piece in encode(piece)
        inside = any(piece in encode(before + piece) for before in _INSIDE)
        before_digits = all(piece in encode(before + piece + tail) for before in _INSIDE for tail in tails)
        if at_start or inside:
            uses.append(_Use(piece, at_start, inside, before_digits))
    return uses

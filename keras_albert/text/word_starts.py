"""Which pieces of a vocabulary begin a word: what whole-word masking goes by.

`_is_start_piece_sp` and `_is_start_piece_bert` of google-research/albert create_pretraining_data.py, and a rule for any
script.
"""

import string
import unicodedata
from collections.abc import Sequence

import numpy as np

_MARKER = "▁"  # SentencePiece's sign of the space before a piece
_LETTERS = frozenset(string.ascii_lowercase)
# Google's list of marks, which lacks these four.
_PUNCTUATION = frozenset(string.punctuation) - frozenset("'<=>")

# First words of the Unicode names of letters whose scripts put no spaces between words.
_UNSPACED_SCRIPTS = (
    {"BOPOMOFO", "CJK", "HENTAIGANA", "HIRAGANA", "IDEOGRAPHIC", "KATAKANA", "YI"}
    | {"KHMER", "LAO", "MYANMAR", "TAI", "THAI", "TIBETAN"}
    | {"BALINESE", "JAVANESE"}
)


def google_word_starts(pieces: Sequence[str]) -> np.ndarray:
    """Return Google's word starts of a SentencePiece vocabulary, bool (V,).

    A piece goes on with the word before it if it has no marker and only unaccented Latin letters and ASCII punctuation
    other than ' < = >; a punctuation mark alone begins a word. Every piece with a letter of another script, an accent,
    a digit or one of those four signs begins a word.

    Example:
        >>> google_word_starts(["▁care", "ful", ".", "ed.", "'s", "é", "2", "<unk>"]).tolist()
        [True, False, True, False, True, True, True, True]
    """
    return np.array([_begins_alone(piece) or not all(map(_is_ascii_sign, piece)) for piece in pieces], bool)


def default_word_starts(pieces: Sequence[str]) -> np.ndarray:
    """Return the word starts of a SentencePiece vocabulary for any script, bool (V,).

    Google's idea with the letters of every script: a piece goes on with the word before it if it has no marker and only
    letters (accents and vowel signs included) of scripts that put spaces between words, or the ASCII punctuation that
    Google's rule takes inside of words. Digits, single punctuation marks and symbols begin words as they do with
    Google's; so does every piece that holds a letter of a script without spaces, see `standing_alone`.

    Example:
        >>> default_word_starts(["▁за", "меча", "ние", "é", "ed.", ".", "2", "山"]).tolist()
        [True, False, False, False, False, True, True, True]
    """
    return np.array([_begins_alone(piece) or not all(map(_goes_on, piece)) for piece in pieces], bool)


def standing_alone(pieces: Sequence[str]) -> np.ndarray:
    """Return which pieces are words of their own: those with a letter of a script without spaces, bool (V,).

    Scripts without spaces are Han, Hiragana, Katakana, Bopomofo, Yi, Thai, Lao, Khmer, Myanmar, Tibetan, Javanese,
    Balinese and the Tai scripts. Their words cannot be read off the pieces; so each piece is one, and a piece of
    another script right behind it begins a new word, marker or not: "山abc" is the words "山" and "abc".

    Example:
        >>> standing_alone(["▁care", "ful", "山", "▁山", "ที่", "한"]).tolist()
        [False, False, True, True, True, False]
    """
    return np.array([any(map(_is_unspaced, piece)) for piece in pieces], bool)


def wordpiece_word_starts(pieces: Sequence[str]) -> np.ndarray:
    """Return the word starts of a WordPiece vocabulary, bool (V,): every piece without "##".

    Example:
        >>> wordpiece_word_starts(["care", "##ful", "我", "."]).tolist()
        [True, False, True, True]
    """
    return np.array([not piece.startswith("##") for piece in pieces], bool)


def has_wordpiece_markers(pieces: Sequence[str]) -> bool:
    """Tell whether the vocabulary is WordPiece's: no more pieces begin with "▁" than with "##".

    Either marker can occur as plain text in a vocabulary of the other kind, where it is rare.
    """
    return sum(piece.startswith("##") for piece in pieces) >= sum(piece.startswith(_MARKER) for piece in pieces)


def _begins_alone(piece: str) -> bool:
    return piece.startswith(_MARKER) or piece in _PUNCTUATION


def _is_ascii_sign(character: str) -> bool:
    # Google lowers the character first, which makes a plain k of the Kelvin sign.
    return character.lower() in _LETTERS or character in _PUNCTUATION


def _goes_on(character: str) -> bool:
    if character in _PUNCTUATION:
        return True
    return unicodedata.category(character)[0] in "LM" and not _is_unspaced(character)


def _is_unspaced(character: str) -> bool:
    if character.isascii():
        return False
    # Signs such as the prolonged sound mark of Katakana are letters (Lm) too.
    name = unicodedata.name(character, "")
    return unicodedata.category(character)[0] in "LM" and name.replace("-", " ").split(" ")[0] in _UNSPACED_SCRIPTS

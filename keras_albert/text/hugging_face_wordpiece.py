"""A WordPiece tokenizer in the words of Hugging Face's `tokenizer.json`, the format of huggingface/tokenizers."""

import unicodedata
from collections.abc import Sequence
from typing import Any

from keras_albert.text.basic_tokenization import CharacterTable, is_cjk, split_on_punctuation
from keras_albert.text.hugging_face_steps import any_where, lowercase_steps, replace, sequence, split

__all__ = ["CONTINUATION", "wordpiece_parts"]

CONTINUATION = "##"
_LONGEST_WORD = 200  # Google's `max_input_chars_per_word`; 100 in that library


def wordpiece_parts(pieces: Sequence[str], unknown: str, lowercase: bool, strip_accents: bool) -> dict[str, Any]:
    """Return `normalizer`, `pre_tokenizer`, `decoder` and `model` of a `tokenizer.json`.

    Args:
        pieces: the vocabulary in the order of its ids.
        unknown: the piece of a word that the vocabulary can't spell.
        lowercase: whether words are lower-cased.
        strip_accents: whether words are decomposed (NFD) and lose their non-spacing marks.
    """
    # Not `BertNormalizer` and `BertPreTokenizer`, which drop private characters and know other ideographs and marks.
    normalizers = [replace(any_where(_vanishes), ""), replace(any_where(str.isspace), " ")]
    if lowercase:
        normalizers += lowercase_steps()
    if strip_accents:
        normalizers += [{"type": "NFD"}, replace(any_where(_is_non_spacing), "")]
    return {
        "normalizer": sequence("normalizers", normalizers),
        "pre_tokenizer": sequence(
            "pretokenizers", [{"type": "WhitespaceSplit"}, split(any_where(_is_word_of_its_own), "Isolated")]
        ),
        "decoder": {"type": "WordPiece", "prefix": CONTINUATION, "cleanup": False},
        "model": {
            "type": "WordPiece",
            "unk_token": unknown,
            "continuing_subword_prefix": CONTINUATION,
            "max_input_chars_per_word": _LONGEST_WORD,
            "vocab": {piece: id for id, piece in enumerate(pieces)},
        },
    }


def _vanishes(character: str) -> bool:
    return not CharacterTable()[ord(character)]


def _is_non_spacing(character: str) -> bool:
    return unicodedata.category(character) == "Mn"


def _is_word_of_its_own(character: str) -> bool:
    return is_cjk(ord(character)) or len(split_on_punctuation(f"a{character}a")) == 3

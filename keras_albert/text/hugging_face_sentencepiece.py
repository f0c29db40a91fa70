"""A SentencePiece tokenizer in the words of Hugging Face's `tokenizer.json`.

The format is that of huggingface/tokenizers; the algorithm is that of google/sentencepiece `src/unigram_model.cc` and
`src/normalizer.cc`, with Google's normalization before it and Google's digit+comma rule after it.
"""

import base64
import re
import unicodedata
from collections.abc import Sequence
from typing import Any, NamedTuple

import sentencepiece

from keras_albert.text.hugging_face_numbers import SCORE_OF_THE_UNWANTED, ends_in_digit_and_comma, number_steps
from keras_albert.text.hugging_face_steps import Step, any_of, any_where, lowercase_steps, replace, sequence, split
from keras_albert.text.piece_editing import Piece, PieceKind, is_unigram, read_pieces
from keras_albert.text.protobuf_fields import read_fields, to_number

__all__ = ["sentencepiece_parts"]

# Fields of a ModelProto, of its TrainerSpec and of its NormalizerSpec.
_TRAINER_SPEC, _NORMALIZER_SPEC = 2, 3
_BLANK_AS_SUFFIX, _BYTE_FALLBACK = 24, 35
_CHARSMAP, _DUMMY_PREFIX, _ONE_BLANK, _ESCAPED_BLANK = 2, 3, 4, 5

_USABLE = (PieceKind.NORMAL, PieceKind.USER_DEFINED)
_STAND_INS = range(0xE000, 0xF900)  # private characters
_CONTROL = "\x01"
# A user-defined symbol's score is so much below that of as many of the best pieces as it has bytes; the best is never
# below 0 there.
_SYMBOL_PENALTY = 0.1
_METASPACE = {"type": "Metaspace", "replacement": "▁"}


class _Facts(NamedTuple):
    """What a model says beside its pieces."""

    charsmap: bytes
    collapses_marker: bool
    composes: bool
    drops_controls: bool


def sentencepiece_parts(
    proto: bytes, lowercase: bool, strip_accents: bool, special_tokens_in_strings: bool
) -> dict[str, Any]:
    """Return `normalizer`, `pre_tokenizer`, `decoder` and `model` of a `tokenizer.json`.

    Args:
        proto: the SentencePiece model.
        lowercase: as in `normalize`.
        strip_accents: as in `normalize`.
        special_tokens_in_strings: whether special tokens in a text part it.

    Raises:
        ValueError: the model has a setting that ALBERT's has not, and that the format can't say.
    """
    pieces = read_pieces(proto)
    _check(proto, pieces)
    facts = _facts(proto)
    usable = [piece.text for piece in pieces if piece.kind in _USABLE]
    numbers = number_steps(proto, usable)
    normalizers = [
        *_normalization(facts, lowercase, strip_accents),
        # The blank that begins a text. Behind a special token it is left out where it would be a piece of its own; the
        # first text gets it in any case, from `prepend_scheme`.
        replace(f"^(?={_joined_characters(usable) if special_tokens_in_strings else '.'})| ", "▁"),
        *numbers.normalizers,
    ]
    # A word is looked up in a cache. Where a piece may go on behind a blank, a text stays whole.
    whole = "▁" not in usable or any("▁" in text[1:] for text in usable)
    pre_tokenizers = [{**_METASPACE, "prepend_scheme": "first", "split": not whole}]
    if numbers.comma:
        pre_tokenizers.append(split(numbers.comma, "Isolated"))
    hidden = [piece.text for piece in pieces if piece.kind not in _USABLE]
    for step in _hiding_steps(hidden, usable):
        (normalizers if step["type"] == "Replace" else pre_tokenizers).append(step)
    return {
        "normalizer": sequence("normalizers", normalizers),
        "pre_tokenizer": sequence("pretokenizers", pre_tokenizers),
        "decoder": {**_METASPACE, "prepend_scheme": "always", "split": True},
        "model": {
            "type": "Unigram",
            "unk_id": next(id for id, piece in enumerate(pieces) if piece.kind == PieceKind.UNKNOWN),
            "vocab": _scored(pieces),
            "byte_fallback": False,
        },
    }


def _normalization(facts: _Facts, lowercase: bool, strip_accents: bool) -> list[Step]:
    steps = [replace(any_where(str.isspace), " ")]
    if strip_accents:
        # Not `StripAccents`, which drops marks of class 0 too, such as a variation selector.
        steps += [{"type": "NFKD"}, replace(any_where(_is_combining), "")]
    if lowercase:
        steps += lowercase_steps()
    if facts.charsmap:
        charsmap = {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(facts.charsmap).decode()}
        # `Precompiled` takes single characters, so that others do the composing. Of a character with marks it may drop
        # the marks: what the map drops parts them.
        composed = [{"type": "NFC"}] if facts.composes else []
        parted = [replace(f"(?<={any_where(_is_replaced)})(?=[^\0-\x7f])", _CONTROL)] if facts.drops_controls else []
        steps += [*composed, *([] if strip_accents else parted), charsmap, *composed]
    blank = "[ ▁]" if facts.collapses_marker else " "
    return [*steps, replace(f"{blank}+", " "), replace("^ | $", "")]


def _is_combining(character: str) -> bool:
    return unicodedata.combining(character) != 0


def _is_replaced(character: str) -> bool:
    return unicodedata.normalize("NFKC", character) != character


def _joined_characters(texts: Sequence[str]) -> str:
    """Return a regular expression for the characters that a piece joins to the blank before them."""
    return any_of({text[1] for text in texts if text[0] == "▁" and len(text) > 1})


def _hiding_steps(hidden: Sequence[str], usable: Sequence[str]) -> list[Step]:
    """Return steps so that no text gives certain pieces: there, each piece matches its characters, whatever its score.

    An unknown character of the piece is written as another one. If all are known, the text is parted within the piece.
    """
    known = set().union(*usable)
    other = next(character for character in map(chr, _STAND_INS) if character not in known)
    replaced, parted = [], []
    for text in hidden:
        at = next((at for at, character in enumerate(text) if character not in known), None)
        if at is not None:
            replaced.append(f"(?<={re.escape(text[:at])}){re.escape(text[at])}(?={re.escape(text[at + 1 :])})")
        else:
            ends = range(1, len(text))
            end = next((end for end in ends if not any(text[end - 1 : end + 1] in piece for piece in usable)), 1)
            parted.append(f"(?<={re.escape(text[: end - 1])}){re.escape(text[end - 1])}(?={re.escape(text[end:])})")
    steps = [replace("|".join(replaced), other)] if replaced else []
    return [*steps, split("|".join(parted), "MergedWithPrevious")] if parted else steps


def _scored(pieces: Sequence[Piece]) -> list[list[Any]]:
    best = max([0.0, *(piece.score for piece in pieces if piece.kind == PieceKind.NORMAL)])
    scored = []
    for piece in pieces:
        score = piece.score
        if piece.kind == PieceKind.USER_DEFINED:
            score = len(piece.text.encode()) * best - _SYMBOL_PENALTY
        if ends_in_digit_and_comma(piece.text):
            # It sets the score of unknown characters too, which then never come before known ones. They don't anyway
            # where each character of the pieces is a piece, as SentencePiece's trainer sees to.
            score += SCORE_OF_THE_UNWANTED
        scored.append([piece.text, score])
    return scored


def _facts(proto: bytes) -> _Facts:
    normalize = sentencepiece.SentencePieceProcessor(model_proto=proto).normalize
    return _Facts(
        charsmap=_settings(proto, _NORMALIZER_SPEC).get(_CHARSMAP, b""),
        collapses_marker=normalize("a▁ b") == normalize("a b"),
        composes=normalize("e\u0301") == normalize("é"),
        drops_controls=normalize(f"a{_CONTROL}b") == normalize("ab"),
    )


def _settings(proto: bytes, spec: int) -> dict[int, bytes]:
    specs = b"".join(content for number, content in read_fields(proto) if number == spec)
    return dict(read_fields(specs))


def _check(proto: bytes, pieces: Sequence[Piece]) -> None:
    trainer, normalizer = _settings(proto, _TRAINER_SPEC), _settings(proto, _NORMALIZER_SPEC)
    kinds = {piece.kind for piece in pieces}
    single = [piece.text for piece in pieces if piece.kind == PieceKind.CONTROL and len(piece.text) == 1]
    wrong = {
        "a model_type other than unigram, such as BPE": not is_unigram(proto),
        "byte_fallback=True": _is_set(trainer, _BYTE_FALLBACK, False) or PieceKind.BYTE in kinds,
        "treat_whitespace_as_suffix=True": _is_set(trainer, _BLANK_AS_SUFFIX, False),
        "add_dummy_prefix=False": not _is_set(normalizer, _DUMMY_PREFIX, True),
        "remove_extra_whitespaces=False": not _is_set(normalizer, _ONE_BLANK, True),
        "escape_whitespaces=False": not _is_set(normalizer, _ESCAPED_BLANK, True),
        "pieces of the kind UNUSED": PieceKind.UNUSED in kinds,
        f"{single[:1]} as a control symbol": bool(single),
    }
    received = [setting for setting, is_there in wrong.items() if is_there]
    if received:
        raise ValueError(
            "Expected a SentencePiece model with the settings of ALBERT's, which a `tokenizer.json` can say. Received: "
            f"{', '.join(received)}. Keep the `.model` file itself (`tokenizer.save_assets`) beside the weights, or "
            "train a vocabulary with `train_vocabulary`."
        )


def _is_set(settings: dict[int, bytes], number: int, default: bool) -> bool:
    return bool(to_number(settings[number])) if number in settings else default

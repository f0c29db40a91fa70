"""From the names in a Hugging Face checkpoint to the weight table's: prefixes, older spellings, tied copies."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from keras_albert.checkpoints.mismatch import CheckpointMismatchError
from keras_albert.checkpoints.translated_reader import Source
from keras_albert.checkpoints.variable_readers import VariableReader
from keras_albert.checkpoints.weight_row import WeightRow

TIED, POSITIONS = "a copy of a tied weight", "numbers of positions, no weight"
IDENTITY = "a projection that changes nothing"

_WORDS, _BIAS = "albert.embeddings.word_embeddings.weight", "predictions.bias"
_DECODER, _DECODER_BIAS = "predictions.decoder.weight", "predictions.decoder.bias"
_PROJECTION = "albert.encoder.embedding_hidden_mapping_in"
_BARE = ("embeddings.", "encoder.", "pooler.")
# Written by transformers of before 2020.
_OLD_LAYER_NORM = re.compile(r"(LayerNorm|layer_norm)\.(gamma|beta)$")


@dataclass
class Translation:
    """What serves each of Google's names.

    Args:
        sources: For each weight of the table that is there, where.
        spelling: For each weight of the table, its name in this checkpoint.
        skipped: Stored names that are left out, with the reason.
    """

    sources: dict[str, Source] = field(default_factory=dict)
    spelling: dict[str, str] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)


def translate(reader: VariableReader, rows: Sequence[WeightRow], origin: str, has_projection: bool) -> Translation:
    """Finds the weights of the table in a checkpoint.

    Args:
        reader: The checkpoint.
        rows: The weight table, with one of the heads that Hugging Face calls `classifier`.
        origin: The checkpoint's name, for errors.
        has_projection: Whether the configuration's embedding is projected; Hugging Face's always is.

    Returns:
        Where everything is.

    Raises:
        CheckpointMismatchError: If a copy of a tied weight differs from it, or if a projection changes something where
            the configuration has none.
        ValueError: If two stored names mean one weight.
    """
    stored = _usual_names(reader.shapes, origin)
    translation = Translation()
    for name, own in stored.items():
        if name.endswith((".position_ids", ".token_type_ids")):
            translation.skipped[own] = POSITIONS
    _settle_decoder(reader, stored, translation, origin)
    if not has_projection:
        _settle_projection(reader, stored, translation, origin)
    prefix = "" if any(name.startswith("albert.") for name in reader.shapes) else "albert."
    for row in rows:
        if row.hugging_face is None:
            continue
        translation.spelling[row.google] = row.hugging_face.removeprefix(prefix)
        if row.hugging_face in stored:
            translation.sources[row.google] = Source(stored[row.hugging_face], row.is_turned)
    return translation


def _usual_names(names: Sequence[str] | dict[str, tuple[int, ...]], origin: str) -> dict[str, str]:
    """Maps each name as today's transformers write it, in a model with a head, to the stored one."""
    stored: dict[str, str] = {}
    for own in names:
        name = own.removeprefix("module.")  # left by DataParallel
        name = _OLD_LAYER_NORM.sub(lambda found: f"{found[1]}.{'weight' if found[2] == 'gamma' else 'bias'}", name)
        name = f"albert.{name}" if name.startswith(_BARE) else name
        if name in stored:
            raise ValueError(f"Expected one array for {name} in {origin}. Received: {stored[name]} and {own}")
        stored[name] = own
    return stored


def _settle_decoder(reader: VariableReader, stored: dict[str, str], translation: Translation, origin: str) -> None:
    """The decoder is the token table and its bias that of the head; files may hold either of them twice."""
    if _DECODER_BIAS in stored and _BIAS not in stored:
        stored[_BIAS] = stored.pop(_DECODER_BIAS)
    for copy, original in ((_DECODER, _WORDS), (_DECODER_BIAS, _BIAS)):
        if copy in stored and original in stored:
            if not np.array_equal(reader.read(stored[copy]), reader.read(stored[original])):
                hint = f"{copy} and {original}, one weight in ALBERT, hold different values: it was trained untied."
                raise CheckpointMismatchError(origin, unexpected=[stored[copy]], hints=[hint])
            translation.skipped[stored[copy]] = TIED


def _settle_projection(reader: VariableReader, stored: dict[str, str], translation: Translation, origin: str) -> None:
    names = [stored.get(f"{_PROJECTION}.{kind}") for kind in ("weight", "bias")]
    if names[0] is None or names[1] is None:
        return
    kernel, bias = (reader.read(name) for name in names if name is not None)
    if not (np.array_equal(kernel, np.eye(len(kernel))) and not bias.any()):
        hint = (
            "'embedding_size' equals 'hidden_size', where Google's ALBERT has no projection; this one was trained with "
            "its own, which no model here can hold."
        )
        raise CheckpointMismatchError(origin, unexpected=[name for name in names if name is not None], hints=[hint])
    translation.skipped |= {name: IDENTITY for name in names if name is not None}

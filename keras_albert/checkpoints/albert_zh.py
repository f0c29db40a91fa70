"""The layout of albert_zh's own code, which precedes Google's release: other names, and a projection without a bias.

brightmart/albert_zh `modeling.py`. Words are projected from E to H before positions and segments, of width H, are
added; so is the way back in the masked LM head. Folding the projection into the table gives Google's model with E = H,
which computes the same.
"""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np

from keras_albert.checkpoints.google_checkpoint import GoogleCheckpoint
from keras_albert.checkpoints.google_config import GoogleConfig
from keras_albert.checkpoints.translated_reader import Source, TranslatedReader
from keras_albert.checkpoints.variable_readers import VariableReader, open_reader
from keras_albert.checkpoints.weight_table import table_for

_TABLE, _PROJECTION = "bert/embeddings/word_embeddings", "bert/embeddings/word_embeddings_2"
_GROUP, _SHARED = "bert/encoder/transformer/group_0/inner_group_0/", "bert/encoder/layer_shared/"
# Longest first: one is the beginning of another.
_PLACES = {
    "attention_1/self/": "attention/self/",
    "attention_1/output/": "attention/output/",
    "ffn_1/intermediate/output/": "output/",
    "ffn_1/intermediate/": "intermediate/",
    "LayerNorm_1/": "output/LayerNorm/",
    "LayerNorm/": "attention/output/LayerNorm/",
}


def is_albert_zh(names: Iterable[str]) -> bool:
    """Whether variables have albert_zh's own names."""
    return any(name.startswith((_PROJECTION, _SHARED)) for name in names)


def open_albert_zh(path: Path, config: GoogleConfig) -> tuple[GoogleConfig, GoogleCheckpoint, tuple[str, ...]]:
    """Opens a checkpoint of albert_zh's own layout.

    Args:
        path: The checkpoint.
        config: Its configuration, as it was read.

    Returns:
        The configuration with E = H, the checkpoint under Google's names, and what was decided.

    Raises:
        ValueError: If the model normalizes before its blocks, or if it has several groups.
    """
    order = config.unknown.get("ln_type", "postln")
    if order != "postln":
        raise ValueError(
            f"{path} normalizes before its blocks, which ALBERT does not: no model here computes the same. "
            f"Received: ln_type={order!r}"
        )
    if config.backbone["num_groups"] * config.backbone["num_inner_repetitions"] != 1:
        raise ValueError(f"Expected one group with one block: {path} has one shared layer. Received: {config.backbone}")
    unknown = {key: value for key, value in config.unknown.items() if key != "ln_type"}
    backbone = config.backbone | {"embedding_dim": config.backbone["hidden_dim"]}
    path, reader = open_reader(path)
    rows = table_for(backbone)
    spelling = {row.google: _own_name(row.google) for row in rows}
    sources = {google: Source(name) for google, name in spelling.items() if name in reader.shapes}
    folded: VariableReader = _Folded(reader) if _PROJECTION in reader.shapes and _TABLE in reader.shapes else reader
    skipped = {_PROJECTION: "folded into the token table"} if folded is not reader else {}
    note = (
        f"embedding_dim {backbone['embedding_dim']}: albert_zh's own layout projects words before positions are added, "
        "so the projection is folded into the token table"
    )
    checkpoint = GoogleCheckpoint(path, TranslatedReader(folded, sources, spelling, skipped))
    return replace(config, backbone=backbone, unknown=unknown), checkpoint, (note,)


def _own_name(google: str) -> str:
    if not google.startswith(_GROUP):
        return google
    rest = google.removeprefix(_GROUP)
    place = next(place for place in _PLACES if rest.startswith(place))
    return _SHARED + _PLACES[place] + rest.removeprefix(place)


class _Folded:
    """A checkpoint whose token table is already projected."""

    def __init__(self, reader: VariableReader) -> None:
        self._reader = reader
        self.skipped = reader.skipped
        self.shapes = reader.shapes | {_TABLE: (reader.shapes[_TABLE][0], reader.shapes[_PROJECTION][-1])}

    def read(self, name: str) -> np.ndarray:
        if name != _TABLE:
            return self._reader.read(name)
        return np.matmul(self._reader.read(_TABLE), self._reader.read(_PROJECTION))

    def spelled(self, name: str) -> str:
        return name

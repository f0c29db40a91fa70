"""Comparing the variables of a checkpoint with the weight table, before anything is read or assigned."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from keras_albert.checkpoints.foreign_layouts import foreign_layout, unshared_layer_norms
from keras_albert.checkpoints.google_checkpoint import GoogleCheckpoint
from keras_albert.checkpoints.mismatch import CheckpointMismatchError, ShapeMismatch, hints_for
from keras_albert.checkpoints.weight_row import WeightRow
from keras_albert.checkpoints.weight_table import PARTS, table_for

# What stands in these scopes belongs to the model: a name there that the table lacks is an error, anywhere else it is
# another task's head.
_MODEL_SCOPES = (
    "bert/",
    "cls/predictions/",
    "cls/seq_relationship/",
    "cls/squad/",
    "start_logits/",
    "end_logits/",
    "answer_class/",
    # Those of other layouts: what stands there under its own name has no row in the table.
    "albert.",
    "predictions.",
    "sop_classifier.",
    "classifier.",
    "qa_outputs.",
)
_POOLER = ("bert/pooler/dense/kernel", "bert/pooler/dense/bias")


@dataclass(frozen=True)
class Match:
    """How a checkpoint covers the weight table.

    Args:
        rows: For each part that is wholly there, its rows.
        num_classes: The width of the classifier or tag head; `None` without one.
        unmapped: Names that no row claims, such as the heads of other tasks.
        repeated: Stored names of layer norms that were not shared and yet hold the same values.
    """

    rows: dict[str, list[WeightRow]]
    num_classes: int | None
    unmapped: tuple[str, ...]
    repeated: tuple[str, ...]


def match_checkpoint(
    checkpoint: GoogleCheckpoint, backbone_config: Mapping[str, Any], needs_pooler: bool = True
) -> Match:
    """Checks that a checkpoint holds the whole backbone and only whole heads, in the shapes of the configuration.

    Args:
        checkpoint: The checkpoint.
        backbone_config: Constructor arguments of the backbone.
        needs_pooler: Whether the pooler must be there; some of Hugging Face's models have none.

    Returns:
        What is there.

    Raises:
        CheckpointMismatchError: If a variable is missing, unexpected or of another shape; all are listed together. If
            no variable of the backbone is there, or if layers that ought to share have layer norms of their own.
    """
    names = checkpoint.names
    table = table_for(backbone_config)
    if not needs_pooler and not any(name in names for name in _POOLER):
        table = [row for row in table if row.google not in _POOLER]
    if not any(row.google in names for row in table if row.part == "backbone"):
        raise _no_backbone(checkpoint)
    repeated = _repeated_layer_norms(checkpoint)
    by_part = {part: [row for row in table if row.part == part] for part in PARTS}
    present = {
        part: rows for part, rows in by_part.items() if part == "backbone" or any(row.google in names for row in rows)
    }
    rows = [row for part_rows in present.values() for row in part_rows]
    num_classes = _num_classes(checkpoint, present)
    others = set(names) - {row.google for row in rows}
    unexpected = sorted(name for name in others if name.startswith(_MODEL_SCOPES))
    missing = [checkpoint.spelled(row.google) for row in rows if row.google not in names]
    wrongly_shaped = _wrongly_shaped(checkpoint, rows, {**backbone_config, "num_classes": num_classes or 1})
    if missing or unexpected or wrongly_shaped:
        layout = None if checkpoint.is_translated else foreign_layout(names)
        hints = [layout] if layout else hints_for(backbone_config, names, wrongly_shaped)
        raise CheckpointMismatchError(checkpoint.path, missing, unexpected, wrongly_shaped, hints)
    return Match(present, num_classes, tuple(sorted(others)), repeated)


def _wrongly_shaped(
    checkpoint: GoogleCheckpoint, rows: Sequence[WeightRow], sizes: Mapping[str, Any]
) -> list[ShapeMismatch]:
    names = set(checkpoint.names)
    return [
        ShapeMismatch(row, row.google_shape(sizes), checkpoint.shape(row.google), checkpoint.spelled(row.google))
        for row in rows
        if row.google in names and checkpoint.shape(row.google) != row.google_shape(sizes)
    ]


def _num_classes(checkpoint: GoogleCheckpoint, present: Mapping[str, Any]) -> int | None:
    """The width of a classifier's head, whose variables both have it first, or of a tag head."""
    if "classifier_head" in present:
        name = next(name for name in ("output_weights", "output_bias") if name in checkpoint.names)
        return (checkpoint.shape(name) or (1,))[0]
    if "tag_head" in present:
        name = next(name for name in ("tag_head/bias", "tag_head/kernel") if name in checkpoint.names)
        return (checkpoint.shape(name) or (1,))[-1]
    return None


def _no_backbone(checkpoint: GoogleCheckpoint) -> CheckpointMismatchError:
    names = checkpoint.names
    first = ", ".join(names[:5]) if names else "none"
    if checkpoint.is_translated:
        hint = f"no weight of ALBERT's encoder is there under the name it has in this layout; the first names: {first}."
        return CheckpointMismatchError(checkpoint.path, hints=[hint])
    hints = [
        foreign_layout(names) or "not Google's layout: no variable of the backbone is there under the name it has.",
        f"Google's names start with bert/embeddings/ and bert/encoder/; the first names here: {first}.",
    ]
    return CheckpointMismatchError(checkpoint.path, hints=hints)


def _repeated_layer_norms(checkpoint: GoogleCheckpoint) -> tuple[str, ...]:
    """Stored names beyond the first of each shared weight, once all are seen to hold the same values."""
    repeated: list[str] = []
    for name in checkpoint.names:
        sources = checkpoint.sources(name)
        if not checkpoint.is_shared(name):
            raise CheckpointMismatchError(checkpoint.path, unexpected=sources, hints=[unshared_layer_norms(sources)])
        repeated += sources[1:]
    return tuple(repeated)

"""Opening a Hugging Face directory as a release, whose weights are read under Google's names."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from keras_albert.checkpoints.google_checkpoint import GoogleCheckpoint
from keras_albert.checkpoints.hugging_face.config import HuggingFaceConfig, read_hugging_face_config
from keras_albert.checkpoints.hugging_face.files import find_hugging_face_files, open_weights
from keras_albert.checkpoints.hugging_face.names import translate
from keras_albert.checkpoints.matching import Match, match_checkpoint
from keras_albert.checkpoints.release import Release
from keras_albert.checkpoints.task_head import TaskHead
from keras_albert.checkpoints.translated_reader import TranslatedReader
from keras_albert.checkpoints.weight_table import table_for

_WITHOUT_POOLER = ("masked_lm_head", "tag_head", "span_head")


def open_hugging_face(folder: str | Path) -> Release:
    """Opens a directory that transformers' `save_pretrained` wrote; arrays are read when they are assigned.

    Args:
        folder: The directory: `config.json` with `model.safetensors` or `pytorch_model.bin`, whole or in shards.

    Returns:
        The release.

    Raises:
        FileNotFoundError: If a file is missing.
        ImportError: If the weights are PyTorch's and PyTorch is not installed.
        ValueError: If a file is damaged, or if the configuration is not usable or not an ALBERT's.
        CheckpointMismatchError: If the weights do not fit the configuration.
    """
    files = find_hugging_face_files(folder)
    config = read_hugging_face_config(files.config)
    weights = open_weights(files.weights)
    head, notes = _head(config, weights.shapes)
    has_projection = config.backbone["embedding_dim"] != config.backbone["hidden_dim"]
    # Of the two heads that have one name there, the other is not in the table.
    other = "classifier_head" if head is not None and head.name == "tag_head" else "tag_head"
    rows = [row for row in table_for(config.backbone) if row.part != other]
    translation = translate(weights, rows, str(files.weights), has_projection)
    reader = TranslatedReader(weights, translation.sources, translation.spelling, translation.skipped)
    checkpoint = GoogleCheckpoint(files.weights, reader)
    needs_pooler = head is None or head.name not in _WITHOUT_POOLER
    match = match_checkpoint(checkpoint, config.backbone, needs_pooler)
    head, more = _with_names(head, match)
    return Release(
        origin=str(folder),
        backbone_config=config.backbone,
        unknown_config=config.unknown,
        defaulted_config=config.defaulted,
        config_path=files.config,
        vocabulary_path=files.tokenizer,
        checkpoint=checkpoint,
        match=match,
        layout="Hugging Face",
        head=head,
        notes=(*config.notes, *notes, *more),
    )


def _head(config: HuggingFaceConfig, names: Iterable[str]) -> tuple[TaskHead | None, list[str]]:
    """The head, found from the weights where the configuration names no class."""
    if config.names_architecture or config.head is None:
        return config.head, []
    names = {name.removeprefix("module.") for name in names}
    has_pooler = any(name.endswith("pooler.weight") for name in names)
    found = next(
        (
            head
            for mark, head in (
                ("sop_classifier.", "sentence_order_head"),
                ("predictions.", "masked_lm_head"),
                ("qa_outputs.", "span_head"),
                ("classifier.", config.head.name if has_pooler else "tag_head"),
            )
            if any(name.startswith(mark) for name in names)
        ),
        None,
    )
    if found is None:
        return None, []
    note = f"{found}: the configuration names no class of transformers, so its head was found by the weights' names"
    has_names = found in ("classifier_head", "regressor_head", "tag_head")
    return replace(config.head, name=found, class_names=config.head.class_names if has_names else None), [note]


def _with_names(head: TaskHead | None, match: Match) -> tuple[TaskHead | None, list[str]]:
    """Drops names that are not as many as the classes; a regressor is one by its width."""
    if head is None or match.num_classes is None:
        return head, []
    notes = []
    if head.name == "regressor_head" and match.num_classes != 1:
        notes.append(f"classifier_head: 'problem_type' is regression, but the head has {match.num_classes} outputs")
        head = replace(head, name="classifier_head")
    elif head.name == "classifier_head" and match.num_classes == 1 and not head.is_multi_label:
        notes.append("regressor_head: one output, and 'problem_type' says nothing else")
        head = replace(head, name="regressor_head")
    if head.class_names is not None and len(head.class_names) != match.num_classes:
        names = ", ".join(head.class_names[:5])
        notes.append(
            f"class_names left out: 'id2label' has {len(head.class_names)} ({names}), the weights {match.num_classes}"
        )
        head = replace(head, class_names=None)
    return head, notes

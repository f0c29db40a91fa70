"""Writing a directory in Keras's preset layout, which `from_preset` loads under every backend."""

from pathlib import Path
from typing import Any

import keras_hub

from keras_albert import tasks
from keras_albert.backbone import AlbertBackbone
from keras_albert.checkpoints import Release
from keras_albert.presets.output_folder import check_space, writing
from keras_albert.tasks.loading import from_release
from keras_albert.text import tokenizer_from_release

TASK_OF = {
    "classifier_head": tasks.AlbertClassifier,
    "regressor_head": tasks.AlbertRegressor,
    "choice_head": tasks.AlbertMultipleChoice,
    "tag_head": tasks.AlbertTokenClassifier,
    "span_head": tasks.AlbertQuestionAnswerer,
    "sentence_order_head": tasks.AlbertPretrainer,
    "masked_lm_head": tasks.AlbertMaskedLM,
}
# Where the origin does not say what it is for.
_BY_HEADS = (
    tasks.AlbertClassifier,
    tasks.AlbertPretrainer,
    tasks.AlbertMaskedLM,
)


def task_class_of(release: Release) -> type[keras_hub.models.Task] | None:
    """Return the class that a release is written by; None for a bare backbone.

    That is the task that the origin was saved for, where it says so. Else it is an `AlbertClassifier`, an
    `AlbertPretrainer`, an `AlbertMaskedLM` or an `AlbertQuestionAnswerer` by the heads that are there.
    """
    if release.head is not None and release.part_for(release.head.name) is not None:
        found = TASK_OF[release.head.name]
        if found is not tasks.AlbertPretrainer or release.heads.issuperset(found.head_names):
            return found
    for task_class in _BY_HEADS:
        if release.heads.issuperset(task_class.head_names):
            return task_class
    return tasks.AlbertQuestionAnswerer if release.heads & {"span_head", "verifier_head"} else None


def heads_of(release: Release, task: Any) -> dict[str, str]:
    """Return for each head of a task that the release holds its part of the weight table."""
    parts = {name: release.part_for(name) for name in task.head_names}
    return {name: part for name, part in parts.items() if part is not None and hasattr(task, name)}


def write(
    release: Release,
    task_class: type[keras_hub.models.Task] | None,
    dtype: str,
    folder: Path,
    destination: str | Path,
) -> None:
    """Write the preset.

    Args:
        release: the model.
        task_class: as `task_class_of` gives it.
        dtype: what to store the weights in.
        folder: an empty folder.
        destination: the folder that the user asked for.

    Raises:
        OutputError: the disk is full.
    """
    if task_class is not None:
        no_preprocessor: dict[str, Any] = {} if release.vocabulary_path is not None else {"preprocessor": None}
        task = from_release(task_class, release, dtype=dtype, **no_preprocessor)
        check_space(task, folder, destination)
        with writing(destination):
            task.save_to_preset(str(folder))
        return
    backbone = AlbertBackbone.from_release(release, dtype=dtype)
    check_space(backbone, folder, destination)
    with writing(destination):
        backbone.save_to_preset(str(folder))
        if release.vocabulary_path is not None:
            tokenizer_from_release(release).save_to_preset(str(folder))

"""Loading a task: backbone, preprocessor, and those of its heads that the preset holds.

Functions, which each task takes as its methods; `keras_albert.tasks.raw_text` says why they are no base class.
"""

import os
import warnings
from typing import Any

import keras
import keras_hub

from keras_albert.backbone import AlbertBackbone
from keras_albert.checkpoints import Release
from keras_albert.presets import is_mixed_precision, resolve, stored_task
from keras_albert.tasks import unused_pooler
from keras_albert.tasks.preprocessor import AlbertPreprocessor


def check_fit(backbone: AlbertBackbone, preprocessor: Any) -> None:
    """Check that a preprocessor's ids and lengths fit a backbone.

    Raises:
        ValueError: the tokenizer has ids that the backbone lacks, or rows can be longer than its positions.
    """
    # A tokenizer that is being loaded has no vocabulary before its assets are read.
    if not isinstance(preprocessor, AlbertPreprocessor) or preprocessor.tokenizer.pad_token_id is None:
        return
    size = preprocessor.tokenizer.vocabulary_size()
    if size > backbone.vocabulary_size:
        raise ValueError(
            f"The tokenizer has {size:,} ids, the backbone an embedding for {backbone.vocabulary_size:,}. "
            "Load both from the same preset."
        )
    if preprocessor.longest_row > backbone.max_sequence_length:
        raise ValueError(
            f"The preprocessor makes rows of up to {preprocessor.longest_row} tokens, the backbone has "
            f"{backbone.max_sequence_length} positions. Pass max_sequence_length={backbone.max_sequence_length} to "
            "the preprocessor."
        )


def from_preset(
    cls: type[keras_hub.models.Task], preset: str | os.PathLike[str], load_weights: bool = True, **kwargs: Any
) -> keras_hub.models.Task:
    """Load a task from a preset.

    Args:
        cls: the task's class.
        preset: a name (`presets`), a directory in Keras's preset layout or in Hugging Face's, a Google release
            (directory, `.tar.gz` or checkpoint prefix), or a `hf://` or `kaggle://` handle.
        load_weights: False keeps random initial weights.
        **kwargs: the task's constructor arguments; `dtype` for the backbone, `backbone` or `preprocessor` to use
            instead of the stored ones.

    Raises:
        ValueError: an unknown preset, or a checkpoint that doesn't fit its configuration.
    """
    source = resolve(preset)
    if "num_classes" in kwargs:
        kwargs.setdefault("class_names", None)  # the stored names are those of other classes
    if isinstance(source, Release):
        return from_release(cls, source, load_weights, **kwargs)
    stored_cls = _stored_class(source)
    # Without a task of this class in the preset, keras_hub hands a dtype beside a backbone to the constructor.
    takes_dtype = "backbone" not in kwargs or issubclass(stored_cls, cls)
    if takes_dtype and kwargs.get("dtype") is None and is_mixed_precision(source):
        kwargs["dtype"] = keras.config.dtype_policy()
    task = keras_hub.models.Task.from_preset.__func__(cls, source, load_weights=load_weights, **kwargs)
    check_fit(task.backbone, task.preprocessor)
    if load_weights:
        _restore_heads_of_another_task(task, source, stored_cls, kwargs)
    return task


def _stored_class(source: str) -> type:
    """Return the class of the task that the preset was saved by; `object` if it was saved by none."""
    name = stored_task(source)
    return object if name is None else keras.saving.get_registered_object(name) or object


def from_release(
    cls: type[keras_hub.models.Task], release: Release, load_weights: bool = True, dtype: Any = None, **kwargs: Any
) -> keras_hub.models.Task:
    """Load a task from a release that is open already; otherwise as `from_preset`."""
    given = _heads_given_by(cls, kwargs)
    if "backbone" not in kwargs:
        kwargs["backbone"] = AlbertBackbone.from_release(release, load_weights, dtype=dtype)
    if "preprocessor" not in kwargs:
        kwargs["preprocessor"] = cls.preprocessor_cls.from_release(release)
    for name, value in ({} if given else _options(cls, release)).items():
        kwargs.setdefault(name, value)
    task = cls(**kwargs)
    if load_weights:
        parts = {name: release.part_for(name) for name in task.head_names if name not in given}
        for name, part in parts.items():
            if part is not None:
                release.assign(part, getattr(task, name))
        new = [name for name, part in parts.items() if part is None]
        _warn_of_new_heads(task, new + ([] if release.has_pooler or not _uses_pooler(task) else ["the pooler"]))
    return task


def _options(cls: type[keras_hub.models.Task], release: Release) -> dict[str, Any]:
    """Return constructor arguments of a task that its release knows: widths, names, dropout."""
    options: dict[str, Any] = {}
    names = cls.head_names
    head = release.head if release.head is not None and release.head.name in names else None
    if "classifier_head" in names and release.part_for("classifier_head") is not None:
        options["num_classes"] = release.num_classes
    if "tag_head" in names and release.num_classes is not None and head is not None:
        options["tags"] = head.class_names or [f"LABEL_{number}" for number in range(release.num_classes)]
    if "verifier_head" in names and "verifier_head" in release.heads:
        options["head"] = "verifier"
    if head is not None and "classifier_head" in names:
        options |= {"class_names": head.class_names, "multi_label": head.is_multi_label}
    if head is not None and head.dropout is not None and head.name in _DROPOUTS:
        options[_DROPOUTS[head.name]] = head.dropout
    if head is not None and head.layer_norm_epsilon is not None:
        options["head_layer_norm_epsilon"] = head.layer_norm_epsilon
    return options


_DROPOUTS = {
    "classifier_head": "classifier_dropout",
    "regressor_head": "regressor_dropout",
    "choice_head": "choice_dropout",
    "tag_head": "tag_dropout",
}


def _uses_pooler(task: keras_hub.models.Task) -> bool:
    return type(task).trainable_variables is not unused_pooler.trainable_variables


def _heads_given_by(cls: type[keras_hub.models.Task], kwargs: dict[str, Any]) -> set[str]:
    """Return the heads whose shape the caller decides: as in keras_hub, who passes `num_classes` wants a new one."""
    deciding = {"classifier_head": {"num_classes", "class_names"}, "tag_head": {"tags"}}
    return {name for name in cls.head_names if kwargs.keys() & deciding.get(name, set())}


def _restore_heads_of_another_task(
    task: keras_hub.models.Task, source: str, stored_cls: type, kwargs: dict[str, Any]
) -> None:
    """Copy heads out of a preset that was saved by another task, such as the MLM head of a pretrainer's."""
    if issubclass(stored_cls, type(task)):
        return  # keras_hub has loaded its weights
    missing = set(task.head_names) - _heads_given_by(type(task), kwargs)
    common = missing & set(getattr(stored_cls, "head_names", ()))
    if common:
        other = stored_cls.from_preset(source, preprocessor=None)  # type: ignore[attr-defined]  # it has heads: a task
        for name in common:
            getattr(task, name).set_weights(getattr(other, name).get_weights())
    _warn_of_new_heads(task, sorted(missing - common))


def _warn_of_new_heads(task: keras_hub.models.Task, names: list[str]) -> None:
    if names:
        warnings.warn(
            f"The preset holds no weights for {' and '.join(names)} of {type(task).__name__}: random until trained.",
            stacklevel=4,
        )

"""Describing a preset without building a model: what `keras-albert inspect` shows."""

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from keras_albert.checkpoints import Release
from keras_albert.presets.keras_preset import read_part
from keras_albert.presets.resolve import resolve


@dataclass(frozen=True)
class Description:
    """What is known of a preset from its files.

    Args:
        kind: `"Google release"`, `"Hugging Face release"`, `"keras_hub release"`, `"albert_zh release"` or
            `"Keras preset"`.
        origin: What the user named.
        configuration: Constructor arguments of the backbone.
        parameter_count: The number of weights: of the backbone in a release, of the whole model in a Keras preset.
        heads: For each head that is there, a few words on it.
        tokenizer: The kind of tokenizer or its class; `None` without a vocabulary.
        skipped: For each variable that is left out knowingly, the reason.
        unmapped: Variables that the package does not know.
        unknown_configuration: Keys of the configuration that the model does not obey.
        defaulted_configuration: Google's names of the keys that the configuration lacks.
        classes: In a Keras preset, the class of each part.
        decided: What was decided about a release where its origin leaves a choice, and why.
    """

    kind: str
    origin: str
    configuration: dict[str, Any]
    parameter_count: int | None
    heads: dict[str, str] = field(default_factory=dict)
    tokenizer: str | None = None
    skipped: dict[str, str] = field(default_factory=dict)
    unmapped: tuple[str, ...] = ()
    unknown_configuration: dict[str, Any] = field(default_factory=dict)
    defaulted_configuration: tuple[str, ...] = ()
    classes: dict[str, str] = field(default_factory=dict)
    decided: tuple[str, ...] = ()


def describe(preset: str | os.PathLike[str]) -> Description:
    """Describes a preset.

    Args:
        preset: What `resolve` takes, except for a handle; a name is downloaded at its first use.

    Returns:
        The description.

    Raises:
        ValueError: If the preset is a handle, or as `resolve`.
        OSError: As `resolve`.
    """
    resolved = resolve(preset)
    if isinstance(resolved, Release):
        return _describe_release(resolved)
    folder = Path(resolved)
    if not folder.is_dir():
        raise ValueError(
            f"Expected something on this machine or a name. Received: preset={preset!r}. Load it with from_preset, "
            "save it with save_to_preset, and inspect the folder."
        )
    return _describe_keras_preset(folder)


def _describe_release(release: Release) -> Description:
    words = {
        part: f"{release.parameter_count(part):,} weights"
        + (f", {release.num_classes} classes" if part == "classifier_head" else "")
        for part in sorted(release.heads)
    }
    summary = release.summary()
    return Description(
        kind=f"{release.layout} release",
        origin=release.origin,
        configuration=release.backbone_config,
        parameter_count=release.parameter_count(),
        heads=words,
        tokenizer=release.tokenizer,
        skipped=summary.skipped,
        unmapped=summary.unmapped,
        unknown_configuration=release.unknown_config,
        defaulted_configuration=release.defaulted_config,
        decided=(*_head_notes(release), *release.notes),
    )


def _head_notes(release: Release) -> list[str]:
    head = release.head
    if head is None:
        return []
    names = f" of {', '.join(head.class_names[:8])}" if head.class_names else ""
    return [f"{head.name}{names}: what the origin was saved for"]


def _describe_keras_preset(folder: Path) -> Description:
    files = ("config", "task", "preprocessor", "tokenizer", "metadata")
    contents = {name: read_part(folder, name) for name in files}
    classes = {name: _class_name(content) for name, content in contents.items() if content and name != "metadata"}
    task = classes.get("task")
    return Description(
        kind="Keras preset",
        origin=str(folder),
        configuration=contents["config"].get("config") or {},
        parameter_count=contents["metadata"].get("parameter_count"),
        heads={"task": task} if task else {},
        tokenizer=classes.get("tokenizer"),
        classes=classes,
    )


def _class_name(content: dict[str, Any]) -> str:
    return str(content.get("registered_name") or content.get("class_name") or "unknown")

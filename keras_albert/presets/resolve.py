"""From what a user passes as a preset to something loadable."""

import os
import shutil
import tempfile
import weakref
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from keras_albert.checkpoints import (
    REGISTERED,
    KerasHubFiles,
    Release,
    is_checkpoint,
    is_hugging_face,
    open_hugging_face,
    open_keras_hub,
    open_release,
)
from keras_albert.presets.archive import errors_naming, extract_archive
from keras_albert.presets.catalogue import PRESETS
from keras_albert.presets.handles import HANDLES, HUGGING_FACE, file_behind_handle, hugging_face_folder, part_of
from keras_albert.presets.keras_preset import read_part
from keras_albert.presets.store import stored_folder

_ARCHIVES = (".tar.gz", ".tgz")


def resolve(preset: str | os.PathLike[str]) -> Release | str:
    """Finds what a preset means.

    Args:
        preset: One of

            - a name of `PRESETS`, which is downloaded and converted at its first use (a folder of the same name in the
              working directory is reached by `./NAME` or a `Path`),
            - a directory in Keras's preset layout, keras_hub's own ALBERT included,
            - a Google release: its directory, its `.tar.gz`, or its checkpoint's prefix or one of its files,
            - a directory in Hugging Face's layout,
            - a handle with `hf://`, `kaggle://`, `modelscope://` or `gs://`.

    Returns:
        A `Release`, whose weights the package assigns itself; or a directory or handle for keras_hub's own loader.

    Raises:
        ValueError: If it is none of these; if a file is damaged, ambiguous or does not fit the others.
        FileNotFoundError: If a directory or checkpoint lacks a file.
        ImportError: If a TensorFlow 1 checkpoint is to be read and TensorFlow is not installed.
        DownloadError: If a named preset cannot be downloaded.
        CacheError: If the cache folder cannot be written to.
    """
    if isinstance(preset, str):
        if preset in PRESETS:
            return replace(open_release(stored_folder(PRESETS[preset])), origin=preset)
        if preset.startswith(HANDLES):
            return _handle(preset)
    if not isinstance(preset, str | os.PathLike) or not str(preset).strip():
        raise _unknown(preset)
    path = Path(preset).expanduser()
    if path.is_dir():
        return _directory(path)
    if path.is_file() and path.name.lower().endswith(_ARCHIVES):
        return replace(_archive(path), origin=str(preset))
    if is_checkpoint(path):
        return replace(open_release(path), origin=str(preset))
    raise _unknown(preset)


def _directory(path: Path) -> Release | str:
    config = read_part(path, "config")
    if config.get("registered_name") == REGISTERED:
        return _keras_hub(str(path), config)
    if "registered_name" in config:
        return str(path)
    if is_hugging_face(path) and not (path / "albert_config.json").is_file():
        return open_hugging_face(path)
    return open_release(path)


def _handle(handle: str) -> Release | str:
    config = part_of(handle, "config")
    if config.get("registered_name") == REGISTERED:
        return _keras_hub(handle, config)
    if handle.startswith(HUGGING_FACE) and "model_type" in config and "registered_name" not in config:
        return replace(open_hugging_face(hugging_face_folder(handle)), origin=handle)
    return handle


def _keras_hub(source: str, config: dict[str, Any]) -> Release:
    folder = Path(source)
    is_here = folder.is_dir()
    paths = {
        name: folder / name if is_here else file_behind_handle(source, name)
        for name in ("config.json", "assets/tokenizer/vocabulary.spm")
    }
    config_path, vocabulary = paths.values()
    return open_keras_hub(
        KerasHubFiles(
            source=source,
            config=config,
            task=part_of(source, "task"),
            config_path=config_path or folder,
            vocabulary=vocabulary if vocabulary is not None and vocabulary.is_file() else None,
        )
    )


def _archive(path: Path) -> Release:
    """Opens an archive; its unpacked files stay as long as its checkpoint, which the release holds."""
    folder = Path(tempfile.mkdtemp(prefix="keras_albert-"))
    try:
        extract_archive(path, folder / "release")
        with errors_naming(path, folder / "release"):
            release = open_release(folder / "release")
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    weakref.finalize(release.checkpoint, shutil.rmtree, folder, ignore_errors=True)
    return release


def _names() -> str:
    return ", ".join(PRESETS)


def _unknown(preset: Any) -> ValueError:
    near = get_close_matches(str(preset), PRESETS, n=3)
    suggestion = f"Did you mean {' or '.join(repr(name) for name in near)}? " if near else ""
    return ValueError(
        f"Expected a preset's name, or a directory, archive or checkpoint that is there. Received: preset={preset!r}. "
        f"{suggestion}A preset is one of the names {_names()}; a directory in Keras's preset layout; a Google release "
        "(its directory, its .tar.gz, or its checkpoint's prefix); a directory in Hugging Face's layout; or a handle "
        f"that starts with {', '.join(HANDLES)}."
    )

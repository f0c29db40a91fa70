"""Handles of presets on a host, and reading single files behind them by the host's client library.

keras_hub's loader uses the same libraries and caches, so that a file is fetched once.
"""

import atexit
import shutil
import tempfile
from pathlib import Path
from typing import Any

from keras_albert.presets.keras_preset import parse_part, read_part

HUGGING_FACE, KAGGLE, MODELSCOPE, GOOGLE_STORAGE = "hf://", "kaggle://", "modelscope://", "gs://"
HANDLES = (HUGGING_FACE, KAGGLE, MODELSCOPE, GOOGLE_STORAGE)
MIXED_POLICIES = {"mixed_float16", "mixed_bfloat16"}
_SMALL_FILES = ("config.json", "tokenizer.json", "tokenizer_config.json", "spiece.model", "vocab.txt")


def stored_task(source: str) -> str | None:
    """Tells which task a preset in Keras's layout was saved by.

    Args:
        source: A directory or a handle, as `resolve` returns it.

    Returns:
        The registered name of its class; `None` if no task was saved.

    Raises:
        ValueError: If the preset's `task.json` is not JSON, or if the source is neither directory nor handle.
        ImportError: If the client library of the handle's host is not installed.
    """
    return part_of(source, "task").get("registered_name")


def is_mixed_precision(source: str) -> bool:
    """Tells whether a preset in Keras's layout was saved under mixed precision.

    keras_hub's loader, which takes the policy's name for a tensor's dtype, raises on such a preset unless a dtype is
    given.

    Args:
        source: A directory or a handle, as `resolve` returns it.

    Raises:
        ValueError: If the preset's `config.json` is not JSON, or if the source is neither directory nor handle.
        ImportError: If the client library of the handle's host is not installed.
    """
    policy = part_of(source, "config").get("config", {}).get("dtype")
    return isinstance(policy, dict) and policy.get("config", {}).get("name") in MIXED_POLICIES


def part_of(source: str, name: str) -> dict[str, Any]:
    """Reads one of a preset's JSON files, as `read_part`, from a directory or behind a handle."""
    if Path(source).is_dir():
        return read_part(Path(source), name)
    path = file_behind_handle(source, f"{name}.json")
    return {} if path is None else parse_part(path.read_bytes(), f"{source}/{name}.json")


def file_behind_handle(handle: str, name: str) -> Path | None:
    """Finds one file of a preset, which is fetched unless it is in its host's cache.

    Args:
        handle: A handle that starts with one of `HANDLES`.
        name: The file's name.

    Returns:
        Where it lies on this machine; `None` if the preset has no such file.

    Raises:
        ValueError: If it is no handle.
        ImportError: If the host's client library is not installed.
    """
    finders = {
        HUGGING_FACE: _from_hugging_face,
        KAGGLE: _from_kaggle,
        MODELSCOPE: _from_modelscope,
        GOOGLE_STORAGE: _from_google_storage,
    }
    scheme = next((scheme for scheme in HANDLES if handle.startswith(scheme)), None)
    if scheme is None:
        raise ValueError(
            f"Expected a directory, or a handle that starts with {', '.join(HANDLES)}. Received: handle={handle!r}"
        )
    return finders[scheme](handle.removeprefix(scheme).rstrip("/"), name)


def _from_hugging_face(repository: str, name: str) -> Path | None:
    from huggingface_hub import hf_hub_download
    from huggingface_hub.errors import EntryNotFoundError

    try:
        return Path(hf_hub_download(repo_id=repository, filename=name))
    except EntryNotFoundError:
        return None


def _from_kaggle(model: str, name: str) -> Path | None:
    import kagglehub
    from kagglehub.exceptions import KaggleApiHTTPError

    try:
        return Path(kagglehub.model_download(model, name))
    except (KaggleApiHTTPError, ValueError) as error:
        # The library has no exception of its own for a missing file.
        if "404 Client Error" in str(error) or "is not present in the model files" in str(error):
            return None
        raise


def _from_modelscope(model: str, name: str) -> Path | None:
    try:
        from modelscope.hub.snapshot_download import snapshot_download
    except ImportError as error:
        raise ImportError("A modelscope:// handle needs the package modelscope: pip install modelscope.") from error
    path = Path(snapshot_download(model)) / name
    return path if path.is_file() else None


def _from_google_storage(folder: str, name: str) -> Path | None:
    try:
        import tensorflow as tf
    except ImportError as error:
        raise ImportError("A gs:// handle needs TensorFlow: pip install keras-albert[tensorflow].") from error
    address = f"{GOOGLE_STORAGE}{folder}/{name}"
    if not tf.io.gfile.exists(address):
        return None
    copy = Path(tempfile.mkdtemp(prefix="keras_albert-")) / Path(name).name
    atexit.register(shutil.rmtree, copy.parent, ignore_errors=True)
    tf.io.gfile.copy(address, str(copy))
    return copy


def hugging_face_folder(handle: str) -> Path:
    """Fetches a repository in Hugging Face's own layout: configuration, weights and tokenizer, unless they are cached.

    Args:
        handle: `hf://owner/name`.

    Returns:
        The folder that they lie in.
    """
    from huggingface_hub import snapshot_download

    repository = handle.removeprefix(HUGGING_FACE).rstrip("/")
    # The same weights often lie there in several formats: one is enough.
    folder = Path(snapshot_download(repository, allow_patterns=[*_SMALL_FILES, "model*.safetensors*"]))
    if not any(folder.glob("model*.safetensors*")):
        folder = Path(snapshot_download(repository, allow_patterns=[*_SMALL_FILES, "pytorch_model*.bin*"]))
    return folder

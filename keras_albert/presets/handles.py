"""Handles of presets on a host, and reading single files behind them by the host's client library.

keras_hub's loader uses the same libraries and caches, so that a file is fetched once.
"""

from pathlib import Path
from typing import Any

from keras_albert.presets.keras_preset import parse_part, read_part

HUGGING_FACE, KAGGLE, MODELSCOPE, GOOGLE_STORAGE = "hf://", "kaggle://", "modelscope://", "gs://"
HANDLES = (HUGGING_FACE, KAGGLE, MODELSCOPE, GOOGLE_STORAGE)
MIXED_POLICIES = {"mixed_float16", "mixed_bfloat16"}


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
    return _part_of(source, "task").get("registered_name")


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
    policy = _part_of(source, "config").get("config", {}).get("dtype")
    return isinstance(policy, dict) and policy.get("config", {}).get("name") in MIXED_POLICIES


def _part_of(source: str, name: str) -> dict[str, Any]:
    if Path(source).is_dir():
        return read_part(Path(source), name)
    text = read_behind_handle(source, f"{name}.json")
    return {} if text is None else parse_part(text, f"{source}/{name}.json")


def read_behind_handle(handle: str, name: str) -> str | None:
    """Reads one text file of a preset, which is fetched unless it is in its host's cache.

    Args:
        handle: A handle that starts with one of `HANDLES`.
        name: The file's name.

    Returns:
        Its content; `None` if the preset has no such file.

    Raises:
        ValueError: If it is no handle.
        ImportError: If the host's client library is not installed.
    """
    readers = {
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
    return readers[scheme](handle.removeprefix(scheme).rstrip("/"), name)


def _from_hugging_face(repository: str, name: str) -> str | None:
    from huggingface_hub import hf_hub_download
    from huggingface_hub.errors import EntryNotFoundError

    try:
        return Path(hf_hub_download(repo_id=repository, filename=name)).read_text(encoding="utf-8")
    except EntryNotFoundError:
        return None


def _from_kaggle(model: str, name: str) -> str | None:
    import kagglehub
    from kagglehub.exceptions import KaggleApiHTTPError

    try:
        return Path(kagglehub.model_download(model, name)).read_text(encoding="utf-8")
    except (KaggleApiHTTPError, ValueError) as error:
        # The library has no exception of its own for a missing file.
        if "404 Client Error" in str(error) or "is not present in the model files" in str(error):
            return None
        raise


def _from_modelscope(model: str, name: str) -> str | None:
    try:
        from modelscope.hub.snapshot_download import snapshot_download
    except ImportError as error:
        raise ImportError("A modelscope:// handle needs the package modelscope: pip install modelscope.") from error
    path = Path(snapshot_download(model)) / name
    return path.read_text(encoding="utf-8") if path.is_file() else None


def _from_google_storage(folder: str, name: str) -> str | None:
    try:
        import tensorflow as tf
    except ImportError as error:
        raise ImportError("A gs:// handle needs TensorFlow: pip install keras-albert[tensorflow].") from error
    address = f"{GOOGLE_STORAGE}{folder}/{name}"
    if not tf.io.gfile.exists(address):
        return None
    with tf.io.gfile.GFile(address) as file:
        return str(file.read())

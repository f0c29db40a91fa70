"""Finding the one checkpoint that a path means, and checking that all of its files are there.

A TF1 checkpoint is a prefix: `PREFIX.index` and `PREFIX.data-XXXXX-of-NNNNN`, with a `PREFIX.meta` that nothing needs.
"""

import re
from collections.abc import Iterable
from pathlib import Path

SAFETENSORS_NAME = "google_variables.safetensors"

_SUFFIX = re.compile(r"\.(?:index|meta|data-\d{5}-of-\d{5})$")
_SHARD = re.compile(r"\.data-(\d{5})-of-(\d{5})$")
_ADVICE = (
    "Pass the prefix of a TensorFlow 1 checkpoint (such as model.ckpt-best), its .index file, a directory that holds "
    f"one checkpoint, or a {SAFETENSORS_NAME} written by this package."
)


def find_checkpoint(path: str | Path) -> Path:
    """Finds the checkpoint that a path means.

    Args:
        path: A prefix, any file of a checkpoint, a `.safetensors` file, or a directory with one checkpoint in it or in
            its `variables` folder (as TF-Hub lays it out). A `checkpoint` file, often missing or stale, is not read.

    Returns:
        The prefix, or the `.safetensors` file.

    Raises:
        FileNotFoundError: If nothing is there, or if a file of the checkpoint is missing.
        ValueError: If a directory holds several checkpoints.
    """
    path = Path(path)
    if path.is_dir():
        path = _only_checkpoint(path)
    if path.suffix == ".safetensors":
        if not path.is_file():
            raise FileNotFoundError(f"No file {path}. {listing(path.parent)} {_ADVICE}")
        return path
    prefix = path.with_name(_SUFFIX.sub("", path.name))
    _check_complete(prefix)
    return prefix


def checkpoints_in(folder: Path) -> list[Path]:
    """Every checkpoint directly in a folder: prefixes and the package's own file, sorted."""
    prefixes = {
        file.with_name(_SUFFIX.sub("", file.name))
        for file in _files(folder)
        if file.name.endswith(".index") or _SHARD.search(file.name)
    }
    stored = folder / SAFETENSORS_NAME
    return sorted(prefixes) + ([stored] if stored.is_file() else [])


def is_checkpoint(path: str | Path) -> bool:
    """Whether a path that is no directory means a checkpoint of which at least one file is there."""
    path = Path(path)
    if path.suffix == ".safetensors":
        return path.is_file()
    prefix = _SUFFIX.sub("", path.name)
    return any(_SUFFIX.search(file.name) and _SUFFIX.sub("", file.name) == prefix for file in _files(path.parent))


def data_shards(prefix: Path) -> list[Path]:
    """The data files of a checkpoint, in order."""
    return sorted(_shards(prefix).values())


def listing(folder: Path) -> str:
    """One sentence that names the files in a folder, for error messages."""
    if not folder.is_dir():
        return f"There is no directory {folder}."
    names = sorted(entry.name + ("/" if entry.is_dir() else "") for entry in folder.iterdir())
    shown = ", ".join(names[:20]) + (f" and {len(names) - 20} more" if len(names) > 20 else "")
    return f"Found in {folder}: {shown or 'nothing'}."


def _files(folder: Path) -> Iterable[Path]:
    if not folder.is_dir():
        return []
    # macOS archivers leave "._NAME" beside NAME.
    return [file for file in folder.iterdir() if file.is_file() and not file.name.startswith(".")]


def _only_checkpoint(folder: Path) -> Path:
    found = checkpoints_in(folder) or checkpoints_in(folder / "variables")
    if not found:
        raise FileNotFoundError(f"No checkpoint in {folder}. {listing(folder)} {_ADVICE}")
    if len(found) > 1:
        names = ", ".join(file.name for file in found)
        raise ValueError(
            f"Expected one checkpoint in {folder}. Received: {names}. Pass the prefix of the one you mean."
        )
    return found[0]


def _shards(prefix: Path) -> dict[tuple[int, int], Path]:
    """Maps (shard, number of shards) to the data files of a prefix."""
    found = {}
    for file in _files(prefix.parent):
        match = _SHARD.search(file.name)
        if match and file.name[: match.start()] == prefix.name:
            found[int(match[1]), int(match[2])] = file
    return found


def _check_complete(prefix: Path) -> None:
    index = prefix.with_name(f"{prefix.name}.index")
    shards = _shards(prefix)
    if not index.is_file():
        problem = (
            f"No checkpoint at {prefix}" if not shards else f"The checkpoint {prefix} lacks its index {index.name}"
        )
        raise FileNotFoundError(f"{problem}. {listing(prefix.parent)} {_ADVICE}")
    total = max((number for _, number in shards), default=1)
    missing = [
        f"{prefix.name}.data-{shard:05d}-of-{total:05d}" for shard in range(total) if (shard, total) not in shards
    ]
    if missing:
        raise FileNotFoundError(
            f"The checkpoint {prefix} lacks its data: {', '.join(missing)}. {listing(prefix.parent)} "
            "Copy the missing file beside the index; both belong to one checkpoint."
        )

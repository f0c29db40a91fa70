"""Where the files of a data set's splits are."""

from collections.abc import Mapping
from pathlib import Path

# For each split the names of its files or folders, the official one first.
Files = Mapping[str, tuple[str, ...]]


def files_of_splits(pattern: str) -> Files:
    """Return the files of "train", "dev" and "test" where their names differ in that word alone.

    Example:
        >>> files_of_splits("{}.tsv")["dev"]
        ('dev.tsv',)
    """
    return {split: (pattern.format(split),) for split in ("train", "dev", "test")}


def find_files(source: Path, title: str, files: Files, split: str, folder: str = "") -> list[Path]:
    """Return the files of a split that are there, in the order of their names.

    Args:
        source: the folder of the data set, the one above it, or a file, which is returned as it is.
        title: the data set's name, for messages.
        files: the names of each split's files.
        split: the split.
        folder: the name of the data set's own folder, which is looked into as well.

    Raises:
        FileNotFoundError: none of them is there; with their names, and with what is there.
        ValueError: the data set has no such split.
    """
    if split not in files:
        raise ValueError(f"Expected a split of {title} among {', '.join(files)}. Received: split={split!r}")
    if source.is_file():
        return [source]
    places = [source, source / folder] if folder else [source]
    for place in places:
        found = [place / f"{name}{end}" for name in files[split] for end in ("", ".gz")]
        found = [path for path in found if path.exists()]
        if found:
            return found
    there = sorted(entry.name for entry in source.iterdir())[:20] if source.is_dir() else None
    shown = "no such folder or file" if there is None else ", ".join(there) or "an empty folder"
    raise FileNotFoundError(
        f"Expected {' or '.join(files[split])} of {title} in {' or '.join(map(str, places))}. Received: {shown}. "
        "Pass the folder that has it, or the file itself."
    )

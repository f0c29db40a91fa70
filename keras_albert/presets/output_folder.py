"""Writing a folder or a file so that it is there whole or not at all."""

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


class OutputError(OSError):
    """A result cannot be written: the disk is full, or nothing may be written there."""


def check_destination(destination: str | Path, overwrite: bool = False) -> Path:
    """Return the absolute path of a folder to write, once it is known to be free.

    Args:
        destination: the folder to make.
        overwrite: whether a folder that is there may be replaced.

    Raises:
        FileExistsError: a file has that name, or a folder that is not empty and must not be overwritten.
    """
    path = Path(destination).expanduser().absolute()
    if path.exists() and not path.is_dir():
        raise FileExistsError(f"Expected a folder to write to. Received: {destination}, which is a file.")
    if path.is_dir() and any(path.iterdir()) and not overwrite:
        raise FileExistsError(
            f"The folder {destination} is there already and is not empty. Name another one, or allow it to be replaced "
            "(`--overwrite`; `overwrite=True` in Python)."
        )
    return path


@contextmanager
def new_folder(destination: str | Path, overwrite: bool = False) -> Iterator[Path]:
    """Yield an empty temporary folder beside the destination, which becomes the destination at the end.

    Whatever ends the context early, Ctrl-C and a full disk too, removes the temporary folder and leaves what was there.

    Args:
        destination: the folder to make.
        overwrite: whether a folder that is there may be replaced.

    Raises:
        FileExistsError: as `check_destination`.
        OutputError: nothing can be written there.
    """
    path = check_destination(destination, overwrite)
    # Through a link, so that the rename at the end stays on one disk and replaces what the link leads to.
    path = path.resolve() if path.is_symlink() else path
    with writing(destination):
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}-"))
    new, old = temporary / "new", temporary / "old"
    try:
        with writing(destination):
            new.mkdir()
        yield new
        with writing(destination):
            if path.is_dir():
                path.rename(old)
            new.rename(path)
    finally:
        if old.is_dir() and not path.exists():
            old.rename(path)
        shutil.rmtree(temporary, ignore_errors=True)


@contextmanager
def filled_folder(destination: str | os.PathLike[str], model: Any) -> Iterator[Path]:
    """Yield a temporary folder whose files come into the destination at the end, beside what is there already.

    Whatever ends the context early leaves the destination as it was.

    Args:
        destination: the folder, which is made if need be.
        model: the model that will be saved, to find out before whether it fits on the disk.

    Raises:
        OutputError: the disk is full, or nothing may be written there.
    """
    path = Path(destination).expanduser().absolute()
    with writing(destination):
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}-"))
    try:
        check_space(model, temporary, destination)
        with writing(destination):
            yield temporary
            for file in sorted(file for file in temporary.rglob("*") if file.is_file()):
                place = path / file.relative_to(temporary)
                place.parent.mkdir(parents=True, exist_ok=True)
                file.replace(place)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


@contextmanager
def writing(destination: str | os.PathLike[str]) -> Iterator[None]:
    """Put the destination into errors of the disk, which name a temporary file or none.

    Args:
        destination: the folder or file that the user asked for.

    Raises:
        OutputError: the disk is full, or nothing may be written there.
    """
    try:
        yield
    except OutputError:
        raise
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise _output_error(destination, reason) from error
    except RuntimeError as error:
        # HDF5's error where it finds out while it closes a file.
        if not any(reason in str(error) for reason in ("No space left", "File too large", "quota exceeded")):
            raise
        raise _output_error(destination, str(error)) from error


def check_space(model: Any, folder: Path, destination: str | os.PathLike[str]) -> None:
    """Check that a model's files will fit on the disk: HDF5 may crash the whole program where the disk fills up.

    Args:
        model: the built Keras model.
        folder: the folder that its files will be written to.
        destination: the folder that the user asked for.

    Raises:
        OutputError: they will not fit.
    """
    # Single precision at most, HDF5's own blocks, and 2 MiB for the vocabulary and the small files.
    needed = 4 * model.count_params() + 2**13 * len(model.variables) + 2**21
    with writing(destination):
        if not hasattr(os, "posix_fallocate"):
            if shutil.disk_usage(folder).free < needed:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return
        # Unlike the free space that is reported, this heeds quotas too.
        with tempfile.TemporaryFile(dir=folder) as file:
            os.posix_fallocate(file.fileno(), 0, needed)


def write_file(path: str | Path, content: str) -> None:
    """Write a text file under a temporary name, then rename it.

    Args:
        path: the file; its folder must be there.
        content: the text; what is not Unicode, such as half of a surrogate pair, becomes a question mark.

    Raises:
        OutputError: the file cannot be written.
    """
    path = Path(path)
    temporary = path.with_name(f".{path.name}-{os.getpid()}")
    with writing(path):
        try:
            with temporary.open("x", encoding="utf-8", errors="replace", newline="") as file:
                file.write(content)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)


def _output_error(destination: str | os.PathLike[str], reason: str) -> OutputError:
    return OutputError(f"Cannot write {destination}: {reason}. Free some space there, or name another place.")

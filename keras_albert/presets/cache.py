"""The folder where downloaded models are kept, and the error that says when it cannot be written to.

Layout, below `$KERAS_ALBERT_CACHE` or the user's cache directory:

    downloads/RELEASE.tar.gz    an archive put there by hand, or one whose conversion has not ended
    presets/RELEASE/            a converted release: albert_config.json, the vocabulary, google_variables.safetensors
                                and origin.json (where it came from)
"""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from platformdirs import user_cache_path

CACHE_VARIABLE = "KERAS_ALBERT_CACHE"

_UNWRITABLE = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.ENOTDIR, errno.EEXIST)


class CacheError(OSError):
    """The cache folder cannot be written to."""


def cache_folder() -> Path:
    """The folder of downloaded models: `$KERAS_ALBERT_CACHE`, or the user's cache directory."""
    named = os.environ.get(CACHE_VARIABLE)
    return Path(named).expanduser().absolute() if named else user_cache_path("keras_albert", appauthor=False)


def downloads_folder() -> Path:
    """Where archives are looked for and downloaded to."""
    return cache_folder() / "downloads"


def presets_folder() -> Path:
    """Where converted releases are kept."""
    return cache_folder() / "presets"


@contextmanager
def writing_to(folder: Path) -> Iterator[None]:
    """Makes a folder and turns failures to write there into an error that says what to do.

    Args:
        folder: The folder.

    Raises:
        CacheError: If the folder cannot be made, or if the disk is full or not writable inside of the context.
    """
    is_made = False
    try:
        folder.mkdir(parents=True, exist_ok=True)
        is_made = True
        yield
    except CacheError:
        raise
    except OSError as error:
        if is_made and error.errno not in _UNWRITABLE:
            raise
        raise CacheError(
            f"Cannot write to {folder}: {error.strerror or error}. Free some space there, or name another folder for "
            f"downloaded models by the environment variable {CACHE_VARIABLE}."
        ) from error

"""Keeping a named release in the cache, converted so that TensorFlow and the network are needed only once."""

import hashlib
import importlib.util
import json
import logging
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock
from rich.console import Console
from safetensors import SafetensorError
from safetensors.numpy import save_file

from keras_albert.checkpoints import SAFETENSORS_NAME, Release, open_release
from keras_albert.presets.archive import errors_naming, extract_archive
from keras_albert.presets.cache import CACHE_VARIABLE, CacheError, downloads_folder, presets_folder, writing_to
from keras_albert.presets.catalogue import Preset
from keras_albert.presets.download import MIRROR_VARIABLE, DownloadError, download, mirrored

ORIGIN_NAME = "origin.json"
_log = logging.getLogger(__name__)


def stored_folder(preset: Preset) -> Path:
    """The folder of a named release: in the package, or in the cache, downloaded and converted if it is not there yet.

    Several processes may ask at once: one does the work and the others wait for it. What is there afterwards is whole:
    the folder gets its name at the end.

    Args:
        preset: The named release.

    Returns:
        A folder that `open_release` opens without TensorFlow.

    Raises:
        DownloadError: If the archive cannot be downloaded.
        CacheError: If the cache folder cannot be written to.
        ImportError: If TensorFlow, which the conversion needs, is not installed.
        ValueError: If the archive is damaged or does not hold the model.
    """
    if preset.is_bundled:
        return preset.bundled_folder
    folder = presets_folder() / preset.release
    if _is_whole(folder):
        return folder
    with writing_to(folder.parent), FileLock(folder.parent / f".{preset.release}.lock"):
        if not _is_whole(folder):
            _remove_leftovers(preset)
            _make(preset, folder)
    return folder


def _is_whole(folder: Path) -> bool:
    return (folder / ORIGIN_NAME).is_file()


def _remove_leftovers(preset: Preset) -> None:
    """Removes what a process left that was killed; only the holder of the lock may."""
    for folder in presets_folder().glob(f".{preset.release}-*"):
        shutil.rmtree(folder, ignore_errors=True)
    for part in downloads_folder().glob(f".{preset.archive}-*.part"):
        part.unlink(missing_ok=True)


def _make(preset: Preset, folder: Path) -> None:
    if importlib.util.find_spec("tensorflow") is None:
        raise ImportError(
            f"The first use of {preset.name!r} converts Google's TensorFlow 1 checkpoint, which needs TensorFlow: "
            "pip install keras-albert[tensorflow]. Later uses do not need it."
        )
    with (
        _archive(preset) as (archive, address),
        tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{preset.release}-") as temporary,
        Console(stderr=True).status(f"Converting {preset.release}"),
    ):
        extracted, built = Path(temporary) / "extracted", Path(temporary) / "built"
        extract_archive(archive, extracted)
        with errors_naming(archive, extracted):
            release = open_release(extracted)
        differences = preset.differences(release.backbone_config, release.parameter_count())
        if differences:
            _log.warning("%s from %s is not what this name usually means: %s", preset.release, address, differences)
        built.mkdir()
        write_release(release, built)
        origin = {
            "address": address,
            "archive_sha256": _sha256(archive),
            "converted": datetime.now(UTC).isoformat(timespec="seconds"),
            "differences": differences,
        }
        (built / ORIGIN_NAME).write_text(json.dumps(origin, indent=2) + "\n", encoding="utf-8")
        if folder.exists():
            shutil.rmtree(folder)
        built.rename(folder)


def write_release(release: Release, folder: Path) -> None:
    """Writes a release in the form that is opened without TensorFlow.

    Args:
        release: The release.
        folder: An existing folder for the configuration, the vocabulary and the variables, under the names of the
            weight table; optimizer slots are left out.

    Raises:
        CacheError: If the disk is full.
    """
    shutil.copyfile(release.config_path, folder / "albert_config.json")
    if release.tokenizer is not None:
        shutil.copyfile(release.vocabulary, folder / release.vocabulary.name)
    checkpoint = release.checkpoint
    try:
        save_file({name: checkpoint.read(name) for name in checkpoint.names}, folder / SAFETENSORS_NAME)
    except SafetensorError as error:
        raise CacheError(
            f"Cannot write {folder / SAFETENSORS_NAME}: {error}. Free some space, or name another folder by the "
            f"environment variable {CACHE_VARIABLE}."
        ) from error
    # safetensors lets nobody but its writer read the file.
    shutil.copymode(folder / "albert_config.json", folder / SAFETENSORS_NAME)


@contextmanager
def _archive(preset: Preset) -> Iterator[tuple[Path, str]]:
    """Yields the archive and where it came from; removes it after its use, or if it was just downloaded and failed."""
    archive = downloads_folder() / preset.archive
    downloaded = not archive.is_file()
    address = mirrored(preset.address) if downloaded else archive.as_uri()
    if downloaded:
        _download(address, archive)
    try:
        yield archive, address
    except ValueError as error:
        where = f"It came from {address}." if downloaded else f"Remove {archive} to have it downloaded."
        if downloaded:
            archive.unlink(missing_ok=True)
        raise ValueError(f"{error} {where}") from error
    archive.unlink(missing_ok=True)


def _download(address: str, archive: Path) -> None:
    try:
        download(address, archive)
    except DownloadError as error:
        raise DownloadError(
            f"{error} Try again, or fetch {address} by hand and put it into {archive.parent} as {archive.name}: it is "
            "then used without network, and removed once it is converted. "
            f"A mirror is named by the environment variable {MIRROR_VARIABLE}, a proxy by https_proxy."
        ) from error


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def is_here(preset: Preset) -> bool:
    """Whether a release is in the package or in the cache, and loads without network."""
    return preset.is_bundled or _is_whole(presets_folder() / preset.release)

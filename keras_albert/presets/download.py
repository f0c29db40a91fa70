"""Downloading one file, so that an interrupted download leaves nothing behind."""

import http.client
import logging
import os
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

from keras_albert.presets.cache import writing_to

MIRROR_VARIABLE = "KERAS_ALBERT_MIRROR"

_CHUNK = 2**20
_TIMEOUT_SECONDS = 60.0  # without a byte from the server
_log = logging.getLogger(__name__)


class DownloadError(ConnectionError):
    """A file could not be downloaded."""


def mirrored(address: str) -> str:
    """The address to download from: `$KERAS_ALBERT_MIRROR/FILE` if that variable is set, else the address itself.

    Args:
        address: Where the file is by default.

    Returns:
        The address, with everything before the file's name replaced.

    Raises:
        ValueError: If the variable does not hold an address.
    """
    mirror = os.environ.get(MIRROR_VARIABLE)
    if not mirror:
        return address
    if urllib.parse.urlsplit(mirror).scheme not in ("http", "https", "file"):
        raise ValueError(
            f"Expected an address such as https://example.org/albert in {MIRROR_VARIABLE}. Received: {mirror!r}"
        )
    return f"{mirror.rstrip('/')}/{address.rsplit('/', 1)[-1]}"


def download(address: str, destination: str | Path) -> None:
    """Downloads a file, with a progress bar on a terminal and a line in the log elsewhere.

    The file gets its name when it has come whole; until then it has a temporary one, which is removed in any other
    case.
    The usual proxy variables (`https_proxy` and its like) are honoured.

    Args:
        address: An http, https or file address.
        destination: The file to write.

    Raises:
        DownloadError: If the server cannot be reached, refuses, or breaks off.
        CacheError: If the file cannot be written.
    """
    destination = Path(destination)
    with writing_to(destination.parent):
        handle = tempfile.NamedTemporaryFile(  # noqa: SIM115 - closed below, before it is renamed
            dir=destination.parent, prefix=f".{destination.name}-", suffix=".part", delete=False
        )
        part = Path(handle.name)
        try:
            with handle:
                _receive(address, handle, destination.name)
            part.replace(destination)
        finally:
            part.unlink(missing_ok=True)


def _receive(address: str, handle: IO[bytes], name: str) -> None:
    with _network_errors(address):
        response = urllib.request.urlopen(address, timeout=_TIMEOUT_SECONDS)
    with response:
        length = response.headers.get("Content-Length")
        expected = int(length) if length and length.isdigit() else None
        received = 0
        with _progress(address, name, expected) as advance:
            while chunk := _read(response, address):
                handle.write(chunk)
                received += len(chunk)
                advance(len(chunk))
        handle.flush()
    if expected is not None and received != expected:
        raise DownloadError(f"The download of {address} broke off after {received:,} of {expected:,} bytes.")


def _read(response: Any, address: str) -> bytes:
    with _network_errors(address):
        return bytes(response.read(_CHUNK))


@contextmanager
def _network_errors(address: str) -> Iterator[None]:
    try:
        yield
    except urllib.error.HTTPError as error:
        error.close()
        raise DownloadError(f"The server refused {address}: {error.code} {error.reason}.") from error
    except urllib.error.URLError as error:
        raise DownloadError(f"Cannot download {address}: {error.reason}.") from error
    except (http.client.HTTPException, OSError) as error:
        raise DownloadError(f"The download of {address} broke off: {error!r}.") from error


@contextmanager
def _progress(address: str, name: str, expected: int | None) -> Iterator[Any]:
    """Yields a function to call with the number of bytes that have come."""
    if not sys.stderr.isatty():
        _log.info("downloading %s", address)
        yield lambda size: None
        return
    columns = (TextColumn(name), BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task(name, total=expected)
        yield lambda size: progress.update(task, advance=size)

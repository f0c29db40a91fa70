"""Unpacking a release's `.tar.gz` so that nothing gets outside its folder and nothing half-unpacked stays."""

import gzip
import tarfile
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath, PureWindowsPath

# The largest release, xxlarge with its optimizer slots, unpacks to less than 3 GiB.
SIZE_LIMIT = 8 * 2**30
_MEMBER_LIMIT = 10_000
_TAIL_LIMIT = 16 * 2**20  # padding after the last member; tar writes at most 10 KiB
_CHUNK = 2**20


def extract_archive(archive: str | Path, destination: str | Path, size_limit: int = SIZE_LIMIT) -> None:
    """Unpacks a `.tar.gz`.

    Files are unpacked into a temporary folder beside the destination, which is renamed when the archive's checksum has
    been seen to be right. Each member is checked before it is written.

    Args:
        archive: The archive.
        destination: The folder to make. It must not exist.
        size_limit: The most bytes that all files together may have.

    Raises:
        FileNotFoundError: If there is no such archive.
        ValueError: If the archive is not a gzipped tar file, is truncated, damaged or larger than the limit, or holds
            anything but ordinary files and folders below its top.
    """
    archive, destination = Path(archive), Path(destination)
    with tempfile.TemporaryDirectory(dir=destination.parent, prefix=f".{destination.name}-") as temporary:
        unpacked = Path(temporary) / "unpacked"
        unpacked.mkdir()
        try:
            _unpack(archive, unpacked, size_limit)
        except (tarfile.TarError, EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise ValueError(
                f"The archive {archive} is truncated or damaged ({error}): download it again, from start to end."
            ) from error
        unpacked.rename(destination)


@contextmanager
def errors_naming(archive: Path, unpacked: Path) -> Iterator[None]:
    """Puts the archive's name into errors that name a file it was unpacked to, which will not be there any more.

    Args:
        archive: The archive.
        unpacked: The temporary folder with its files.
    """
    try:
        yield
    except (ValueError, OSError) as error:
        named = [arg.replace(str(unpacked), str(archive)) if isinstance(arg, str) else arg for arg in error.args]
        error.args = tuple(named)
        raise


def _unpack(archive: Path, folder: Path, size_limit: int) -> None:
    with archive.open("rb") as raw:
        start = raw.read(2)
    if start and not b"\x1f\x8b".startswith(start):
        raise ValueError(f"Expected a gzipped tar file (.tar.gz) in {archive}. Received: a file that starts {start!r}")
    total = 0
    with gzip.open(archive) as content, tarfile.open(fileobj=content, mode="r|") as members:
        for number, member in enumerate(members):
            _check_member(member, archive)
            total += member.size
            if total > size_limit or number >= _MEMBER_LIMIT:
                raise ValueError(
                    f"Expected at most {size_limit:,} bytes and {_MEMBER_LIMIT:,} files in the archive {archive}. "
                    f"Received: {total:,} bytes up to {member.name!r}. If you trust it, unpack it and pass the folder."
                )
            members.extract(member, folder, filter="data")
        _read_to_end(content, archive)


def _check_member(member: tarfile.TarInfo, archive: Path) -> None:
    # A Windows anchor is a drive or a leading slash of either kind.
    outside = PureWindowsPath(member.name).anchor or "\\" in member.name or ".." in PurePosixPath(member.name).parts
    if outside or not (member.isreg() or member.isdir()) or member.issparse():
        kind = "a path that leaves its folder" if outside else "neither a file nor a folder"
        raise ValueError(
            f"Refused to unpack {archive}: {member.name!r} is {kind}. Google's archives have none: get it from there."
        )


def _read_to_end(content: gzip.GzipFile, archive: Path) -> None:
    """Reads what follows the last member: only the end of the stream carries its checksum."""
    left = _TAIL_LIMIT
    while chunk := content.read(_CHUNK):
        left -= len(chunk)
        if left < 0:
            raise ValueError(f"The archive {archive} goes on for more than {_TAIL_LIMIT:,} bytes after its last file.")

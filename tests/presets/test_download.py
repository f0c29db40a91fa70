import errno
import os
import socket
import tempfile

import pytest

from keras_albert.presets import CacheError, DownloadError
from keras_albert.presets import download as download_module
from keras_albert.presets.download import download, mirrored

pytestmark = pytest.mark.any_backend

CONTENT = os.urandom(3 * 2**20 + 17)


@pytest.fixture
def address(mirror):
    (mirror.folder / "file.bin").write_bytes(CONTENT)
    return f"{mirror.address}/file.bin"


def left_in(folder):
    return sorted(entry.name for entry in folder.iterdir())


def test_file_comes_whole(address, tmp_path):
    download(address, tmp_path / "new" / "file.bin")

    assert (tmp_path / "new" / "file.bin").read_bytes() == CONTENT
    assert left_in(tmp_path / "new") == ["file.bin"]


@pytest.mark.parametrize(
    "fault",
    [("cut", 0), ("cut", 1), ("cut", 2**20), ("cut", 3 * 2**20), ("cut", len(CONTENT) - 1), ("reset", 2**20), 404, 503],
)
def test_broken_download_leaves_nothing_and_the_second_try_succeeds(mirror, address, tmp_path, fault):
    target = tmp_path / "new" / "file.bin"
    mirror.fault = fault
    with pytest.raises(DownloadError, match=address):
        download(address, target)
    assert left_in(target.parent) == []

    mirror.fault = None
    download(address, target)
    assert target.read_bytes() == CONTENT


def test_broken_download_keeps_what_was_there(mirror, address, tmp_path):
    (tmp_path / "file.bin").write_bytes(b"old")
    mirror.fault = ("cut", 100)

    with pytest.raises(DownloadError, match=r"broke off after 100 of 3,145,745 bytes"):
        download(address, tmp_path / "file.bin")
    assert (tmp_path / "file.bin").read_bytes() == b"old"


def test_interrupted_download_leaves_nothing(address, tmp_path, monkeypatch):
    read = download_module._read
    chunks = iter([None, KeyboardInterrupt()])

    def interrupted(response, address):
        error = next(chunks)
        if error is not None:
            raise error
        return read(response, address)

    monkeypatch.setattr(download_module, "_read", interrupted)
    with pytest.raises(KeyboardInterrupt):
        download(address, tmp_path / "new" / "file.bin")
    assert left_in(tmp_path / "new") == []


def test_server_that_is_not_there_is_an_error_that_names_the_address(tmp_path, monkeypatch):
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}/file.bin"
        with pytest.raises(DownloadError, match=f"Cannot download {address}"):
            download(address, tmp_path / "file.bin")
    assert left_in(tmp_path) == []


def test_full_disk_is_an_error_that_names_the_cache_variable(address, tmp_path, monkeypatch):
    class FullDisk:
        def __init__(self, handle):
            self.handle, self.name = handle, handle.name

        def __enter__(self):
            return self

        def __exit__(self, *raised):
            self.handle.close()

        def write(self, chunk):
            raise OSError(errno.ENOSPC, "No space left on device")

    opened = tempfile.NamedTemporaryFile
    monkeypatch.setattr(tempfile, "NamedTemporaryFile", lambda **options: FullDisk(opened(**options)))

    with pytest.raises(CacheError, match=r"No space left on device.*KERAS_ALBERT_CACHE"):
        download(address, tmp_path / "new" / "file.bin")
    assert left_in(tmp_path / "new") == []


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="the superuser may write anywhere")
def test_read_only_folder_is_an_error_that_names_the_cache_variable(address, tmp_path):
    (tmp_path / "locked").mkdir(mode=0o500)

    with pytest.raises(CacheError, match="KERAS_ALBERT_CACHE"):
        download(address, tmp_path / "locked" / "file.bin")


def test_nothing_is_printed_without_a_terminal(address, tmp_path, capfd):
    download(address, tmp_path / "file.bin")

    assert capfd.readouterr() == ("", "")


def test_bar_is_drawn_on_a_terminal(address, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")

    download(address, tmp_path / "file.bin")

    assert "file.bin" in capsys.readouterr().err
    assert (tmp_path / "file.bin").read_bytes() == CONTENT


@pytest.mark.parametrize("mirror", ["https://example.org/albert", "https://example.org/albert/"])
def test_mirror_replaces_everything_before_the_files_name(monkeypatch, mirror):
    monkeypatch.setenv("KERAS_ALBERT_MIRROR", mirror)

    assert mirrored("https://storage.googleapis.com/models/a.tar.gz") == "https://example.org/albert/a.tar.gz"


@pytest.mark.parametrize("value", [None, ""])
def test_no_mirror_leaves_the_address(monkeypatch, value):
    monkeypatch.delenv("KERAS_ALBERT_MIRROR", raising=False)
    if value is not None:
        monkeypatch.setenv("KERAS_ALBERT_MIRROR", value)

    assert mirrored("https://example.org/a.tar.gz") == "https://example.org/a.tar.gz"


@pytest.mark.parametrize("value", ["example.org", "/folder", "ftp://example.org"])
def test_mirror_that_is_no_address_is_an_error(monkeypatch, value):
    monkeypatch.setenv("KERAS_ALBERT_MIRROR", value)

    with pytest.raises(ValueError, match="KERAS_ALBERT_MIRROR"):
        mirrored("https://example.org/a.tar.gz")


def test_mirror_may_be_a_folder(monkeypatch, tmp_path):
    (tmp_path / "a.tar.gz").write_bytes(b"archive")
    monkeypatch.setenv("KERAS_ALBERT_MIRROR", tmp_path.as_uri())

    download(mirrored("https://example.org/a.tar.gz"), tmp_path / "copy")
    assert (tmp_path / "copy").read_bytes() == b"archive"
    with pytest.raises(DownloadError):
        download(mirrored("https://example.org/b.tar.gz"), tmp_path / "copy")

import gzip
import io
import tarfile
from pathlib import Path

import pytest

from keras_albert.presets.archive import extract_archive

pytestmark = pytest.mark.any_backend


def add_file(archive, name, content=b"content"):
    member = tarfile.TarInfo(name)
    member.size = len(content)
    archive.addfile(member, io.BytesIO(content))


@pytest.fixture
def make(tmp_path):
    """Writes an archive by calling a function with the open tar file."""

    def make(fill):
        path = tmp_path / "made.tar.gz"
        with tarfile.open(path, "w:gz") as archive:
            fill(archive)
        return path

    return make


def left_in(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def test_archive_is_unpacked(kept_golden, tmp_path):
    extract_archive(kept_golden / "albert_tiny_e_eq_h.tar.gz", tmp_path / "out")

    assert left_in(tmp_path) == ["out"]
    assert left_in(tmp_path / "out" / "albert_tiny_e_eq_h") == [
        "30k-clean.model",
        "30k-clean.vocab",
        "albert_config.json",
        "model.ckpt-best.data-00000-of-00001",
        "model.ckpt-best.index",
        "model.ckpt-best.meta",
    ]


def test_archive_without_top_folder_is_unpacked(make, tmp_path):
    archive = make(lambda made: (add_file(made, "./a.txt"), add_file(made, "./assets/b.txt")))

    extract_archive(archive, tmp_path / "out")

    assert (tmp_path / "out" / "assets" / "b.txt").read_bytes() == b"content"


def cuts(size: int) -> list[int]:
    """Byte positions at the ends and all along."""
    ends = [0, 1, 2, 3, 10, 18, 100, *(size - left for left in (1, 2, 4, 5, 7, 8, 9, 16, 100))]
    return sorted({*ends, *range(size // 20, size, size // 20)})


def test_archive_truncated_anywhere_is_an_error_and_leaves_nothing(kept_golden, tmp_path):
    whole = (kept_golden / "albert_tiny_e_eq_h.tar.gz").read_bytes()
    archive = tmp_path / "short.tar.gz"
    for size in cuts(len(whole)):
        archive.write_bytes(whole[:size])
        with pytest.raises(ValueError, match=r"short\.tar\.gz is truncated or damaged .*download it again"):
            extract_archive(archive, tmp_path / "out")
        assert left_in(tmp_path) == ["short.tar.gz"], size


def test_archive_with_a_changed_byte_is_an_error_and_leaves_nothing(kept_golden, tmp_path):
    whole = (kept_golden / "albert_tiny_e_eq_h.tar.gz").read_bytes()
    archive = tmp_path / "damaged.tar.gz"
    for position in (*range(1000, len(whole), len(whole) // 12), len(whole) - 2, len(whole) - 6):
        content = bytearray(whole)
        content[position] ^= 0x10
        archive.write_bytes(content)
        with pytest.raises(ValueError, match=r"damaged\.tar\.gz"):
            extract_archive(archive, tmp_path / "out")
        assert left_in(tmp_path) == ["damaged.tar.gz"], position


def test_page_saved_under_the_archives_name_is_an_error(tmp_path):
    (tmp_path / "page.tar.gz").write_text("<!DOCTYPE html>")

    with pytest.raises(ValueError, match=r"Expected a gzipped tar file .*<!"):
        extract_archive(tmp_path / "page.tar.gz", tmp_path / "out")


def test_gzip_of_something_else_is_an_error(tmp_path):
    (tmp_path / "text.tar.gz").write_bytes(gzip.compress(b"no tar file " * 1000))

    with pytest.raises(ValueError, match="truncated or damaged"):
        extract_archive(tmp_path / "text.tar.gz", tmp_path / "out")


@pytest.mark.parametrize(
    "name", ["../escaped.txt", "a/../../escaped.txt", "/tmp/keras_albert_escaped.txt", "C:\\escaped.txt", "a\\..\\b"]
)
def test_path_out_of_the_folder_is_refused(make, tmp_path, name):
    archive = make(lambda made: (add_file(made, "albert/first.txt"), add_file(made, name)))

    with pytest.raises(ValueError, match="a path that leaves its folder"):
        extract_archive(archive, tmp_path / "out")
    assert left_in(tmp_path) == ["made.tar.gz"]


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE])
def test_link_or_device_is_refused(make, tmp_path, kind):
    def fill(archive):
        add_file(archive, "albert/first.txt")
        member = tarfile.TarInfo("albert/other")
        member.type, member.linkname = kind, "first.txt"
        archive.addfile(member)

    with pytest.raises(ValueError, match="neither a file nor a folder"):
        extract_archive(make(fill), tmp_path / "out")
    assert left_in(tmp_path) == ["made.tar.gz"]


def test_size_is_limited_before_a_file_is_written(make, tmp_path):
    archive = make(lambda made: [add_file(made, f"{number}.bin", bytes(1000)) for number in range(4)])

    extract_archive(archive, tmp_path / "fits", size_limit=4000)
    with pytest.raises(ValueError, match=r"at most 3,999 bytes.*4,000 bytes up to '3\.bin'"):
        extract_archive(archive, tmp_path / "out", size_limit=3999)
    assert left_in(tmp_path) == ["fits", "made.tar.gz"]


def test_endless_tail_is_refused(make, tmp_path):
    archive = make(lambda made: add_file(made, "a.txt"))
    with archive.open("ab") as file:
        file.write(gzip.compress(bytes(20 * 2**20)))

    with pytest.raises(ValueError, match="after its last file"):
        extract_archive(archive, tmp_path / "out")


def test_missing_archive_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        extract_archive(tmp_path / "none.tar.gz", tmp_path / "out")
    assert left_in(tmp_path) == []

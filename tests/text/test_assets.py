from pathlib import Path

import pytest

from keras_albert.text.assets import read_file, write_file

pytestmark = pytest.mark.any_backend


def test_write_file_replaces_what_was_there(tmp_path: Path) -> None:
    for content in (b"first", b"second"):
        write_file(tmp_path / "vocabulary.txt", content)
        assert (tmp_path / "vocabulary.txt").read_bytes() == content
    assert [path.name for path in tmp_path.iterdir()] == ["vocabulary.txt"]


def test_write_file_leaves_the_old_file_whole_when_the_disk_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "vocabulary.txt"
    write_file(path, b"old")

    def full_disk(self: Path, content: bytes) -> None:
        self.touch()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full_disk)
    with pytest.raises(OSError, match="No space left"):
        write_file(path, b"new")
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["vocabulary.txt"]


@pytest.mark.parametrize("name", ["missing", "", "null\0"])
def test_read_file_names_what_is_wanted_when_there_is_no_file(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="Can't read the vocabulary"):
        read_file(tmp_path / name, "the vocabulary")

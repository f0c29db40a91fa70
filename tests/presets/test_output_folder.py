import errno
import os
from pathlib import Path

import pytest

from keras_albert import AlbertBackbone
from keras_albert.presets.output_folder import (
    OutputError,
    check_destination,
    check_space,
    new_folder,
    write_file,
    writing,
)


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def test_a_folder_appears_whole_with_missing_parents(tmp_path: Path) -> None:
    with new_folder(tmp_path / "a" / "run") as folder:
        (folder / "file").write_text("content")
        assert not (tmp_path / "a" / "run").exists()
    assert (tmp_path / "a" / "run" / "file").read_text() == "content"
    assert names(tmp_path / "a") == ["run"]


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_nothing_stays_of_a_folder_that_was_not_finished(tmp_path: Path, error: type[BaseException]) -> None:
    with pytest.raises(error), new_folder(tmp_path / "run") as folder:
        (folder / "file").write_text("half")
        raise error
    assert names(tmp_path) == []


def test_a_folder_that_is_there_is_replaced_only_where_that_is_allowed(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "old").touch()
    with pytest.raises(FileExistsError, match="--overwrite"), new_folder(tmp_path / "run"):
        pytest.fail("was entered")
    with new_folder(tmp_path / "run", overwrite=True) as folder:
        (folder / "new").touch()
        assert names(tmp_path / "run") == ["old"]
    assert names(tmp_path / "run") == ["new"]
    assert names(tmp_path) == ["run"]


def test_what_was_there_stays_where_its_replacement_fails(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "old").touch()
    with pytest.raises(ValueError, match="broken"), new_folder(tmp_path / "run", overwrite=True):
        raise ValueError("broken")
    assert names(tmp_path / "run") == ["old"]
    assert names(tmp_path) == ["run"]


def test_what_was_there_comes_back_where_the_last_step_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "old").touch()
    rename = Path.rename

    def fail_for_new(self: Path, target: Path) -> Path:
        if self.name == "new":
            raise OSError(errno.EIO, "broken disk")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", fail_for_new)
    with pytest.raises(OutputError), new_folder(tmp_path / "run", overwrite=True):
        pass
    assert names(tmp_path / "run") == ["old"]
    assert names(tmp_path) == ["run"]


def test_an_empty_folder_and_a_link_may_be_written_to(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with new_folder(tmp_path / "link") as folder:
        (folder / "file").touch()
    assert (tmp_path / "link").is_symlink()
    assert names(tmp_path / "real") == ["file"]


def test_a_file_in_the_place_of_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "run").touch()
    with pytest.raises(FileExistsError, match="is a file"):
        check_destination(tmp_path / "run", overwrite=True)
    with pytest.raises(OutputError, match=r"Cannot write .*below"), new_folder(tmp_path / "run" / "below"):
        pass


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOSPC, "No space left on device", "/tmp/.hidden/x.h5"),
        RuntimeError("Can't decrement id ref count (errno = 28, error message = 'No space left on device')"),
        OutputError("Cannot write RUN: No space left on device."),
    ],
)
def test_errors_of_a_full_disk_name_what_the_user_asked_for(error: Exception) -> None:
    with pytest.raises(OutputError, match=r"^Cannot write RUN: .*No space left on device"), writing("RUN"):
        raise error


def test_other_errors_pass_unchanged() -> None:
    with pytest.raises(RuntimeError, match=r"^something else$"), writing("RUN"):
        raise RuntimeError("something else")


def test_a_disk_without_room_for_the_model_is_noticed(
    backbone: AlbertBackbone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_space(backbone, tmp_path, "RUN")
    assert names(tmp_path) == []

    def full(descriptor: int, offset: int, length: int) -> None:
        assert length > 4 * backbone.count_params()
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full, raising=False)
    with pytest.raises(OutputError, match="RUN: No space left"):
        check_space(backbone, tmp_path, "RUN")
    monkeypatch.delattr(os, "posix_fallocate")
    monkeypatch.setattr("shutil.disk_usage", lambda folder: type("Usage", (), {"free": 1000}))
    with pytest.raises(OutputError, match="RUN: No space left"):
        check_space(backbone, tmp_path, "RUN")


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_file(tmp_path / "a.tsv", "我们\nhalf a pair \ud800\n")
    assert (tmp_path / "a.tsv").read_bytes() == "我们\nhalf a pair ?\n".encode()
    monkeypatch.setattr(Path, "replace", lambda *_: (_ for _ in ()).throw(OSError(errno.ENOSPC, "full")))
    with pytest.raises(OutputError, match=r"a\.tsv: No space left"):
        write_file(tmp_path / "a.tsv", "new")
    assert (tmp_path / "a.tsv").read_text(encoding="utf-8").startswith("我们")
    assert names(tmp_path) == ["a.tsv"]


def test_an_error_that_says_what_to_do_already_passes_unchanged() -> None:
    error = OutputError("Cannot write RUN")
    with pytest.raises(OutputError) as raised, writing("RUN"), writing("inner"):
        raise error
    assert raised.value is error

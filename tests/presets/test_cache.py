import errno
from pathlib import Path

import pytest

from keras_albert.presets import CacheError, cache_folder
from keras_albert.presets.cache import writing_to

pytestmark = pytest.mark.any_backend


def test_environment_names_the_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("KERAS_ALBERT_CACHE", str(tmp_path / "models"))

    assert cache_folder() == tmp_path / "models"


@pytest.mark.parametrize("value", [None, ""])
def test_users_cache_directory_is_the_default(monkeypatch, tmp_path, value):
    monkeypatch.delenv("KERAS_ALBERT_CACHE", raising=False)
    if value is not None:
        monkeypatch.setenv("KERAS_ALBERT_CACHE", value)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    assert cache_folder().name == "keras_albert"


def test_tilde_is_the_home_folder(monkeypatch):
    monkeypatch.setenv("KERAS_ALBERT_CACHE", "~/models")

    assert cache_folder() == Path.home() / "models"


def test_folder_that_cannot_be_made_is_an_error_that_names_the_variable(tmp_path):
    (tmp_path / "file").write_text("no folder")

    with pytest.raises(CacheError, match="KERAS_ALBERT_CACHE"), writing_to(tmp_path / "file" / "below"):
        pass


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES, errno.EROFS])
def test_full_or_read_only_disk_is_an_error_that_names_the_variable(tmp_path, number):
    with pytest.raises(CacheError, match=f"Cannot write to {tmp_path}.*KERAS_ALBERT_CACHE"), writing_to(tmp_path):
        raise OSError(number, "the system says no")


def test_other_errors_pass(tmp_path):
    with pytest.raises(ConnectionResetError), writing_to(tmp_path):
        raise ConnectionResetError(errno.ECONNRESET, "reset")


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a file system that makes no folders")
def test_a_cache_folder_that_cannot_be_made_for_any_reason_is_named() -> None:
    with pytest.raises(CacheError, match="KERAS_ALBERT_CACHE"), writing_to(Path("/proc/nope")):
        pass

from pathlib import Path

import pytest

from keras_albert.finetuning.task_files import files_of_splits, find_files

pytestmark = pytest.mark.any_backend

FILES = {"train": ("train.50k.json", "train.json"), "dev": ("dev.json",)}


def find(source: Path, split: str = "train") -> list[str]:
    return [str(path.relative_to(source)) for path in find_files(source, "OCNLI", FILES, split, "ocnli")]


def test_official_names_come_first(tmp_path: Path) -> None:
    (tmp_path / "train.json").touch()
    assert find(tmp_path) == ["train.json"]
    (tmp_path / "train.50k.json.gz").touch()
    assert find(tmp_path) == ["train.50k.json.gz", "train.json"]


def test_the_folder_above_is_enough_and_a_file_is_taken_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "ocnli").mkdir()
    (tmp_path / "ocnli" / "dev.json").touch()
    assert find(tmp_path, "dev") == ["ocnli/dev.json"]
    (tmp_path / "mine.txt").touch()
    assert find_files(tmp_path / "mine.txt", "OCNLI", FILES, "dev") == [tmp_path / "mine.txt"]


def test_a_missing_file_says_what_was_looked_for_and_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "other.json").touch()
    with pytest.raises(FileNotFoundError, match=r"train\.50k\.json or train\.json of OCNLI in .*Received: other\.json"):
        find(tmp_path)
    with pytest.raises(FileNotFoundError, match="no such folder or file"):
        find(tmp_path / "none")


def test_a_split_that_the_data_set_lacks_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"OCNLI among train, dev.*split='test'"):
        find(tmp_path, "test")


def test_names_of_splits_follow_a_pattern() -> None:
    assert files_of_splits("{}-v1.1.json") == {
        "train": ("train-v1.1.json",),
        "dev": ("dev-v1.1.json",),
        "test": ("test-v1.1.json",),
    }

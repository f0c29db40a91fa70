import json
from pathlib import Path

import pytest

from keras_albert.finetuning import GLUE_TASKS, glue_task, read_glue
from keras_albert.text.normalization import normalize


def test_classes_have_googles_order(shared: Path) -> None:
    processors = json.loads((shared / "golden" / "classifier" / "processors.json").read_text())
    for name, task in GLUE_TASKS.items():
        assert list(task.class_names) == processors["label_lists"][name]


@pytest.mark.parametrize("split", ["train", "dev", "test"])
def test_sst_2_is_read_as_googles_processor_does(shared: Path, split: str) -> None:
    files = json.loads((shared / "golden" / "classifier" / "processors.json").read_text())["files_read"]["sst-2"]
    examples = read_glue(glue_task("SST-2"), shared / "data" / "glue" / "SST-2", split)  # type: ignore[arg-type]
    expected = files[split]
    assert len(examples) == expected["count"]
    edges = [(row, example) for row, example in enumerate(expected["first"])] + [(-1, expected["last"])]
    for row, example in edges:
        assert normalize(examples.texts[row]) == example["text_a"]
        if split != "test":  # Google's processor puts a "0" there
            assert examples.labels is not None
            assert examples.labels[row] == example["label"]
    assert (examples.labels is None) == (split == "test")


def test_an_unknown_task_lists_the_known() -> None:
    with pytest.raises(ValueError, match=r"sst-2.*task='mnli'"):
        glue_task("mnli")


def test_a_folder_without_the_file_says_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "other.tsv").touch()
    with pytest.raises(FileNotFoundError, match=r"Expected dev\.tsv of GLUE's sst-2 in .*Received: other\.tsv"):
        read_glue(glue_task("sst-2"), tmp_path, "dev")
    with pytest.raises(FileNotFoundError, match="no such directory"):
        read_glue(glue_task("sst-2"), tmp_path / "none", "dev")


def test_a_label_that_is_no_class_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "dev.tsv").write_text("sentence\tlabel\nfine\t2\n")
    with pytest.raises(ValueError, match=r"Expected labels among \['0', '1'\] in .*dev\.tsv"):
        read_glue(glue_task("sst-2"), tmp_path, "dev")

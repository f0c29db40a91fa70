import json
from pathlib import Path

import pytest

from keras_albert.finetuning.kinds.classification import Classification
from keras_albert.finetuning.named_tasks import NAMED_TASKS, named_task
from keras_albert.finetuning.recipes import RECIPES

pytestmark = pytest.mark.any_backend


@pytest.fixture(scope="module")
def processors(shared: Path) -> dict:
    return json.loads((shared / "golden" / "classifier" / "processors.json").read_text(encoding="utf-8"))


def test_classes_have_googles_order(processors: dict) -> None:
    for name, labels in processors["label_lists"].items():
        kind = named_task(name.split(" ")[0]).kind
        if labels == [None]:
            assert kind.name == "regression"
        else:
            assert isinstance(kind, Classification)
            assert list(kind.class_names or ()) == labels


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("SST2", "sst-2"),
        ("stsb", "sts-b"),
        ("MNLI-mm", "mnli-mm"),
        ("mnli_mismatched", "mnli-mm"),
        ("squad2", "squad-2.0"),
        ("SQuAD v1.1", "squad-1.1"),
        ("NER", "conll-2003"),
        ("WNUT17", "wnut-17"),
        ("CMRC2018", "cmrc-2018"),
    ],
)
def test_names_are_found_whatever_their_case_and_separators(written: str, name: str) -> None:
    assert named_task(written) is NAMED_TASKS[name]


def test_an_unknown_name_lists_the_known() -> None:
    with pytest.raises(ValueError, match=r"cola, sst-2.*lcqmc\. Received: task='squad'"):
        named_task("squad")


def test_every_recipe_belongs_to_a_task() -> None:
    assert {name for name, task in NAMED_TASKS.items() if task.recipe is not None} == set(RECIPES)


# Counted by `grep -c` of the files: lines with `"id"`, words' ends of sentences, and so on.
@pytest.mark.parametrize(
    ("name", "source", "split", "rows"),
    [
        ("ax", "glue", "test", 1104),
        ("rte", "glue/RTE", "dev", 277),
        ("squad-2.0", "squad2_cs224n", "dev", 6078),
        ("squad-1.1", "xquad/xquad.en.json", "dev", 1190),
        ("race", "logiqa_race_layout", "dev", 651),
        ("wnut-17", "wnut17", "dev", 1009),
        ("cluener", "cluener", "dev", 1343),
        ("tnews", "clue/tnews/curc_dev.json", "dev", 4543),
    ],
)
def test_real_files_are_read_whole(shared: Path, name: str, source: str, split: str, rows: int) -> None:
    task = named_task(name)
    assert len(task.read(shared / "data" / source, split)) == rows
    drawn = task.read(shared / "data" / source, split, max_rows=7, seed=1)
    assert len(drawn) == 7
    assert drawn == task.read(shared / "data" / source, split, max_rows=7, seed=1)
    assert drawn != task.read(shared / "data" / source, split, max_rows=7, seed=2)


def test_the_files_of_both_genres_of_c3_are_read(tmp_path: Path) -> None:
    question = {"question": "天气怎么样?", "choice": ["晴", "雨"], "answer": "雨"}
    for name in ("m-dev.json", "d-dev.json"):
        (tmp_path / name).write_text(json.dumps([[["下雨了。"], [question], "1"]]), encoding="utf-8")
    assert named_task("c3").read(tmp_path, "dev").columns()["levels"] == ["mixed", "dialogue"]


def test_dev_rows_need_labels_and_test_rows_do_not(tmp_path: Path) -> None:
    for split in ("dev", "test"):
        (tmp_path / f"{split}.tsv").write_text("index\tsentence\n0\tfine\n", encoding="utf-8")
    task = named_task("sst-2")
    assert task.read(tmp_path, "test").columns() == {"texts": ["fine"], "ids": ["0"]}
    with pytest.raises(ValueError, match=r"dev\.tsv, line 1: no column is named 'label'"):
        task.read(tmp_path, "dev")

import json
from collections import Counter
from pathlib import Path

import pytest

from keras_albert.finetuning.readers.clue import CLUE_LAYOUTS

pytestmark = pytest.mark.any_backend


# `wc -l`, and `grep -c '"label": "..."'`, of the files.
@pytest.mark.parametrize(
    ("task", "rows", "label", "of_it"),
    [
        ("tnews", 4543, "109", 470),
        ("afqmc", 2158, "1", 742),
        ("ocnli", 1475, "neutral", 536),
        ("cmnli", 6117, "entailment", 1917),
    ],
)
def test_real_files_are_read_whole(shared: Path, task: str, rows: int, label: str, of_it: int) -> None:
    examples = CLUE_LAYOUTS[task].read(shared / "data" / "clue" / task / "curc_dev.json")
    assert len(examples) == rows
    assert Counter(examples.labels)[label] == of_it
    assert (examples.pairs is None) == (task == "tnews")


def test_news_has_15_classes() -> None:
    names = CLUE_LAYOUTS["tnews"].class_names
    assert names is not None
    assert (len(names), names[4:7], names[-1]) == (15, ("104", "106", "107"), "116")


def test_rows_without_a_gold_label_are_left_out_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "dev.json"
    rows = [
        {"sentence1": "甲", "sentence2": "乙", "label": label, "id": row}
        for row, label in enumerate(["-", "neutral", "-"])
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with pytest.warns(UserWarning, match=r"Left out 2 rows without a gold label \('-'\) of .*dev\.json"):
        examples = CLUE_LAYOUTS["ocnli"].read(path)
    assert (examples.texts, examples.pairs, examples.labels, examples.ids) == (["甲"], ["乙"], ["neutral"], ["1"])


def test_test_files_have_ids_and_no_labels(tmp_path: Path) -> None:
    path = tmp_path / "test.json"
    path.write_text('{"id": 0, "sentence": "新闻", "keywords": ""}\n', encoding="utf-8")
    examples = CLUE_LAYOUTS["tnews"].read(path, labelled=False)
    assert (examples.ids, examples.labels) == (["0"], None)


@pytest.mark.parametrize("header", ["", "text_a\ttext_b\tlabel\n"])
def test_lcqmc_is_read_with_and_without_a_header(tmp_path: Path, header: str) -> None:
    path = tmp_path / "train.txt"
    path.write_text(f"{header}我手机丢了\t我想换手机\t1\n", encoding="utf-8")
    examples = CLUE_LAYOUTS["lcqmc"].read(path)
    assert (examples.inputs, examples.labels) == ((["我手机丢了"], ["我想换手机"]), ["1"])

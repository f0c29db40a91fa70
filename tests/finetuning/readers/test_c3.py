"""C3's layout: texts, dialogues, answers by their text, and what is refused with its place."""

import json

import pytest

from keras_albert.finetuning.readers.c3 import read_c3

pytestmark = pytest.mark.any_backend

QUESTION = {"question": "天气怎么样?", "choice": ["晴", "雨", "雪"], "answer": "雨"}


def file_of(folder, name, *entries):
    path = folder / name
    path.write_text(json.dumps(list(entries), ensure_ascii=False), encoding="utf-8")
    return path


def test_texts_and_dialogues_are_read_as_two_levels(tmp_path):
    mixed = file_of(tmp_path, "m-train.json", [["下雨了。"], [QUESTION, QUESTION | {"answer": "雪"}], "5-1"])
    dialogue = file_of(
        tmp_path, "d-train.json", [["男:下雨了。", "女:是啊。"], [QUESTION | {"choice": ["雨", "晴"]}], "6"]
    )
    rows = read_c3(mixed, dialogue)
    assert rows.contexts == ["下雨了。", "下雨了。", "男:下雨了。\n女:是啊。"]
    assert rows.labels == [1, 2, 0]
    assert rows.options[2] == ["雨", "晴"]
    assert rows.levels == ["mixed", "mixed", "dialogue"]
    assert rows.ids == ["5-1-1", "5-1-2", "6-1"]


def test_questions_without_answers_keep_their_ids(tmp_path):
    question = {name: QUESTION[name] for name in ("question", "choice")} | {"id": 17}
    rows = read_c3(file_of(tmp_path, "test.json", [["下雨了。"], [question], "1"]))
    assert (rows.labels, rows.levels, rows.ids) == (None, None, ["17"])


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ([["a"], [QUESTION | {"answer": "风"}], "1"], r"\[0\], question 1: expected an answer that is one of"),
        ([["a"], [QUESTION, QUESTION | {"choice": []}], "1"], r"\[0\], question 2: expected at least two options"),
        ([["a"], [{"choice": ["b", "c"]}], "1"], "question 1: expected a member 'question'"),
        ([[], [QUESTION], "1"], r"\[0\]: expected paragraphs"),
        (["a", [QUESTION], "1"], r"\[0\]: expected \[paragraphs, questions, id\]"),
    ],
)
def test_wrong_text_is_refused_with_its_place(tmp_path, entry, message):
    with pytest.raises(ValueError, match=rf"m-dev.json: {message}" if message.startswith(r"\[") else message):
        read_c3(file_of(tmp_path, "m-dev.json", entry))


def test_other_layouts_are_refused(tmp_path):
    path = tmp_path / "m-dev.json"
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(ValueError, match="expected a list of"):
        read_c3(path)
    with pytest.raises(ValueError, match="Received: none"):
        read_c3()

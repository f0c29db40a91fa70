"""Multiple-choice examples of one's own: the JSONL reader, and rows in memory."""

import json

import pytest

from keras_albert.finetuning.readers.choices import ChoiceExamples, read_choices

pytestmark = pytest.mark.any_backend

ROW = {"context": "It rains.", "question": "Is it dry?", "options": ["yes", "no"]}


def file_of(folder, *rows):
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_rows_are_read_with_labels_of_both_kinds(tmp_path):
    rows = read_choices(file_of(tmp_path, ROW | {"label": 1}, ROW | {"label": "A", "options": ["yes", "no", "so"]}))
    assert rows.labels == [1, 0]
    assert rows.inputs == (["It rains."] * 2, ["Is it dry?"] * 2, [["yes", "no"], ["yes", "no", "so"]])
    assert (rows.ids, rows.levels) == (["1", "2"], None)


def test_names_and_levels_are_kept(tmp_path):
    rows = read_choices(file_of(tmp_path, ROW | {"id": "first", "level": "easy"}))
    assert (rows.ids, rows.levels, rows.labels) == (["first"], ["easy"], None)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"label": 2}, "an answer among 2 options. Received: position 2"),
        ({"label": -1}, "Received: position -1"),
        ({"label": "C"}, "an answer from A to B"),
        ({"label": True}, "an answer from A to B"),
        ({"options": ["yes"]}, "at least two options"),
        ({"options": "yes"}, "'options' to be a list"),
        ({"question": 5}, "'question' to be text"),
    ],
)
def test_wrong_row_is_refused_with_its_line(tmp_path, change, message):
    with pytest.raises(ValueError, match=rf"rows.jsonl, line 2: expected .*{message}"):
        read_choices(file_of(tmp_path, ROW | {"label": 0}, ROW | {"label": 0} | change))


def test_labels_in_some_rows_only_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"line 2: expected an answer.*1 of 2"):
        read_choices(file_of(tmp_path, ROW | {"label": 0}, ROW))


def test_levels_in_some_rows_only_are_refused(tmp_path):
    with pytest.raises(ValueError, match="columns of one length"):
        read_choices(file_of(tmp_path, ROW | {"level": "easy"}, ROW))


def test_missing_and_empty_files_are_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match="no file"):
        read_choices(tmp_path / "rows.jsonl")
    with pytest.raises(ValueError, match="at least one row"):
        read_choices(file_of(tmp_path))


def test_rows_in_memory_are_taken_with_all_their_columns():
    rows = ChoiceExamples(["a", "b"], ["c", "d"], [["e", "f"], ["g", "h"]], labels=[0, 1], levels=["x", "y"])
    assert rows.take([1]) == ChoiceExamples(["b"], ["d"], [["g", "h"]], labels=[1], levels=["y"])

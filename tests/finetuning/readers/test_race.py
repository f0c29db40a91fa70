"""RACE's layout: files, levels, letters, and what is refused with its file and question."""

import json
from pathlib import Path

import pytest

from keras_albert.finetuning.readers.race import read_race

pytestmark = pytest.mark.any_backend

PASSAGE = {
    "id": "high7.txt",
    "article": "It rains.\nThe street is wet.",
    "questions": ["The street is _ .", "What falls?"],
    "options": [["dry", "wet", "long"], ["snow", "rain"]],
    "answers": ["B", "B"],
}


@pytest.fixture
def folder(tmp_path):
    """Two tiny files: a passage of two questions in high, and one of one question in middle."""
    write(tmp_path / "dev" / "high" / "7.txt", PASSAGE)
    middle = PASSAGE | {"id": "middle2.txt", "questions": ["Dry?"], "options": [["no", "yes"]], "answers": ["A"]}
    write(tmp_path / "dev" / "middle" / "2.txt", middle)
    return tmp_path


def write(path: Path, *passages: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(passage) for passage in passages), encoding="utf-8")


def test_passages_of_both_levels_are_read(folder):
    rows = read_race(folder, "dev")
    assert rows.levels == ["middle", "high", "high"]
    assert rows.ids == ["middle2.txt-1", "high7.txt-1", "high7.txt-2"]
    assert rows.contexts == [PASSAGE["article"]] * 3
    assert rows.questions == ["Dry?", "The street is _ .", "What falls?"]
    assert rows.options == [["no", "yes"], ["dry", "wet", "long"], ["snow", "rain"]]
    assert rows.labels == [0, 1, 1]


def test_files_follow_their_numbers(tmp_path):
    for number in (10, 9):
        write(tmp_path / "dev" / "high" / f"{number}.txt", PASSAGE | {"id": str(number)})
    assert read_race(tmp_path, "dev").ids == ["9-1", "9-2", "10-1", "10-2"]


def test_joined_file_is_read_instead_of_the_single_ones(folder):
    high = folder / "dev" / "high"
    # `cat *.txt > all.txt`: RACE's files have no line end.
    write(high / "all.txt", PASSAGE, PASSAGE | {"id": "high8.txt"})
    assert read_race(folder, "dev").ids[1:] == ["high7.txt-1", "high7.txt-2", "high8.txt-1", "high8.txt-2"]
    (high / "all.txt").write_text(f"{json.dumps(PASSAGE)}\n\n{json.dumps(PASSAGE)}\n", encoding="utf-8")
    assert len(read_race(folder, "dev")) == 5


def test_split_without_answers_has_no_labels(folder):
    for level, name in (("high", "7.txt"), ("middle", "2.txt")):
        passage = json.loads((folder / "dev" / level / name).read_text(encoding="utf-8"))
        del passage["answers"]
        write(folder / "test" / level / name, passage)
    rows = read_race(folder, "test")
    assert (rows.labels, len(rows)) == (None, 3)
    with pytest.raises(ValueError, match=r"right options in .*test"):
        rows.label_numbers()


def test_answers_in_some_files_only_are_refused(folder):
    write(folder / "dev" / "middle" / "2.txt", {name: PASSAGE[name] for name in ("article", "questions", "options")})
    with pytest.raises(ValueError, match=r"middle/2.txt, line 1: question 1: expected an answer"):
        read_race(folder, "dev")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"answers": ["B"]}, r"line 1: expected as many .*2 questions, 2 options, 1 answers"),
        ({"options": [["a", "b"]]}, "2 questions, 1 options, 2 answers"),
        ({"answers": ["B", "C"]}, r'question 2: expected an answer from A to B. Received: "C"'),
        ({"answers": ["B", 1]}, r"question 2: expected an answer from A to B. Received: 1"),
        ({"answers": "BB"}, "expected 'answers' to be a list"),
        ({"options": [["a", "b"], []]}, r"question 2: expected at least two options. Received: \[\]"),
        ({"options": [["a", "b"], ["c", None]]}, "question 2: expected options as a list of texts"),
        ({"questions": ["a", 5]}, "question 2: expected a question as text. Received: 5"),
        ({"article": None}, "expected 'article' to be text"),
        ({"article": " "}, "expected an article with text"),
    ],
)
def test_wrong_passage_is_refused_with_its_place(tmp_path, change, message):
    write(tmp_path / "dev" / "high" / "7.txt", PASSAGE | change)
    with pytest.raises(ValueError, match=rf"high/7.txt, line 1: .*{message.removeprefix('line 1: ')}"):
        read_race(tmp_path, "dev")


def test_missing_article_is_refused(tmp_path):
    write(tmp_path / "dev" / "high" / "7.txt", {name: PASSAGE[name] for name in ("questions", "options", "answers")})
    with pytest.raises(ValueError, match=r"high/7.txt, line 1: expected a member 'article'"):
        read_race(tmp_path, "dev")


def test_what_is_not_json_is_refused_with_its_line(tmp_path):
    path = tmp_path / "dev" / "high" / "all.txt"
    write(path, PASSAGE)
    path.write_bytes(path.read_bytes() + b"\n{'article'")
    with pytest.raises(ValueError, match=r"all.txt, line 2, column 2: not JSON"):
        read_race(tmp_path, "dev")
    path.write_bytes(b"\n\n\xff")
    with pytest.raises(ValueError, match=r"all.txt, line 3: expected UTF-8"):
        read_race(tmp_path, "dev")


def test_folder_without_passages_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"middle/1\.txt for example"):
        read_race(tmp_path, "dev")
    (tmp_path / "dev" / "high").mkdir(parents=True)
    with pytest.raises(ValueError, match="Expected passages"):
        read_race(tmp_path, "dev")


def test_examples_are_those_of_googles_reader(shared):
    rows = read_race(shared / "golden" / "race" / "input" / "RACE", "dev")
    lines = (shared / "golden" / "race" / "examples.jsonl").read_text(encoding="utf-8").splitlines()
    expected = [json.loads(line) for line in lines]
    assert [name.rsplit("-", 1)[0] for name in rows.ids] == [example["example_id"] for example in expected]
    assert rows.labels == [example["label"] for example in expected]


def test_logiqa_is_read_whole(shared):
    folder = shared / "data" / "logiqa_race_layout"
    assert (len(read_race(folder, "dev")), len(read_race(folder, "test"))) == (651, 651)
    assert set(read_race(folder, "dev").levels) == {"logic"}

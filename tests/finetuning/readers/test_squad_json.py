import gzip
import json
import warnings
from pathlib import Path
from typing import Any

import pytest

from keras_albert.finetuning.readers.questions import GoldAnswer, QuestionExamples
from keras_albert.finetuning.readers.squad_json import read_questions

pytestmark = pytest.mark.any_backend

CONTEXT = "  Rome is old. Rome is big."


def entry(name: Any, answers: Any = (), **members: Any) -> dict[str, Any]:
    return {"id": name, "question": f"question {name}", "answers": list(answers), **members}


def said(text: Any, start: Any) -> dict[str, Any]:
    return {"text": text, "answer_start": start}


def read(folder: Path, *entries: Any, context: Any = CONTEXT) -> QuestionExamples:
    path = folder / "file.json"
    content = {"version": "x", "data": [{"title": "T", "paragraphs": [{"context": context, "qas": list(entries)}]}]}
    path.write_text(json.dumps(content), encoding="utf-8")
    return read_questions(path)


def read_with_warnings(path: Path) -> tuple[QuestionExamples, list[str]]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        rows = read_questions(path)
    return rows, [str(warning.message) for warning in caught]


def test_contexts_keep_their_blanks_so_that_offsets_fit(tmp_path: Path) -> None:
    rows = read(tmp_path, entry("q", [said("Rome", 2), said("Rome is old", 2)]))
    assert rows.contexts == [CONTEXT]
    assert rows.answers == [[GoldAnswer("Rome", 2), GoldAnswer("Rome is old", 2)]]
    assert (rows.ids, rows.questions, rows.titles) == (["q"], ["question q"], ["T"])
    assert rows.source == str(tmp_path / "file.json")


def test_version_2_has_unanswerable_questions(tmp_path: Path) -> None:
    impossible = entry("b", is_impossible=True, plausible_answers=[said("Rome", 99)])
    without = {"id": "c", "question": "c?", "is_impossible": True}
    rows = read(tmp_path, entry("a", [said("old", 10)], is_impossible=False), impossible, without)
    assert rows.answers == [[GoldAnswer("old", 10)], [], []]


def test_a_question_without_answers_is_unanswerable_where_others_have_some(tmp_path: Path) -> None:
    assert read(tmp_path, entry("a", [said("old", 10)]), entry("b")).answers == [[GoldAnswer("old", 10)], []]


def test_a_file_of_marked_questions_alone_is_labelled(tmp_path: Path) -> None:
    assert read(tmp_path, entry("a", is_impossible=True)).answers == [[]]


@pytest.mark.parametrize("members", [{"answers": []}, {"answers": [], "is_impossible": False}, {}])
def test_a_file_without_any_answer_has_them_withheld(tmp_path: Path, members: dict[str, Any]) -> None:
    assert read(tmp_path, {"id": "a", "question": "a?", **members}).answers is None


def test_ids_that_are_numbers_become_text(tmp_path: Path) -> None:
    assert read(tmp_path, entry(7), entry("8")).ids == ["7", "8"]


def test_titles_are_none_where_there_are_none(tmp_path: Path) -> None:
    path = tmp_path / "file.json.gz"
    content = {"data": [{"paragraphs": [{"context": CONTEXT, "qas": [entry("a")]}]}]}
    path.write_bytes(gzip.compress(json.dumps(content).encode()))
    assert read_questions(path).titles is None


def test_wrong_offsets_are_mended_or_reported_in_one_warning(tmp_path: Path) -> None:
    # "Rome" begins at 2 and at 15; "Oslo" nowhere.
    answers = [said("Rome", 13), said("Rome", -1), said("Oslo", 2)]
    with pytest.warns(UserWarning) as caught:
        rows = read(tmp_path, entry("a", answers), entry("b", [said("Oslo", 2)]), entry("c", [said("is", 7)]))
    assert rows.answers == [
        [GoldAnswer("Rome", 15), GoldAnswer("Rome", 2), GoldAnswer("Oslo", None)],
        [GoldAnswer("Oslo", None)],
        [GoldAnswer("is", 7)],
    ]
    assert len(caught) == 1
    message = str(caught[0].message)
    assert "4 of 5 answers don't stand at their answer_start" in message
    assert "2 in 1 questions (a) got the nearest place" in message
    assert "2 in 2 questions (a, b) occur nowhere" in message


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ([entry("a"), entry("a")], r"\.qas\[1\]: expected another id\. Received: 'a', which data\[0\]\S+qas\[0\] has"),
        ([{"question": "a?"}], r"data\[0\]\.paragraphs\[0\]\.qas\[0\]: expected a member 'id' \(text\)"),
        ([{"id": "a", "answers": []}], r"qas\[0\] \(id a\): expected a member 'question'"),
        ([entry("a", ["Rome"])], r"\(id a\)\.answers\[0\]: expected an object with 'text'\. Received: \"Rome\""),
        ([entry("a", [{"text": "Rome"}])], r"\(id a\)\.answers\[0\]: expected a member 'answer_start'"),
        ([entry("a", [said("Rome", "2")])], r"'answer_start' to be a whole number\. Received: \"2\""),
        ([entry("a", [said(" ", 0)])], r"answers\[0\]: expected an answer with text"),
        ([entry("a", [said("Rome", 2)], is_impossible=True)], r"\(id a\): expected no answers where 'is_impossible'"),
        ([entry("a", is_impossible=1)], r"'is_impossible' to be true or false\. Received: 1"),
        ([entry("a", [said("Rome", 2)]), {"id": "b", "question": "b?"}], r"qas\[1\] \(id b\): expected a member 'ans"),
        ([], r"Expected questions in .*file\.json"),
        (["a?"], r"qas\[0\]: expected an object with 'id'"),
    ],
)
def test_another_layout_is_refused_at_its_place(tmp_path: Path, entries: list[Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read(tmp_path, *entries)


@pytest.mark.parametrize("context", ["", " \n"])
def test_a_context_without_text_is_refused(tmp_path: Path, context: str) -> None:
    with pytest.raises(ValueError, match=r"file\.json: data\[0\]\.paragraphs\[0\]: expected a context with text"):
        read(tmp_path, entry("a"), context=context)


def test_a_list_is_refused_with_the_folder_to_take(tmp_path: Path) -> None:
    (tmp_path / "cmrc.json").write_text("[]", encoding="utf-8")
    with pytest.raises(ValueError, match="squad-style-data"):
        read_questions(tmp_path / "cmrc.json")


def test_cmrc_dev_has_200_wrong_offsets(shared: Path) -> None:
    rows, messages = read_with_warnings(shared / "data" / "cmrc2018" / "cmrc2018_dev.json")
    assert len(rows) == 3219
    assert rows.answers is not None and sum(map(len, rows.answers)) == 9657
    assert sum(answer.start is None for answers in rows.answers for answer in answers) == 193
    for context, answers in zip(rows.contexts, rows.answers, strict=True):
        assert all(context.startswith(answer.text, answer.start) for answer in answers if answer.start is not None)
    assert len(messages) == 1
    assert "200 of 9,657 answers" in messages[0]
    assert "7 in 3 questions (DEV_101_QUERY_3, DEV_110_QUERY_2, DEV_110_QUERY_3) got" in messages[0]
    assert "193 in 174 questions (DEV_6_QUERY_2," in messages[0]


def test_cmrc_trial_has_five(shared: Path) -> None:
    rows, messages = read_with_warnings(shared / "data" / "cmrc2018" / "cmrc2018_trial.json")
    assert rows.answers is not None and len(rows) == sum(map(len, rows.answers)) == 1002
    assert len(messages) == 1 and "5 of 1,002 answers" in messages[0] and "TRIAL_210_QUERY_0" in messages[0]


@pytest.mark.parametrize(("name", "questions", "articles"), [("xquad.en.json", 1190, 48), ("xquad.zh.json", 1190, 48)])
def test_xquad_is_read_without_a_warning(shared: Path, name: str, questions: int, articles: int) -> None:
    rows = read_questions(shared / "data" / "xquad" / name)
    assert (len(rows), len(set(rows.titles or [])), len(set(rows.contexts))) == (questions, articles, 240)
    assert all(rows.answerable)


def test_squad_2_has_its_unanswerable_questions(shared: Path) -> None:
    rows = read_questions(shared / "data" / "squad2_cs224n" / "dev-v2.0.json")
    assert (len(rows), rows.answerable.count(False), sum(map(len, rows.gold_texts))) == (6078, 3168, 10052)
    assert read_questions(shared / "data" / "squad2_cs224n" / "test-v2.0.json").answers is None

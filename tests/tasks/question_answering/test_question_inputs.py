"""Every form of questions and answers, and what is refused."""

from typing import NamedTuple

import pytest

from keras_albert.tasks.question_answering.questions import as_gold_answers, as_questions, is_questions


class Answer(NamedTuple):
    text: str
    start: int


def test_questions_in_every_form_are_the_same():
    expected = (["who?", "what?"], ["Ann sang.", "Bob ran."])
    pairs = [("who?", "Ann sang."), ("what?", "Bob ran.")]
    dicts = [{"question": question, "context": context, "id": "x"} for question, context in pairs]
    for x in (expected, pairs, [list(pair) for pair in pairs], dicts):
        assert is_questions(x)
        assert as_questions(x) == expected
    assert not is_questions({"token_ids": [[1]]})


@pytest.mark.parametrize(
    ("x", "message"),
    [
        (["who?"], "one text a row, 'who"),
        ([{"question": "who?", "contexts": "Ann"}], r"no 'context' in row 0, \['contexts', 'question'\]"),
        ((["who?", "what?"], ["Ann"]), "2 first, 1 second"),
        ([("who?", None)], "row 0"),
        ([], "no text"),
    ],
)
def test_questions_of_another_form_are_refused(x, message):
    with pytest.raises(ValueError, match=message):
        as_questions(x)


def test_gold_answers_in_every_form_are_the_same():
    ann = {"text": "Ann", "answer_start": 3}
    forms = [ann, [ann, {"text": "other", "answer_start": 0}], Answer("Ann", 3), [Answer("Ann", 3)]]
    assert as_gold_answers(forms, 4) == [("Ann", 3)] * 4
    assert as_gold_answers([None, [], {"text": "", "answer_start": -1}], 3) == [None] * 3


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([None], "1 answers for 2 questions"),
        ("text", "str for 2"),
        ([None, {"text": "Ann"}], r"'Ann'.* in row 1"),
        ([None, {"text": 3, "answer_start": 0}], "row 1"),
        ([None, "Ann"], "'Ann' in row 1"),
    ],
)
def test_gold_answers_of_another_form_are_refused(y, message):
    with pytest.raises(ValueError, match=message):
        as_gold_answers(y, 2)

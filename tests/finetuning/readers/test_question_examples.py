import pytest

from keras_albert.finetuning.readers.questions import GoldAnswer, QuestionExamples

pytestmark = pytest.mark.any_backend


def test_inputs_are_questions_and_contexts() -> None:
    rows = QuestionExamples(["1", "2"], ["Who?", "When?"], ["Ada, 1843.", "Bob."], [[GoldAnswer("Ada", 0)], []])
    assert rows.inputs == (["Who?", "When?"], ["Ada, 1843.", "Bob."])
    assert rows.gold_texts == [["Ada"], []]
    assert rows.answerable == [True, False]


def test_take_keeps_the_columns_together() -> None:
    rows = QuestionExamples(["1", "2"], ["a?", "b?"], ["A", "B"], [[], [GoldAnswer("B", 0)]], ["x", "y"])
    taken = rows.take([1])
    assert (taken.ids, taken.contexts, taken.answers, taken.titles) == (["2"], ["B"], [[GoldAnswer("B", 0)]], ["y"])


def test_labels_are_refused_where_answers_are_not_known() -> None:
    with pytest.raises(ValueError, match=r"with answers in test\.json"):
        _ = QuestionExamples(["1"], ["a?"], ["A"], source="test.json").gold_texts


def test_an_id_that_occurs_twice_is_refused() -> None:
    with pytest.raises(ValueError, match=r"every id once in the rows\. Received: '1' 2 times"):
        QuestionExamples(["1", "0", "1"], ["a?"] * 3, ["A"] * 3)

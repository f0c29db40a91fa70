import json

import pytest
from question_rows import answer

from keras_albert.finetuning.kinds.answer_tables import answer_table, official_null_odds, official_predictions
from keras_albert.finetuning.kinds.question_answering import QuestionAnswering
from keras_albert.finetuning.readers.questions import GoldAnswer, QuestionExamples

pytestmark = pytest.mark.any_backend

CONTEXTS = ["It was Ada Lovelace.", "x" * 300 + " here " + "y" * 300, "z" * 250 + " gold"]
ROWS = QuestionExamples(
    ["q1", "q2", "q3"],
    ["Who?", "Where?", "What?"],
    CONTEXTS,
    [[GoldAnswer("Ada", 7), GoldAnswer("Ada Lovelace", 7), GoldAnswer("Ada", 7)], [], [GoldAnswer("gold", 251)]],
)
ANSWERS = [answer(CONTEXTS[0], "Ada"), answer(CONTEXTS[1], "here"), answer(CONTEXTS[2], "z", null_odds=4.0)]


def test_table_has_the_answers_beside_the_right_ones() -> None:
    table = answer_table(ROWS, ANSWERS)
    assert table["label"] == ["Ada | Ada Lovelace", "", "gold"]
    assert table["prediction"] == ["Ada", "here", ""]
    assert (table["start"], table["end"]) == ([7, 301, None], [10, 305, None])
    assert (table["score"], table["null_odds"], table["null_score"]) == ([2.5] * 3, [-1, -1, 4], [1.5, 1.5, 6.5])
    assert (table["id"], table["question"]) == (ROWS.ids, ROWS.questions)


def test_the_official_file_is_that_of_the_evaluation_scripts() -> None:
    written = json.loads(QuestionAnswering().official_file(ROWS, ANSWERS))
    assert written == {"q1": "Ada", "q2": "here", "q3": ""}


def test_table_shows_the_context_around_the_answer() -> None:
    context = answer_table(ROWS, ANSWERS)["context"]
    assert context[0] == CONTEXTS[0]
    assert context[1] == "…" + "x" * 97 + " here " + "y" * 97 + "…"
    # Nothing was answered: around the right answer, here the end.
    assert context[2] == "…" + "z" * 195 + " gold"


def test_table_is_without_labels_where_they_are_not_known() -> None:
    rows = QuestionExamples(ROWS.ids, ROWS.questions, ROWS.contexts)
    table = answer_table(rows, ANSWERS)
    assert "label" not in table
    assert table["context"][2] == "z" * 200 + "…"


def test_official_files_name_the_questions() -> None:
    assert json.loads(json.dumps(official_predictions(ROWS, ANSWERS))) == {"q1": "Ada", "q2": "here", "q3": ""}
    assert json.loads(json.dumps(official_null_odds(ROWS, ANSWERS))) == {"q1": -1.0, "q2": -1.0, "q3": 4.0}

"""The kind of tagged words, with a model whose logits are given."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from keras_albert.finetuning.kinds.tagging import Tagging, tags_of
from keras_albert.finetuning.readers.tagged import TaggedExamples

pytestmark = pytest.mark.any_backend

TAGS = ("O", "B-LOC", "I-LOC")


@pytest.fixture
def rows() -> TaggedExamples:
    return TaggedExamples(
        ["New  York", "Rome or Oslo"],
        [[(0, 3), (5, 9)], [(0, 4), (5, 7), (8, 12)]],
        [["B-LOC", "I-LOC"], ["B-LOC", "O", "B-LOC"]],
        ["a", "b"],
    )


@pytest.fixture
def model() -> Any:
    # Odds of 3 to 1 to 0 for the first row's words, certainty for the others: New York, Rome, or.
    first = [[-99.0, np.log(3.0), 0.0], [-99.0, 0.0, np.log(3.0)]]
    second = [[0.0, 99.0, 0.0], [0.0, 99.0, 0.0], [99.0, 0.0, 0.0]]
    return SimpleNamespace(tags=TAGS, predict=lambda x, **options: [np.array(first), np.array(second)])


def test_answers_are_entities_of_the_rows_own_text(rows, model):
    answers = Tagging().answer(model, rows, batch_size=2)
    assert answers.tags == [["B-LOC", "I-LOC"], ["B-LOC", "B-LOC", "O"]]
    assert [(entity.text, entity.start, entity.end) for entity in answers.entities[0]] == [("New  York", 0, 9)]
    assert answers.confidences == pytest.approx([0.75, 1.0])


def test_score_table_and_errors_of_answers(rows, model):
    kind = Tagging()
    answers = kind.answer(model, rows, batch_size=2)
    # Right: New York, Rome; found besides: or; missed: Oslo.
    assert kind.score(rows, answers).figures["f1"] == pytest.approx(2 / 3)
    assert kind.errors(rows, answers).tolist() == [0.0, 2.0]
    table = kind.table(rows, answers)
    assert table["label"] == ["[LOC New  York]", "[LOC Rome] [LOC Oslo]"]
    assert table["prediction"] == ["[LOC New  York]", "[LOC Rome] [LOC or]"]
    assert list(table) == ["id", "text", "label", "prediction", "probability"]
    without = TaggedExamples(rows.texts, rows.word_spans)
    assert list(kind.table(without, answers)) == ["text", "prediction", "probability"]


def test_tags_come_from_the_training_rows(rows, model):
    assert Tagging().task_options(rows) == {"tags": list(TAGS)}
    assert Tagging(tags=("O", "X")).task_options(rows) == {"tags": ["O", "X"]}
    assert Tagging().training_data(rows, model) == (rows.words, rows.tags)


def test_schemes_are_completed_and_plain_labels_are_not():
    assert tags_of([["O", "S-A", "B-B", "E-B"]]) == ["O", "B-A", "B-B", "E-A", "E-B", "S-A", "S-B"]
    assert tags_of([["NOUN"], ["ADJ"]]) == ["ADJ", "NOUN"]


def test_what_cannot_be_is_refused(rows, model):
    with pytest.raises(ValueError, match="main_metric among f1"):
        Tagging(main_metric="accuracy_of_all")
    with pytest.raises(ValueError, match="at least two different tags"):
        tags_of([["O"]])
    with pytest.raises(ValueError, match=r"Expected tags in the rows\. Received: none"):
        Tagging().task_options(TaggedExamples(rows.texts, rows.word_spans))
    with pytest.raises(ValueError, match=r"Received: \['I-LOC'\].*Tagging\(tags=...\)"):
        Tagging().training_data(rows, SimpleNamespace(tags=("O", "B-LOC")))

"""Multiple choice as a kind of task: data, answers, table and errors."""

import numpy as np
import pytest

from keras_albert import AlbertBackbone, AlbertMultipleChoice, AlbertMultipleChoicePreprocessor
from keras_albert.finetuning.kinds.multiple_choice import MultipleChoice
from keras_albert.finetuning.readers.choices import ChoiceExamples

ROWS = ChoiceExamples(
    ["good " * 50, "bad", "fine"],
    ["is it?", "is it?", "is it?"],
    [["yes", "no"], ["yes", "no", "perhaps"], ["yes", "no"]],
    labels=[0, 2, 1],
    levels=["middle", "high", "high"],
    ids=["1", "2", "3"],
)
ANSWERS = np.array([[0.75, 0.25, 0.0], [0.5, 0.25, 0.25], [0.25, 0.75, 0.0]])


def test_score_is_the_accuracy_over_all_rows_and_levels():
    metrics = MultipleChoice().score(ROWS, ANSWERS)
    assert metrics.figures == pytest.approx({"accuracy": 2 / 3, "accuracy_middle": 1.0, "accuracy_high": 0.5})
    assert (metrics.value, metrics.rows) == (pytest.approx(2 / 3), 3)


def test_errors_are_the_missing_probability_of_wrong_answers():
    np.testing.assert_allclose(MultipleChoice().errors(ROWS, ANSWERS), [0, np.log(4), 0])


def test_table_names_options_by_letters_and_shortens_contexts():
    table = MultipleChoice().table(ROWS, ANSWERS)
    assert table["context"][0] == ("good " * 40)[:199] + "…"
    assert table["context"][1] == "bad"
    assert table["options"][1] == "A: yes | B: no | C: perhaps"
    assert table["label"] == ["A", "C", "B"]
    assert table["prediction"] == ["A", "A", "B"]
    assert table["probability"] == [0.75, 0.5, 0.75]
    assert (table["id"], table["level"]) == (["1", "2", "3"], ["middle", "high", "high"])


def test_rows_without_labels_are_answered_but_not_scored():
    rows = ChoiceExamples(ROWS.contexts, ROWS.questions, ROWS.options)
    assert "label" not in MultipleChoice().table(rows, ANSWERS)
    with pytest.raises(ValueError, match="questions without answers"):
        MultipleChoice().score(rows, ANSWERS)


def test_answers_are_probabilities_of_the_options(tokenizer):
    backbone = AlbertBackbone(400, 1, 1, 8, 8, 4, max_sequence_length=32)
    preprocessor = AlbertMultipleChoicePreprocessor(tokenizer, sequence_length=32, max_sequence_length=32)
    model = AlbertMultipleChoice(backbone, preprocessor)
    kind = MultipleChoice()
    rows = ROWS.take([1, 2])
    answers = kind.answer(model, rows, batch_size=2)
    np.testing.assert_allclose(answers.sum(axis=-1), 1.0)
    assert answers.shape == (2, 3)
    assert answers[1, 2] == 0.0
    x, y = kind.training_data(rows, model)
    assert x == rows.inputs
    assert y.tolist() == [2, 1]
    model.choice_head.kernel.assign(np.full((8, 1), np.nan))
    with pytest.raises(ValueError, match="no numbers"):
        kind.answer(model, rows, batch_size=2)


def test_another_figure_than_the_accuracy_is_refused():
    with pytest.raises(ValueError, match="main_metric='f1'"):
        MultipleChoice(main_metric="f1")

from pathlib import Path

import numpy as np
import pytest

from keras_albert.finetuning import Examples, Predictions, check_ending, prediction_table, read_examples
from keras_albert.finetuning.predictions import softmax

PREDICTIONS = Predictions(np.array([[0.25, 0.75], [0.9, 0.1]]), ("no", "yes"))


def test_softmax_of_a_hand_calculation_and_of_large_numbers() -> None:
    np.testing.assert_allclose(softmax(np.log([[1.0, 3.0]])), [[0.25, 0.75]])
    np.testing.assert_allclose(softmax(np.array([[1000.0, 1000.0, -1000.0]])), [[0.5, 0.5, 0.0]])


def test_labels_are_those_of_the_largest_probability() -> None:
    assert PREDICTIONS.labels == ["yes", "no"]
    assert PREDICTIONS.confidences == [0.75, 0.9]
    assert PREDICTIONS.numbers.tolist() == [1, 0]


@pytest.mark.parametrize("ending", [".tsv", ".csv", ".jsonl"])
def test_a_table_is_read_again(tmp_path: Path, ending: str) -> None:
    examples = Examples(['a "fine", film', "我们"], ["one", ""], ["yes", "yes"])
    path = tmp_path / f"table{ending}"
    path.write_text(prediction_table(examples, PREDICTIONS, ending), encoding="utf-8")
    again = read_examples(path, "text", "text_pair", "label")
    assert (again.texts, again.pairs, again.labels) == (examples.texts, examples.pairs, examples.labels)
    assert read_examples(path, "text", label="prediction").labels == ["yes", "no"]


def test_tabs_and_line_ends_of_a_text_do_not_break_a_tsv() -> None:
    table = prediction_table(Examples(["a\tb\r\nc", "d"]), PREDICTIONS)
    assert table == "text\tprediction\tprobability\na b c\tyes\t0.750000\nd\tno\t0.900000\n"


def test_probabilities_are_numbers_in_json_lines() -> None:
    assert prediction_table(Examples(["a", "b"]), PREDICTIONS, ".jsonl").splitlines()[1] == (
        '{"text": "b", "prediction": "no", "probability": 0.9}'
    )


def test_another_ending_is_refused() -> None:
    with pytest.raises(ValueError, match=r"\.xlsx"):
        prediction_table(Examples(["a", "b"]), PREDICTIONS, ".xlsx")
    with pytest.raises(ValueError, match=r"out\.txt"):
        check_ending("out.txt")
    assert check_ending("OUT.TSV") == ".tsv"

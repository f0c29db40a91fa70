import json

import pytest

from keras_albert.finetuning.submission import Submission, submission_text

pytestmark = pytest.mark.any_backend


def test_classes_are_a_table_with_the_files_ids() -> None:
    text = submission_text(Submission("CoLA.tsv"), ["3", "7"], ["1", "0"])
    assert text == "index\tprediction\n3\t1\n7\t0\n"


def test_rows_without_ids_are_numbered_from_0() -> None:
    assert submission_text(Submission("CoLA.tsv"), None, ["1", "0"]) == "index\tprediction\n0\t1\n1\t0\n"


def test_scores_are_cut_to_their_range() -> None:
    text = submission_text(Submission("STS-B.tsv", score_range=(0.0, 5.0)), None, [-0.2, 2.34567, 5.1])
    assert text == "index\tprediction\n0\t0.000\n1\t2.346\n2\t5.000\n"


def test_clue_takes_json_lines() -> None:
    text = submission_text(Submission("tnews11_predict.json", "clue"), ["0", "x"], ["108", "115"])
    assert [json.loads(line) for line in text.splitlines()] == [{"id": 0, "label": "108"}, {"id": "x", "label": "115"}]


def test_another_number_of_ids_is_refused() -> None:
    with pytest.raises(ValueError, match="1 ids, 2 labels"):
        submission_text(Submission("CoLA.tsv"), ["0"], ["1", "0"])

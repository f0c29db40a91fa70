import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from keras_albert.finetuning.metrics.cmrc import cmrc_scores, longest_common_run, segments

pytestmark = pytest.mark.any_backend


@pytest.fixture(scope="module")
def golden(shared: Path) -> dict[str, Any]:
    return json.loads((shared / "golden" / "metrics" / "cmrc_em_f1.json").read_text(encoding="utf-8"))


def test_segments_are_as_in_the_official_script(golden: dict[str, Any]) -> None:
    assert len(golden["cases"]) == 105
    for case in golden["cases"]:
        found = segments(case["prediction"])
        assert found == case["segments_prediction"]
        assert segments(case["prediction"], keep_punctuation=True) == case["segments_prediction_keep_punc"]
        golds = [segments(answer) for answer in case["answers"]]
        assert golds == case["segments_answers"]
        assert [longest_common_run(found, gold) for gold in golds] == case["lcs"]


def test_scores_are_as_in_the_official_script(golden: dict[str, Any]) -> None:
    cases = golden["cases"]
    scores = cmrc_scores([case["prediction"] for case in cases], [case["answers"] for case in cases])
    np.testing.assert_array_equal(scores.exact, [case["em"] for case in cases])
    np.testing.assert_allclose(scores.f1, [case["f1"] for case in cases], rtol=1e-12)


def test_averages_are_as_in_the_official_script(golden: dict[str, Any]) -> None:
    questions = [q for a in golden["dataset"]["data"] for p in a["paragraphs"] for q in p["qas"]]
    predictions = [golden["predictions"].get(question["id"]) for question in questions]
    assert (len(predictions), predictions.count(None)) == (golden["overall"]["TOTAL"], golden["overall"]["SKIP"])
    scores = cmrc_scores(predictions, [[gold["text"] for gold in q["answers"]] for q in questions])
    assert 100 * scores.exact.mean() == pytest.approx(golden["overall"]["EM"], abs=1e-9)
    assert 100 * scores.f1.mean() == pytest.approx(golden["overall"]["F1"], abs=1e-9)


def test_an_unanswerable_question_wants_no_answer() -> None:
    scores = cmrc_scores(["", "北京", None], [[], [], []])
    assert scores.exact.tolist() == scores.f1.tolist() == [1, 0, 0]


def test_another_number_of_predictions_is_refused() -> None:
    with pytest.raises(ValueError, match="1 for 2"):
        cmrc_scores(["一"], [["一"], ["二"]])


def test_chinese_ends_where_the_official_script_ends_it() -> None:
    # U+9FA5 is cut, U+9FA6 and Extension A are not.
    assert segments("龥龥") == ["龥", "龥"]
    assert segments("龦龦㐀") == ["龦龦㐀"]

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from keras_albert.finetuning.metrics.squad import normalize_answer, squad_scores

pytestmark = pytest.mark.any_backend


@pytest.fixture(scope="module")
def cases(shared: Path) -> list[dict[str, Any]]:
    path = shared / "golden" / "metrics" / "squad_em_f1.json"
    return json.loads(path.read_text(encoding="utf-8"))["cases"]


def test_normalization_is_as_in_googles_code(cases: list[dict[str, Any]]) -> None:
    assert [normalize_answer(case["prediction"]) for case in cases] == [c["normalized_prediction"] for c in cases]


@pytest.mark.parametrize(("rules", "key", "exact"), [("v1.1", "v1", "exact_match"), ("v2.0", "v2", "exact")])
def test_scores_are_as_in_googles_code(cases: list[dict[str, Any]], rules: Any, key: str, exact: str) -> None:
    scores = squad_scores([case["prediction"] for case in cases], [case["ground_truths"] for case in cases], rules)
    np.testing.assert_array_equal(scores.exact, [case[key][exact] for case in cases])
    np.testing.assert_allclose(scores.f1, [case[key]["f1"] for case in cases], rtol=1e-12)


@pytest.mark.parametrize("run", ["a", "ties", "a_then_b", "a_then_b_without_every_third"])
def test_averages_are_as_in_googles_evaluation(shared: Path, run: str) -> None:
    folder = shared / "golden" / "squad"
    content = json.loads((folder / "v1_input.json").read_text(encoding="utf-8"))
    expected = json.loads((folder / "v1_info.json").read_text(encoding="utf-8"))["metrics"][run]
    predictions = json.loads(
        (folder / f"v1_predictions_{run.removesuffix('_without_every_third')}.json").read_text(encoding="utf-8")
    )
    questions = [q for a in content["data"] for p in a["paragraphs"] for q in p["qas"]]
    answers: list[str | None] = [predictions[question["id"]] for question in questions]
    if run.endswith("third"):
        answers = [None if number % 3 == 0 else answer for number, answer in enumerate(answers)]
    scores = squad_scores(answers, [[gold["text"] for gold in q["answers"]] for q in questions], "v1.1")
    assert 100 * scores.exact.mean() == pytest.approx(expected["exact_match"], abs=1e-9)
    assert 100 * scores.f1.mean() == pytest.approx(expected["f1"], abs=1e-9)


def test_a_missing_prediction_scores_nothing() -> None:
    scores = squad_scores([None, ""], [[], []])
    assert scores.exact.tolist() == scores.f1.tolist() == [0, 1]


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="1 for 2"):
        squad_scores(["a"], [["a"], []])
    with pytest.raises(ValueError, match=r"v2\.0 knows unanswerable"):
        squad_scores(["a"], [[]], "v1.1")
    with pytest.raises(ValueError, match="rules='v3'"):
        squad_scores(["a"], [["a"]], "v3")  # type: ignore[arg-type]

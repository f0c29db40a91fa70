import json
from pathlib import Path

import numpy as np
import pytest

from keras_albert.finetuning.metrics.regression import regression_metrics

pytestmark = pytest.mark.any_backend

CASES = [
    "stsb_like_100",
    "stsb_ties_in_labels_200",
    "ties_in_both_200",
    "negative_50",
    "monotone_nonlinear_40",
    "exact_10",
    "two_points",
    "constant_predictions",
    "constant_labels",
    "large_offset",
    "one_outlier",
    "tiny_scale",
]


@pytest.fixture(scope="module")
def golden_cases(shared: Path) -> dict[str, dict]:
    content = json.loads((shared / "golden" / "metrics" / "glue_metrics.json").read_text(encoding="utf-8"))
    return {case["name"]: case for case in content["cases"]}


@pytest.mark.parametrize("name", CASES)
def test_figures_are_those_of_the_stored_vectors(golden_cases: dict[str, dict], name: str) -> None:
    case = golden_cases[name]
    metrics = regression_metrics(np.array(case["labels"]), np.array(case["predictions"]))
    expected = {figure: np.nan if value is None else value for figure, value in case["expected"].items()}
    assert metrics.figures == pytest.approx(expected, rel=1e-12, abs=1e-12, nan_ok=True)


def test_figures_of_a_hand_calculation() -> None:
    # Deviations -2, -1, 3 and -1, 0, 1: 5 / sqrt(14 * 2).
    metrics = regression_metrics(np.array([0.0, 1.0, 5.0]), np.array([1.0, 2.0, 3.0]))
    assert metrics.value == pytest.approx(5 / np.sqrt(28))
    assert metrics.figures["spearman"] == pytest.approx(1)
    assert metrics.figures["mse"] == pytest.approx((1 + 1 + 4) / 3)
    assert (metrics.baseline, metrics.baseline_name) == (0, "always the mean, 2")
    assert metrics.details["baseline_mse"] == pytest.approx(14 / 3)
    assert regression_metrics(np.array([0.0, 1.0, 5.0]), np.array([1.0, 0.0, 3.0]), main="spearman").value == (
        pytest.approx(0.5)
    )


@pytest.mark.parametrize(
    ("labels", "predictions"), [([1.0], [2.0]), ([1.0, 1.0], [2.0, 3.0]), ([1.0, 2.0], [3.0, 3.0])]
)
def test_a_correlation_that_is_not_defined_is_null_in_json(labels: list[float], predictions: list[float]) -> None:
    content = regression_metrics(np.array(labels), np.array(predictions)).as_dict()
    assert content["pearson"] is None
    assert content["spearman"] is None
    assert json.loads(json.dumps(content, allow_nan=False)) == content


def test_no_rows_and_an_error_as_main_metric_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one row"):
        regression_metrics(np.array([]), np.array([]))
    with pytest.raises(ValueError, match=r"among pearson, spearman.*main_metric='mse'"):
        regression_metrics(np.array([1.0]), np.array([1.0]), main="mse")

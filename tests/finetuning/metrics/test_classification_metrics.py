import json
from pathlib import Path

import numpy as np
import pytest

from keras_albert.finetuning.metrics.classification import class_metrics, class_set_metrics

pytestmark = pytest.mark.any_backend

CASES = [
    "random_balanced_100",
    "skewed_150",
    "rare_positive_120",
    "predict_all_one",
    "predict_all_zero",
    "labels_all_one",
    "labels_all_zero_pred_zero",
    "labels_all_one_pred_one",
    "single_right",
    "single_wrong",
    "all_wrong_30",
    "three_way_90",
    "three_way_missing_class",
    "fifteen_way_300",
]
NAMES = {"matthews_corrcoef": "matthews", "f1_macro": "macro_f1", "f1_micro": "micro_f1", "f1_weighted": "weighted_f1"}


@pytest.fixture(scope="module")
def golden_cases(shared: Path) -> dict[str, dict]:
    content = json.loads((shared / "golden" / "metrics" / "glue_metrics.json").read_text(encoding="utf-8"))
    return {case["name"]: case for case in content["cases"]}


@pytest.mark.parametrize("name", CASES)
def test_figures_are_those_of_the_stored_vectors(golden_cases: dict[str, dict], name: str) -> None:
    case = golden_cases[name]
    labels, predictions = np.array(case["labels"]), np.array(case["predictions"])
    class_names = [str(number) for number in range(max(2, labels.max() + 1, predictions.max() + 1))]
    metrics = class_metrics(labels, predictions, class_names)
    expected = dict(case["expected"])
    if "f1_pos_label_0" in expected:
        assert metrics.details["classes"]["0"]["f1"] == pytest.approx(expected.pop("f1_pos_label_0"), abs=1e-12)
    figures = {NAMES.get(figure, figure): value for figure, value in expected.items()}
    assert {figure: metrics.figures[figure] for figure in figures} == pytest.approx(figures, abs=1e-12)


def test_figures_of_a_hand_calculation() -> None:
    # Three classes; class "c" is never predicted, class "b" is the most frequent.
    labels = np.array([0, 1, 1, 1, 2, 2])
    predictions = np.array([0, 1, 0, 1, 0, 1])
    metrics = class_metrics(labels, predictions, ["a", "b", "c"])
    assert (metrics.main, metrics.value, metrics.rows) == ("accuracy", pytest.approx(3 / 6), 6)
    assert (metrics.baseline, metrics.baseline_name) == (pytest.approx(3 / 6), "always 'b'")
    assert metrics.confusion is not None
    assert metrics.confusion.tolist() == [[1, 0, 0], [1, 2, 0], [1, 1, 0]]
    assert metrics.details["classes"]["b"] == pytest.approx(
        {"precision": 2 / 3, "recall": 2 / 3, "f1": 2 / 3, "rows": 3}
    )
    assert metrics.details["classes"]["c"] == {"precision": 0, "recall": 0, "f1": 0, "rows": 2}
    assert "f1" not in metrics.figures


def test_precision_and_recall_are_of_class_1() -> None:
    metrics = class_metrics(np.array([0, 0, 1, 1, 1]), np.array([1, 1, 1, 0, 1]), ["no", "yes"], main="f1")
    assert metrics.figures["precision"] == pytest.approx(2 / 4)
    assert metrics.figures["recall"] == pytest.approx(2 / 3)
    assert metrics.value == pytest.approx(4 / 7)
    # Always "yes": precision 3/5, recall 1.
    assert metrics.baseline == pytest.approx(6 / 8)


def test_baseline_of_the_matthews_correlation_is_0() -> None:
    labels = np.array([0, 1, 1, 0, 1])
    metrics = class_metrics(labels, labels, ["0", "1"], main="matthews")
    assert (metrics.value, metrics.baseline, metrics.baseline_name) == (1.0, 0.0, "always '1'")


def test_a_class_without_rows_keeps_its_place() -> None:
    metrics = class_metrics(np.array([1, 1]), np.array([1, 1]), ["a", "b", "c"])
    assert metrics.confusion is not None
    assert metrics.confusion.tolist() == [[0, 0, 0], [0, 2, 0], [0, 0, 0]]
    assert (metrics.baseline, metrics.figures["macro_f1"]) == (1.0, 1.0)


def test_figures_fit_into_json() -> None:
    content = class_metrics(np.array([0, 1, 1]), np.array([0, 1, 0]), ["no", "yes"]).as_dict()
    assert json.loads(json.dumps(content)) == content
    assert content["confusion_matrix"] == [[1, 0], [1, 1]]
    assert content["baseline_name"] == "always 'yes'"


@pytest.mark.parametrize("figures", [class_metrics, class_set_metrics])
def test_no_rows_and_an_unknown_figure_are_refused(figures) -> None:
    with pytest.raises(ValueError, match="at least one row"):
        figures(np.zeros((0, 2), int), np.zeros((0, 2), int), ["a", "b"])
    labels = np.array([0, 1]) if figures is class_metrics else np.eye(2, dtype=int)
    with pytest.raises(ValueError, match="main_metric='f2'"):
        figures(labels, labels, ["a", "b"], main="f2")


def test_figures_of_sets_of_classes_of_a_hand_calculation() -> None:
    labels = np.array([[1, 0, 0], [1, 1, 0], [1, 0, 0], [0, 0, 1]])
    predictions = np.array([[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    metrics = class_set_metrics(labels, predictions, ["a", "b", "c"])
    # Class a: 2 right, 1 missed; b: 1 wrong, 1 missed; c: right. Together 3 right, 1 wrong, 2 missed.
    assert metrics.figures == pytest.approx(
        {"micro_f1": 6 / 9, "macro_f1": (4 / 5 + 0 + 1) / 3, "subset_accuracy": 2 / 4}
    )
    # The most frequent set is {a}: 3 right, 1 wrong, 2 missed.
    assert (metrics.baseline, metrics.baseline_name) == (pytest.approx(6 / 9), "always ['a']")
    assert metrics.details["classes"]["a"] == pytest.approx({"precision": 1, "recall": 2 / 3, "f1": 4 / 5, "rows": 3})
    assert metrics.confusion is None


def test_empty_sets_of_classes_do_not_divide_by_0() -> None:
    metrics = class_set_metrics(np.zeros((2, 2)), np.zeros((2, 2)), ["a", "b"])
    assert metrics.figures == {"micro_f1": 0, "macro_f1": 0, "subset_accuracy": 1}
    assert metrics.baseline_name == "always []"

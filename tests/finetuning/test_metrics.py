import json

import numpy as np
import pytest

from keras_albert.finetuning import classification_metrics


def test_figures_of_a_hand_calculation() -> None:
    # Three classes; class 2 is never predicted, class 1 is the most frequent.
    labels = np.array([0, 1, 1, 1, 2, 2])
    predictions = np.array([0, 1, 0, 1, 0, 1])
    metrics = classification_metrics(labels, predictions, ["a", "b", "c"])
    assert metrics.accuracy == pytest.approx(3 / 6)
    assert metrics.majority_baseline == pytest.approx(3 / 6)
    assert metrics.majority_class == "b"
    assert metrics.rows == 6
    assert metrics.confusion.tolist() == [[1, 0, 0], [1, 2, 0], [1, 1, 0]]


def test_a_class_without_rows_keeps_its_place() -> None:
    metrics = classification_metrics(np.array([1, 1]), np.array([1, 1]), ["a", "b", "c"])
    assert metrics.confusion.tolist() == [[0, 0, 0], [0, 2, 0], [0, 0, 0]]
    assert metrics.majority_baseline == 1.0


def test_figures_fit_into_json() -> None:
    metrics = classification_metrics(np.array([0, 1, 1]), np.array([0, 1, 0]), ["no", "yes"])
    assert json.loads(json.dumps(metrics.as_dict())) == {
        "accuracy": pytest.approx(2 / 3),
        "majority_baseline": pytest.approx(2 / 3),
        "majority_class": "yes",
        "rows": 3,
        "class_names": ["no", "yes"],
        "confusion_matrix": [[1, 0], [1, 1]],
    }


def test_no_rows_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one row"):
        classification_metrics(np.array([]), np.array([]), ["a", "b"])

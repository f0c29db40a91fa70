"""The accuracy of chosen options, by hand."""

import numpy as np
import pytest

from keras_albert.finetuning.metrics.choice import choice_metrics

pytestmark = pytest.mark.any_backend


def test_accuracy_is_over_all_rows_and_over_each_level():
    labels, predictions = np.array([0, 1, 2, 2, 3]), np.array([0, 0, 2, 1, 3])
    metrics = choice_metrics(labels, predictions, ["middle", "middle", "high", "high", "high"])
    assert metrics.figures == pytest.approx({"accuracy": 3 / 5, "accuracy_middle": 1 / 2, "accuracy_high": 2 / 3})
    assert metrics.rows == 5
    assert metrics.as_dict()["rows_of_level"] == {"middle": 2, "high": 3}


def test_baseline_is_the_most_frequent_position():
    metrics = choice_metrics(np.array([0, 2, 2, 3]), np.array([0, 0, 0, 0]))
    assert (metrics.baseline, metrics.baseline_name) == (0.5, "always option C")


@pytest.mark.parametrize("levels", [None, ["logic"] * 2])
def test_one_level_has_no_figure_of_its_own(levels):
    assert set(choice_metrics(np.array([0, 1]), np.array([0, 1]), levels).figures) == {"accuracy"}

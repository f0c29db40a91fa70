"""How well labels were predicted: accuracy, the majority class to compare it with, the confusion matrix.

Accuracy is the metric of SST-2 in google-research/albert run_classifier.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.dummy import DummyClassifier
from sklearn.metrics import accuracy_score, confusion_matrix


@dataclass(frozen=True)
class ClassificationMetrics:
    """The figures of one set of predictions.

    Args:
        accuracy: share of right predictions, in [0, 1].
        majority_baseline: the accuracy of always predicting `majority_class`.
        majority_class: the most frequent class of these rows.
        rows: number of rows.
        confusion: int (C, C): rows of true class i that were predicted as class j.
        class_names: the C names.
    """

    accuracy: float
    majority_baseline: float
    majority_class: str
    rows: int
    confusion: np.ndarray
    class_names: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as JSON takes them."""
        return {
            "accuracy": self.accuracy,
            "majority_baseline": self.majority_baseline,
            "majority_class": self.majority_class,
            "rows": self.rows,
            "class_names": list(self.class_names),
            "confusion_matrix": self.confusion.tolist(),
        }


def classification_metrics(
    labels: np.ndarray, predictions: np.ndarray, class_names: Sequence[str]
) -> ClassificationMetrics:
    """Compare predictions with labels.

    Args:
        labels: int (N,), the right classes.
        predictions: int (N,), the predicted classes.
        class_names: the name of each class.

    Raises:
        ValueError: no row.

    Example:
        >>> metrics = classification_metrics(np.array([0, 1, 1]), np.array([0, 1, 0]), ["no", "yes"])
        >>> round(metrics.accuracy, 3), round(metrics.majority_baseline, 3), metrics.majority_class
        (0.667, 0.667, 'yes')
    """
    if not len(labels):
        raise ValueError("Expected at least one row to compute metrics of. Received: none")
    rows = np.zeros((len(labels), 1))
    majority = DummyClassifier(strategy="most_frequent").fit(rows, labels)
    return ClassificationMetrics(
        accuracy=float(accuracy_score(labels, predictions)),
        majority_baseline=float(majority.score(rows, labels)),
        majority_class=class_names[int(majority.predict(rows[:1])[0])],
        rows=len(labels),
        confusion=confusion_matrix(labels, predictions, labels=range(len(class_names))),
        class_names=tuple(class_names),
    )

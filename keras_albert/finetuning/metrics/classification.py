"""How well classes were predicted: accuracy, F1, Matthews correlation, the confusion matrix.

`metric_fn` of google-research/albert classifier_utils.py gives accuracy and, for CoLA, the Matthews correlation; the
others are GLUE's own (F1 of the positive class for MRPC and QQP) and the averages that scikit-learn defines.
"""

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.metrics import (
    accuracy_score,
    confusion_matrix,
    f1_score,
    matthews_corrcoef,
    precision_recall_fscore_support,
)

from keras_albert.finetuning.metrics.metrics import Metrics

CLASS_FIGURES = ("accuracy", "f1", "precision", "recall", "macro_f1", "micro_f1", "weighted_f1", "matthews")
CLASS_SET_FIGURES = ("micro_f1", "macro_f1", "subset_accuracy")


def class_metrics(
    labels: np.ndarray, predictions: np.ndarray, class_names: Sequence[str], main: str = "accuracy"
) -> Metrics:
    """Compare predicted classes with the right ones; the baseline is the class that is most frequent among these rows.

    Args:
        labels: int (N,), the numbers of the right classes.
        predictions: int (N,), the numbers of the predicted classes.
        class_names: the name of each class.
        main: the main figure.

    Returns:
        `accuracy`, `macro_f1`, `micro_f1`, `weighted_f1` (averages over the classes that occur) and `matthews`; of two
        classes also `f1`, `precision` and `recall` of class 1. What would be divided by 0 is 0.

    Raises:
        ValueError: no row, or no such figure.

    Example:
        >>> metrics = class_metrics(np.array([0, 1, 1]), np.array([0, 1, 0]), ["no", "yes"])
        >>> round(metrics.value, 3), round(metrics.baseline, 3), metrics.baseline_name
        (0.667, 0.667, "always 'yes'")
    """
    _check_rows(labels)
    figures, details = _class_figures(labels, predictions, class_names)
    _check_main(main, figures)
    most_frequent = int(np.bincount(labels, minlength=len(class_names)).argmax())
    always, _ = _class_figures(labels, np.full_like(predictions, most_frequent), class_names)
    return Metrics(
        figures=figures,
        main=main,
        rows=len(labels),
        baseline=always[main],
        baseline_name=f"always {class_names[most_frequent]!r}",
        confusion=confusion_matrix(labels, predictions, labels=range(len(class_names))),
        class_names=tuple(class_names),
        details=details,
    )


def class_set_metrics(
    labels: np.ndarray, predictions: np.ndarray, class_names: Sequence[str], main: str = "micro_f1"
) -> Metrics:
    """Compare predicted sets of classes with the right ones; the baseline is the set that is most frequent.

    Args:
        labels: (N, C), 1 where a row has the class, else 0.
        predictions: (N, C), 1 where the class was predicted, else 0.
        class_names: the C names.
        main: the main figure.

    Returns:
        `micro_f1`, `macro_f1` and `subset_accuracy`, the share of rows whose whole set is right. What would be divided
        by 0 is 0.

    Raises:
        ValueError: no row, or no such figure.

    Example:
        >>> metrics = class_set_metrics(np.array([[1, 0], [1, 1]]), np.array([[1, 0], [1, 0]]), ["a", "b"])
        >>> metrics.figures["subset_accuracy"], metrics.value
        (0.5, 0.8)
    """
    _check_rows(labels)
    labels, predictions = np.asarray(labels, "int64"), np.asarray(predictions, "int64")
    figures = _class_set_figures(labels, predictions)
    _check_main(main, figures)
    sets, counts = np.unique(labels, axis=0, return_counts=True)
    most_frequent = sets[counts.argmax()]
    names = [name for name, there in zip(class_names, most_frequent, strict=True) if there]
    return Metrics(
        figures=figures,
        main=main,
        rows=len(labels),
        baseline=_class_set_figures(labels, np.broadcast_to(most_frequent, labels.shape))[main],
        baseline_name=f"always {names}",
        class_names=tuple(class_names),
        details={"classes": _table_of_classes(labels, predictions, class_names)},
    )


def _class_figures(
    labels: np.ndarray, predictions: np.ndarray, class_names: Sequence[str]
) -> tuple[dict[str, float], dict[str, Any]]:
    figures = {"accuracy": float(accuracy_score(labels, predictions))}
    classes = _table_of_classes(labels, predictions, class_names, range(len(class_names)))
    if len(class_names) == 2:
        figures |= {name: classes[class_names[1]][name] for name in ("f1", "precision", "recall")}
    for average in ("macro", "micro", "weighted"):
        figures[f"{average}_f1"] = float(f1_score(labels, predictions, average=average, zero_division=0))
    with warnings.catch_warnings():
        # scikit-learn warns where one class alone occurs; the coefficient is 0 there.
        warnings.simplefilter("ignore")
        figures["matthews"] = float(matthews_corrcoef(labels, predictions))
    return figures, {"classes": classes}


def _class_set_figures(labels: np.ndarray, predictions: np.ndarray) -> dict[str, float]:
    averages = {
        f"{average}_f1": float(f1_score(labels, predictions, average=average, zero_division=0))
        for average in ("micro", "macro")
    }
    return averages | {"subset_accuracy": float((labels == predictions).all(axis=1).mean())}


def _table_of_classes(
    labels: np.ndarray, predictions: np.ndarray, class_names: Sequence[str], numbers: range | None = None
) -> dict[str, dict[str, Any]]:
    columns = precision_recall_fscore_support(labels, predictions, labels=numbers, zero_division=0)
    names = ("precision", "recall", "f1", "rows")
    rows = [dict(zip(names, map(float, row), strict=True)) for row in zip(*columns, strict=True)]
    return {name: row | {"rows": int(row["rows"])} for name, row in zip(class_names, rows, strict=True)}


def _check_rows(labels: np.ndarray) -> None:
    if not len(labels):
        raise ValueError("Expected at least one row to compute metrics of. Received: none")


def _check_main(main: str, figures: Mapping[str, float]) -> None:
    if main not in figures:
        raise ValueError(f"Expected the main metric to be one of {', '.join(figures)}. Received: main_metric={main!r}")

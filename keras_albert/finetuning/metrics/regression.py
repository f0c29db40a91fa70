"""How well scores were predicted: Pearson's and Spearman's correlation, the mean squared error.

GLUE's figures for STS-B are the two correlations; `metric_fn` of google-research/albert classifier_utils.py gives the
first and the error.
"""

import numpy as np
from scipy.stats import pearsonr, spearmanr
from sklearn.metrics import mean_squared_error

from keras_albert.finetuning.metrics.metrics import Metrics

# More of each is better, as a main figure must be.
CORRELATIONS = ("pearson", "spearman")


def regression_metrics(labels: np.ndarray, predictions: np.ndarray, main: str = "pearson") -> Metrics:
    """Compare predicted scores with the right ones; the baseline is the mean, whose correlation counts as 0.

    Args:
        labels: float (N,), the right scores.
        predictions: float (N,), the predicted ones.
        main: "pearson" or "spearman".

    Returns:
        `pearson`, `spearman` (nan where they are not defined: fewer than two rows, or one value throughout) and `mse`,
        in the squared unit of the labels.

    Raises:
        ValueError: no row, or no such figure.

    Example:
        >>> metrics = regression_metrics(np.array([0.0, 1.0, 5.0]), np.array([0.0, 2.0, 3.0]))
        >>> round(metrics.value, 3), round(metrics.figures["spearman"], 3), round(metrics.figures["mse"], 3)
        (0.866, 1.0, 1.667)
    """
    labels, predictions = np.asarray(labels, "float64"), np.asarray(predictions, "float64")
    if not len(labels):
        raise ValueError("Expected at least one row to compute metrics of. Received: none")
    if main not in CORRELATIONS:
        raise ValueError(f"Expected main_metric among {', '.join(CORRELATIONS)}. Received: main_metric={main!r}")
    # SciPy warns or fails where a correlation is not defined.
    defined = np.ptp(labels) > 0 and np.ptp(predictions) > 0
    return Metrics(
        figures={
            "pearson": float(pearsonr(labels, predictions).statistic) if defined else np.nan,
            "spearman": float(spearmanr(labels, predictions).statistic) if defined else np.nan,
            "mse": float(mean_squared_error(labels, predictions)),
        },
        main=main,
        rows=len(labels),
        baseline=0.0,
        baseline_name=f"always the mean, {labels.mean():.3g}",
        details={"baseline_mse": float(labels.var())},
    )

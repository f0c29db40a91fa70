"""Scores of texts and of pairs of texts.

STS-B in `create_model` of google-research/albert classifier_utils.py; paper section 4.1 (GLUE).
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from keras_albert.finetuning.kinds.class_answers import finite
from keras_albert.finetuning.kinds.kind import Kind
from keras_albert.finetuning.metrics.metrics import Metrics
from keras_albert.finetuning.metrics.regression import CORRELATIONS, regression_metrics
from keras_albert.finetuning.readers.cells import LabelType
from keras_albert.finetuning.readers.examples import Examples
from keras_albert.tasks.regressor import AlbertRegressor


@dataclass(frozen=True)
class Regression(Kind):
    """Texts or pairs of texts, each with a score.

    Args:
        main_metric: "pearson", as by default, or "spearman".

    Raises:
        ValueError: no such figure.
    """

    name: ClassVar[str] = "regression"
    task_class: ClassVar[type[AlbertRegressor]] = AlbertRegressor
    rows_class: ClassVar[type[Examples]] = Examples
    dropout_option: ClassVar[str] = "regressor_dropout"
    label_type: ClassVar[LabelType] = "number"

    def __post_init__(self) -> None:
        """Check the main metric before anything is trained."""
        if self.main_metric not in (None, *CORRELATIONS):
            raise ValueError(
                f"Expected main_metric among {', '.join(CORRELATIONS)}. Received: main_metric={self.main_metric!r}"
            )

    def task_options(self, train: Examples) -> dict[str, Any]:
        """Return nothing: the scores' scale is learnt."""
        return {}

    def rows_of_texts(self, texts: list[str], source: str) -> Examples:
        """Return texts as rows."""
        return Examples(texts, source=source)

    def training_data(self, rows: Examples, model: AlbertRegressor) -> tuple[Any, np.ndarray]:
        """Return the texts or the two columns of the pairs, and the scores, float32 (N,)."""
        return rows.inputs, rows.label_values().astype("float32")

    def answer(self, model: AlbertRegressor, rows: Examples, batch_size: int, verbose: str | int = 0) -> np.ndarray:
        """Return the predicted scores, float64 (N,).

        Raises:
            ValueError: outputs that are no numbers.
        """
        return finite(model.predict(rows.inputs, batch_size=batch_size, verbose=verbose))

    def score(self, rows: Examples, answers: np.ndarray) -> Metrics:
        """Compare predictions with the labels of the rows; see `regression_metrics`.

        Raises:
            ValueError: rows without labels, or with labels that are no numbers.
        """
        return regression_metrics(rows.label_values(), answers, self.main_metric or "pearson")

    def table(self, rows: Examples, answers: np.ndarray) -> dict[str, list[Any]]:
        """Return `id`, `text`, `text_pair` and `label` where there are some, and `prediction`."""
        columns = {"id": rows.ids, "text": rows.texts, "text_pair": rows.pairs, "label": rows.labels}
        there: dict[str, list[Any]] = {name: column for name, column in columns.items() if column is not None}
        return there | {"prediction": answers.tolist()}

    def errors(self, rows: Examples, answers: np.ndarray) -> np.ndarray:
        """Return the distance of each prediction from its label, float64 (N,)."""
        return np.abs(rows.label_values() - answers)

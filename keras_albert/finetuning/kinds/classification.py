"""Classes of texts and of pairs of texts: one each, or any number each.

`create_model` of google-research/albert classifier_utils.py; paper section 4.1 (GLUE).
"""

import json
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from keras_albert.finetuning.kinds.class_answers import ClassAnswers
from keras_albert.finetuning.kinds.kind import Kind
from keras_albert.finetuning.metrics.classification import (
    CLASS_FIGURES,
    CLASS_SET_FIGURES,
    class_metrics,
    class_set_metrics,
)
from keras_albert.finetuning.metrics.metrics import Metrics
from keras_albert.finetuning.readers.cells import LabelType
from keras_albert.finetuning.readers.examples import Examples, class_names_of
from keras_albert.tasks import AlbertClassifier


@dataclass(frozen=True)
class Classification(Kind):
    """Texts or pairs of texts, each with a class, or with `multi_label` with any number of classes.

    Args:
        main_metric: a figure of `class_metrics` or `class_set_metrics`; by default the accuracy, and of several classes
            each the micro-averaged F1.
        class_names: the classes in the order of their numbers; None takes those of the training rows, sorted.
        multi_label: whether labels are lists of names.

    Raises:
        ValueError: no such figure.
    """

    class_names: tuple[str, ...] | None = None
    multi_label: bool = False

    name: ClassVar[str] = "classification"
    task_class: ClassVar[type[AlbertClassifier]] = AlbertClassifier
    rows_class: ClassVar[type[Examples]] = Examples
    dropout_option: ClassVar[str] = "classifier_dropout"

    def __post_init__(self) -> None:
        """Check the main metric before anything is trained."""
        known = CLASS_SET_FIGURES if self.multi_label else CLASS_FIGURES
        if self.main_metric is not None and self.main_metric not in known:
            raise ValueError(
                f"Expected main_metric among {', '.join(known)}. Received: main_metric={self.main_metric!r}"
            )

    @property
    def label_type(self) -> LabelType:
        """What a cell of labels holds, as `read_examples` takes it."""
        return "names" if self.multi_label else "name"

    @property
    def main(self) -> str:
        """The name of the main figure."""
        return self.main_metric or ("micro_f1" if self.multi_label else "accuracy")

    def task_options(self, train: Examples) -> dict[str, Any]:
        """Return the class names, and whether a text may have several.

        Raises:
            ValueError: no labels, fewer than two classes, or a main metric of two classes where there are more.
        """
        names = list(self.class_names or class_names_of(train))
        if self.main in ("f1", "precision", "recall") and len(names) != 2:
            raise ValueError(
                f"Expected two classes for {self.main}, which is of the second. Received: {names}. "
                "Take macro_f1, micro_f1 or weighted_f1."
            )
        return {"class_names": names} | ({"multi_label": True} if self.multi_label else {})

    def rows_of_texts(self, texts: list[str], source: str) -> Examples:
        """Return texts as rows."""
        return Examples(texts, source=source)

    def guessing_loss(self, model: AlbertClassifier) -> float:
        """Return ln(classes), or ln(2) where each class is a question of its own."""
        return float(np.log(2 if self.multi_label else model.num_classes))

    def training_data(self, rows: Examples, model: AlbertClassifier) -> tuple[Any, np.ndarray]:
        """Return the texts or the two columns of the pairs, and the labels: int64 (N,) or float32 (N, C)."""
        names = _class_names(model)
        return rows.inputs, rows.label_matrix(names) if self.multi_label else rows.label_numbers(names)

    def answer(self, model: AlbertClassifier, rows: Examples, batch_size: int, verbose: str | int = 0) -> ClassAnswers:
        """Predict the classes of rows.

        Raises:
            ValueError: outputs that are no numbers.
        """
        logits = model.predict(rows.inputs, batch_size=batch_size, verbose=verbose)
        return ClassAnswers.from_logits(logits, _class_names(model), self.multi_label)

    def score(self, rows: Examples, answers: ClassAnswers) -> Metrics:
        """Compare predictions with the labels of the rows; see `class_metrics` and `class_set_metrics`.

        Raises:
            ValueError: rows without labels, or with a label that is no class of the model.
        """
        names = answers.class_names
        if self.multi_label:
            return class_set_metrics(rows.label_matrix(names), answers.numbers, names, self.main)
        return class_metrics(rows.label_numbers(names), answers.numbers, names, self.main)

    def table(self, rows: Examples, answers: ClassAnswers) -> dict[str, list[Any]]:
        """Return `text`, `text_pair` and `label` where there are some, `prediction` and `probability`.

        Several classes each are a JSON list of their names, as `read_examples` takes it.
        """
        columns: dict[str, list[Any] | None] = {
            "id": rows.ids,
            "text": rows.texts,
            "text_pair": rows.pairs,
            "label": rows.labels,
            "prediction": answers.labels,
            "probability": answers.confidences,
        }
        return {name: [_cell(value) for value in column] for name, column in columns.items() if column is not None}

    def errors(self, rows: Examples, answers: ClassAnswers) -> np.ndarray:
        """Return 0 where the answer is right, else how improbable the model held the right class, float (N,).

        Of several classes each it is the sum of that over those that are wrong.
        """
        if self.multi_label:
            labels = rows.label_matrix(answers.class_names)
            return (np.abs(labels - answers.probabilities) * (labels != answers.numbers)).sum(axis=-1)
        labels = rows.label_numbers(answers.class_names)
        improbable = 1 - answers.probabilities[np.arange(len(labels)), labels]
        return np.where(labels == answers.numbers, 0.0, improbable)


def _class_names(model: AlbertClassifier) -> tuple[str, ...]:
    return model.class_names or tuple(str(number) for number in range(model.num_classes))


def _cell(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list) else value

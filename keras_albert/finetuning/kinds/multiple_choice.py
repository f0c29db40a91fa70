"""Multiple choice: which of some options answers a question about a context.

The evaluation of google-research/albert run_race.py; paper section 4.1 (RACE).
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from keras_albert.finetuning.kinds.class_answers import softmax
from keras_albert.finetuning.kinds.kind import Kind
from keras_albert.finetuning.metrics.choice import choice_metrics, option_name
from keras_albert.finetuning.metrics.metrics import Metrics
from keras_albert.finetuning.readers.choices import ChoiceExamples
from keras_albert.tasks.multiple_choice import AlbertMultipleChoice

_SHOWN_CHARACTERS = 200


@dataclass(frozen=True)
class MultipleChoice(Kind):
    """Questions about contexts, each with a right option among several.

    Answers are the probabilities of the options, float64 (N, C), 0 for options that a question lacks.

    Args:
        main_metric: "accuracy", as by default.

    Raises:
        ValueError: another figure.
    """

    name: ClassVar[str] = "multiple-choice"
    task_class: ClassVar[type[AlbertMultipleChoice]] = AlbertMultipleChoice
    rows_class: ClassVar[type[ChoiceExamples]] = ChoiceExamples
    dropout_option: ClassVar[str] = "choice_dropout"

    def __post_init__(self) -> None:
        """Check the main metric before anything is trained."""
        if self.main_metric not in (None, "accuracy"):
            raise ValueError(f"Expected main_metric to be accuracy. Received: main_metric={self.main_metric!r}")

    def task_options(self, train: ChoiceExamples) -> dict[str, Any]:
        """Return nothing: a model takes any number of options."""
        return {}

    def training_data(self, rows: ChoiceExamples, model: AlbertMultipleChoice) -> tuple[Any, np.ndarray]:
        """Return contexts, questions and options, and the positions of the right ones, int64 (N,)."""
        return rows.inputs, rows.label_numbers()

    def answer(
        self, model: AlbertMultipleChoice, rows: ChoiceExamples, batch_size: int, verbose: str | int = 0
    ) -> np.ndarray:
        """Return the probability of each option, float64 (N, C).

        Raises:
            ValueError: the model's outputs are no numbers.
        """
        logits = np.asarray(model.predict(rows.inputs, batch_size=batch_size, verbose=verbose), "float64")
        is_present = np.arange(logits.shape[1]) < np.array([[len(options)] for options in rows.options])
        if not np.isfinite(logits[is_present]).all():
            raise ValueError(
                "The model's outputs are infinite or no numbers: its weights are damaged, or overflow their dtype "
                f"({model.dtype_policy.name})."
            )
        return softmax(logits)

    def score(self, rows: ChoiceExamples, answers: np.ndarray) -> Metrics:
        """Compare the most probable options with the right ones; see `choice_metrics`.

        Raises:
            ValueError: rows without labels.
        """
        return choice_metrics(rows.label_numbers(), answers.argmax(axis=-1), rows.levels)

    def table(self, rows: ChoiceExamples, answers: np.ndarray) -> dict[str, list[Any]]:
        """Return contexts (shortened), questions, options, labels and predictions as letters, and probabilities."""
        predictions = answers.argmax(axis=-1).tolist()
        columns: dict[str, list[Any] | None] = {
            "id": rows.ids,
            "level": rows.levels,
            "context": [_shortened(context) for context in rows.contexts],
            "question": rows.questions,
            "options": [
                " | ".join(f"{option_name(position)}: {option}" for position, option in enumerate(options))
                for options in rows.options
            ],
            "label": None if rows.labels is None else [option_name(label) for label in rows.labels],
            "prediction": [option_name(prediction) for prediction in predictions],
            "probability": answers.max(axis=-1).tolist(),
        }
        return {name: column for name, column in columns.items() if column is not None}

    def errors(self, rows: ChoiceExamples, answers: np.ndarray) -> np.ndarray:
        """Return 0 where the answer is right, else the negative logarithm of the right option's probability."""
        labels = rows.label_numbers()
        right = np.maximum(answers[np.arange(len(labels)), labels], np.finfo("float64").tiny)
        return np.where(answers.argmax(axis=-1) == labels, 0.0, -np.log(right))


def _shortened(text: str) -> str:
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[: _SHOWN_CHARACTERS - 1]}…"

"""What a run asks of a kind of task: to build its model, to answer rows and to score the answers."""

from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import keras_hub
import numpy as np

from keras_albert.finetuning.metrics.metrics import Metrics
from keras_albert.finetuning.readers.rows import Rows


@dataclass(frozen=True)
class Kind:
    """A kind of task; a subclass for each, with its options as fields.

    Rows are a subclass of `Rows` (`keras_albert.finetuning.readers`); answers are whatever `answer` returns.

    Args:
        main_metric: the figure that decides which weights are best; None is the kind's own.
    """

    main_metric: str | None = None

    # What a user writes (`--kind`), and the class of its model (whose `preprocessor_cls` takes the raw rows).
    name: ClassVar[str]
    task_class: ClassVar[type[keras_hub.models.Task]]
    # The rows that it takes, a subclass of `Rows`.
    rows_class: ClassVar[type[Rows]]
    # Its argument for the dropout before the head.
    dropout_option: ClassVar[str]

    def as_dict(self) -> dict[str, Any]:
        """Return the kind by its name and options, as `config.json` keeps it."""
        return {"name": self.name, **asdict(self)}

    def task_options(self, train: Any) -> dict[str, Any]:
        """Return the constructor arguments of a new model that follow from the training rows, such as class names."""
        raise NotImplementedError

    def rows_of_texts(self, texts: list[str], source: str) -> Rows:
        """Return texts that came without a file as rows; by default a ValueError, since a text is no whole row."""
        raise ValueError(f"A text alone is no input for {self.name}: pass a file (`--file`). Received: {source}")

    def training_data(self, rows: Any, model: keras_hub.models.Task) -> tuple[Any, Any]:
        """Return `x` and `y` of the model's `fit`.

        Raises:
            ValueError: rows without labels, or labels that the model does not know.
        """
        raise NotImplementedError

    def answer(self, model: keras_hub.models.Task, rows: Any, batch_size: int, verbose: str | int = 0) -> Any:
        """Answer rows; their labels are not looked at."""
        raise NotImplementedError

    def score(self, rows: Any, answers: Any) -> Metrics:
        """Compare answers with the labels of the rows."""
        raise NotImplementedError

    def table(self, rows: Any, answers: Any) -> dict[str, list[Any]]:
        """Return rows and answers as columns of text and numbers: inputs, `label` where there is one, `prediction`."""
        raise NotImplementedError

    def official_file(self, rows: Any, answers: Any) -> str:
        """Return answers as the task's own evaluation script reads them; by default a ValueError, there being none."""
        raise ValueError(f"Expected a table (.tsv, .csv, .jsonl): {self.name} has no official JSON. Received: .json")

    def errors(self, rows: Any, answers: Any) -> np.ndarray:
        """Return how wrong each answer is, float (N,): 0 is right, and more is worse."""
        raise NotImplementedError

    def guessing_loss(self, model: keras_hub.models.Task) -> float | None:
        """Return the training loss of a model that scores every answer alike; None where that depends on the rows."""
        return None

    def hold_out(self, train: Any, seed: int) -> tuple[Any, Any | None]:
        """Split rows for `tune` off the training rows; by default none."""
        return train, None

    def tune(self, model: keras_hub.models.Task, rows: Any, batch_size: int) -> dict[str, Any]:
        """Choose what is chosen after training, such as a threshold, on rows held out; return it for `metrics.json`."""
        return {}

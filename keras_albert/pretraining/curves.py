"""The figures of a run over its steps: recorded, written as CSV and as TensorBoard's events."""

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from keras_albert.presets.output_folder import writing
from keras_albert.pretraining.settings import HELD_OUT
from keras_albert.training.state_files import replace_file

# Each figure, and what Keras calls it; its weight is that of its part.
_FIGURES = {
    "masked_lm_loss": ("masked_lm", "cross_entropy"),
    "masked_lm_accuracy": ("masked_lm", "accuracy"),
    "sentence_order_loss": ("sentence_order", "cross_entropy"),
    "sentence_order_accuracy": ("sentence_order", "accuracy"),
}


class ExactMeans:
    """Means of the figures of batches over what they are figures of: masked tokens, and rows.

    A mean of batches' means would count a batch of few masked tokens as much as any other.
    """

    def __init__(self) -> None:
        self._sums = dict.fromkeys(_FIGURES, 0.0)
        self._weights = {"masked_lm": 0.0, "sentence_order": 0.0}

    def add(self, logs: Mapping[str, Any], weights: Mapping[str, np.ndarray]) -> None:
        """Add a batch.

        Args:
            logs: the figures of this batch alone, as `train_on_batch` and `test_on_batch` return them.
            weights: the batch's weights.
        """
        sums = {part: float(weights[part].sum()) for part in self._weights}
        for name, (part, figure) in _FIGURES.items():
            self._sums[name] += float(logs[f"{part}_{figure}"]) * sums[part]
        for part, weight in sums.items():
            self._weights[part] += weight

    def figures(self, prefix: str = "") -> dict[str, float]:
        """Return the means, without those of a part that weighs nothing.

        Args:
            prefix: put before each name.
        """
        return {
            prefix + name: self._sums[name] / self._weights[part]
            for name, (part, _) in _FIGURES.items()
            if self._weights[part]
        }


def write_curve(curve: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Write the points of a curve as CSV, a column for each figure.

    Raises:
        OutputError: the file cannot be written.
    """
    columns = list(dict.fromkeys(name for point in curve for name in point))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(curve)
    with writing(path):
        replace_file(path, text.getvalue().encode())


class EventLog:
    """Figures as TensorBoard reads them; use it as a context.

    Args:
        folder: where the events are kept.
        first_step: steps from here on are dropped from an earlier process's events.
    """

    def __init__(self, folder: Path, first_step: int) -> None:
        # Not at the top: where PyTorch is installed, it is imported along.
        from tensorboardX import SummaryWriter

        with writing(folder):
            self._writer = SummaryWriter(str(folder), purge_step=first_step)

    def __enter__(self) -> "EventLog":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._writer.close()

    def add(self, point: Mapping[str, Any]) -> None:
        """Add the figures of a step: those of training and of the held-out rows side by side."""
        for name, value in point.items():
            if name == "step":
                continue
            part, figure = ("held_out", name.removeprefix(HELD_OUT)) if name.startswith(HELD_OUT) else ("train", name)
            self._writer.add_scalar(f"{figure}/{part}", value, point["step"])

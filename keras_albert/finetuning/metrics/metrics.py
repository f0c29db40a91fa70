"""The figures of one set of predictions, whatever the kind of task."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Metrics:
    """What a set of predictions is worth.

    Args:
        figures: every figure by its name; shares in [0, 1], correlations in [-1, 1], errors in the unit of the labels.
        main: the name of the one that decides which weights are best; more of it is better.
        rows: number of rows that the figures are of.
        baseline: the main figure of an answer that looks at nothing, such as the most frequent class.
        baseline_name: that answer in words.
        confusion: int (C, C), rows of true class i that were predicted as class j; None where there are no classes.
        class_names: the C names.
        details: more for `metrics.json`, such as the figures of each class.
    """

    figures: Mapping[str, float]
    main: str
    rows: int
    baseline: float
    baseline_name: str
    confusion: np.ndarray | None = None
    class_names: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def value(self) -> float:
        """The main figure."""
        return self.figures[self.main]

    def as_dict(self) -> dict[str, Any]:
        """Return everything as JSON takes it; a figure that is undefined is null."""
        content: dict[str, Any] = {name: _json_number(value) for name, value in self.figures.items()}
        content |= {"main": self.main, "rows": self.rows}
        content |= {"baseline": _json_number(self.baseline), "baseline_name": self.baseline_name}
        if self.confusion is not None:
            content |= {"class_names": list(self.class_names), "confusion_matrix": self.confusion.tolist()}
        return content | dict(self.details)


def _json_number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None

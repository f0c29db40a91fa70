"""The picture of a pretraining: losses, accuracies, learning rate and gradient norm over the steps."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from keras_albert.pretraining.settings import HELD_OUT
from keras_albert.training.picture_style import DEV, FAINT, STYLE, TRAIN, label_ends, save_picture

Point = Mapping[str, Any]


def draw_curves(curve: Sequence[Point], baselines: Mapping[str, float], title: str, path: Path) -> None:
    """Draw a run as a PNG.

    Args:
        curve: points over the steps; see `keras_albert.pretraining.curves`.
        baselines: for figures that have one, what guessing gives.
        title: the line over everything.
        path: the file; it appears when it is whole.

    Raises:
        OutputError: the file cannot be written.
    """
    panels = [
        ("masked_lm_loss", "Loss of masked tokens"),
        ("masked_lm_accuracy", "Accuracy of masked tokens"),
        ("sentence_order_loss", "Loss of the sentences' order"),
        ("sentence_order_accuracy", "Accuracy of the sentences' order"),
        ("learning_rate", "Learning rate"),
        ("gradient_norm", "Norm of the gradient before clipping"),
    ]
    panels = [panel for panel in panels if panel[0] in curve[-1]]
    style: Any = STYLE
    with mpl.rc_context(style):
        figure = Figure(figsize=(11, 2.6 * (len(panels) // 2) + 0.6), layout="constrained")
        figure.suptitle(title, x=0.01, ha="left", fontsize=11, parse_math=False)
        axes = figure.subplots(len(panels) // 2, 2, sharex=True).flatten()
        for place, (name, text) in zip(axes, panels, strict=True):
            _draw(place, curve, name, baselines.get(name))
            place.set_title(text)
        for place in axes[-2:]:
            place.set_xlabel("training step")
        save_picture(figure, path)


def _draw(axes: Axes, curve: Sequence[Point], name: str, baseline: float | None) -> None:
    axes.plot(*_column(curve, name), color=TRAIN, linewidth=1.2, marker="o" if len(curve) == 1 else "")
    ends = {"train": (curve[-1][name], TRAIN)}
    evaluated = [point for point in curve if HELD_OUT + name in point]
    if evaluated:
        axes.plot(*_column(evaluated, HELD_OUT + name), color=DEV, linewidth=1.8, marker="o", markersize=3)
        ends["held out"] = (evaluated[-1][HELD_OUT + name], DEV)
    axes.set_xlim(0, curve[-1]["step"])
    if baseline is not None:
        axes.axhline(baseline, color=FAINT, linestyle="--", linewidth=1)
        axes.annotate(
            f"guessing {baseline:.3f}", (0, baseline), (4, 3), textcoords="offset points", fontsize=9, color="#5f6b76"
        )
    if evaluated:
        label_ends(axes, ends)


def _column(points: Sequence[Point], name: str) -> tuple[list[float], list[float]]:
    return [point["step"] for point in points], [point[name] for point in points]

"""The picture of a fine-tuning run: loss and accuracy over the steps, and the confusion matrix, side by side."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font, get_font_names
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import MaxNLocator

from keras_albert.finetuning.metrics import ClassificationMetrics
from keras_albert.presets.output_folder import writing

_TRAIN, _DEV, _FAINT = "#7a8794", "#c2410c", "#9aa3ab"
# The first of these that is installed draws what the default font lacks, such as Chinese class names.
_MORE_FONTS = ("Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "Microsoft YaHei", "PingFang SC", "SimHei")
_LONGEST_NAME = 22
_MOST_EPOCH_LINES = 20
_STYLE: dict[str, Any] = {
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
}

Point = Mapping[str, float]


def draw_run(
    curve: Sequence[Point],
    best_epoch: int,
    metrics: ClassificationMetrics,
    title: str,
    path: str | Path,
    rows: str = "dev",
) -> None:
    """Draw a run as a PNG.

    Args:
        curve: points over the steps, as `keras_albert.finetuning.callbacks.CurveRecorder` records them.
        best_epoch: the epoch that was kept.
        metrics: the figures of that epoch.
        title: the line over everything.
        path: the file to write; it appears when it is whole.
        rows: what the figures are of, "dev" or "test".

    Raises:
        OutputError: the file cannot be written.
    """
    families = ["DejaVu Sans", *(name for name in _MORE_FONTS if name in get_font_names())]
    classes = len(metrics.class_names)
    side = max(4.8, 0.46 * classes + 2.2)  # inches of the confusion matrix
    style: Any = {**_STYLE, "font.family": families}
    with mpl.rc_context(style):
        layout = ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.1)
        figure = Figure(figsize=(5.8 + side, side + 0.9), layout=layout)
        axes = figure.subplot_mosaic([["loss", "matrix"], ["accuracy", "matrix"]], width_ratios=[5.4, side])
        kept = f"Ring: epoch {best_epoch}, which was kept. Its {rows} accuracy is {metrics.accuracy:.3f}."
        figure.suptitle(f"{_drawable(title, families)}\n{kept}", x=0.01, ha="left", fontsize=11, parse_math=False)
        training_curves(axes["loss"], axes["accuracy"], curve, best_epoch, metrics.majority_baseline)
        confusion_matrix(axes["matrix"], metrics, families, rows)
        path = Path(path)
        temporary = path.with_name(f".{path.name}")
        with writing(path):
            try:
                figure.savefig(temporary, format="png", dpi=130)
                temporary.replace(path)
            finally:
                temporary.unlink(missing_ok=True)


def training_curves(
    loss: Axes, accuracy: Axes, curve: Sequence[Point], best_epoch: int, majority_baseline: float
) -> None:
    """Draw loss and accuracy of the training and the dev rows over the steps.

    Args:
        loss: the axes for the loss.
        accuracy: the axes for the accuracy.
        curve: the points.
        best_epoch: the epoch that was kept, marked by a ring.
        majority_baseline: the accuracy of always predicting the most frequent class.
    """
    for axes, name in ((loss, "loss"), (accuracy, "accuracy")):
        ends = [point for point in curve if f"val_{name}" in point]
        kept = [point for point in ends if point["epoch"] == best_epoch]
        for point in ends[:-1] if len(ends) <= _MOST_EPOCH_LINES else []:
            axes.axvline(point["step"], color=_FAINT, linewidth=0.6, alpha=0.5)
        # The last points lie on the edge of the axes.
        train_style: dict[str, Any] = {"color": _TRAIN, "linewidth": 1.4, "marker": "o" if len(curve) == 1 else ""}
        dev_style: dict[str, Any] = {"color": _DEV, "linewidth": 1.8, "marker": "o", "markersize": 4}
        ring_style: dict[str, Any] = {"color": _DEV, "marker": "o", "markersize": 11, "markerfacecolor": "none"}
        axes.plot(_column(curve, "step"), _column(curve, name), clip_on=False, **train_style)
        axes.plot(_column(ends, "step"), _column(ends, f"val_{name}"), clip_on=False, **dev_style)
        axes.plot(_column(kept, "step"), _column(kept, f"val_{name}"), clip_on=False, **ring_style)
        axes.set_xlim(0, curve[-1]["step"])
        axes.xaxis.set_major_locator(MaxNLocator("auto", integer=True))
        axes.set_title(name.capitalize())
    loss.tick_params(labelbottom=False)
    has_lines = 1 < len(ends) <= _MOST_EPOCH_LINES
    accuracy.set_xlabel("training step" + (" (vertical lines: ends of epochs)" if has_lines else ""))
    _draw_baseline(accuracy, majority_baseline)
    for axes, name in ((loss, "loss"), (accuracy, "accuracy")):
        _label_ends(axes, {"train": (curve[-1][name], _TRAIN), "dev": (ends[-1][f"val_{name}"], _DEV)})


def confusion_matrix(axes: Axes, metrics: ClassificationMetrics, families: Sequence[str], rows: str = "dev") -> None:
    """Draw how many rows of each class were predicted as which.

    Args:
        axes: the axes.
        metrics: the figures.
        families: the fonts, the first that has a character draws it.
        rows: what the figures are of.
    """
    counts = metrics.confusion
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    names = [_drawable_name(name, number, families) for number, name in enumerate(metrics.class_names)]
    classes = len(names)
    axes.imshow(shares, cmap="Blues", vmin=0, vmax=1)
    is_small = classes > 8
    for true, predicted in np.ndindex(counts.shape):
        if is_small and not counts[true, predicted]:
            continue  # zeros would hide the rest
        share = "" if is_small else f"\n{shares[true, predicted]:.0%}"
        axes.text(
            predicted,
            true,
            f"{counts[true, predicted]:,}{share}",
            ha="center",
            va="center",
            fontsize=8 if is_small else 10,
            color="white" if shares[true, predicted] > 0.55 else "black",
        )
    crowded = sum(map(len, names)) > 5 * 8
    turn: dict[str, Any] = {"rotation": 45, "ha": "right", "rotation_mode": "anchor"} if crowded else {}
    axes.set_xticks(range(classes), names, parse_math=False, **turn)
    axes.set_yticks(range(classes), names, parse_math=False)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_xlabel("predicted class")
    axes.set_ylabel("true class")
    axes.set_title(f"{rows.capitalize()} rows by true and predicted class\n(colour: share of the true class)")


def _column(points: Sequence[Point], name: str) -> list[float]:
    return [point[name] for point in points]


def _draw_baseline(axes: Axes, baseline: float) -> None:
    axes.axhline(baseline, color=_FAINT, linestyle="--", linewidth=1)
    low, high = axes.get_ylim()
    axes.set_ylim(min(low, baseline - 0.12 * (high - low)), high)
    axes.annotate(
        f"majority class {baseline:.3f}",
        (axes.get_xlim()[1], baseline),
        (-4, -3),
        textcoords="offset points",
        ha="right",
        va="top",
        fontsize=9,
        color="#5f6b76",
    )


def _label_ends(axes: Axes, ends: Mapping[str, tuple[float, str]]) -> None:
    """Write each line's name beside its last point, apart from each other where the points are close."""
    low, high = axes.get_ylim()
    apart = 0.1 * (high - low)
    places = sorted((value if math.isfinite(value) else low, name, color) for name, (value, color) in ends.items())
    lower, upper = places[0][0], places[1][0]
    if upper - lower < apart:
        middle = (lower + upper) / 2
        lower, upper = middle - apart / 2, middle + apart / 2
    for height, (_, name, color) in zip((lower, upper), places, strict=True):
        axes.annotate(
            name,
            (axes.get_xlim()[1], height),
            (8, 0),
            textcoords="offset points",
            va="center",
            color=color,
            annotation_clip=False,
        )


def _drawable_name(name: str, number: int, families: Sequence[str]) -> str:
    """Return a class's name as it can be drawn: shortened, or its number where no font has its characters."""
    if _drawable(name, families) != name:
        return f"class {number}"
    half = _LONGEST_NAME // 2
    return name if len(name) <= _LONGEST_NAME else f"{name[: half - 1]}…{name[-half:]}"


def _drawable(text: str, families: Sequence[str]) -> str:
    """Replace the characters that no font has by question marks."""
    fonts = [get_font(findfont(FontProperties(family=family))) for family in families]
    return "".join(
        character if any(font.get_char_index(ord(character)) for font in fonts) else "?" for character in text
    )

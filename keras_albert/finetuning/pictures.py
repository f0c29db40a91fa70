"""The pictures of a fine-tuning run: curves over the steps, the answers against the labels, the scores."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import MaxNLocator

from keras_albert.finetuning.metrics.metrics import Metrics
from keras_albert.training.picture_style import (
    DEV,
    FAINT,
    STYLE,
    TRAIN,
    drawable,
    drawable_name,
    font_families,
    label_ends,
    save_picture,
)

Point = Mapping[str, float]
_BINS = 30


def draw_run(
    curve: Sequence[Point],
    best_step: int,
    metrics: Metrics,
    table: Mapping[str, Sequence[Any]],
    errors: np.ndarray,
    title: str,
    path: str | Path,
    rows: str = "dev",
) -> None:
    """Draw a run as a PNG.

    Args:
        curve: points over the steps, as `keras_albert.finetuning.callbacks.CurveRecorder` records them.
        best_step: the step whose weights were kept.
        metrics: the figures of that step.
        table: the answers, as the kind of task tabulates them.
        errors: how wrong each answer is, float (N,).
        title: the line over everything.
        path: the file to write; it appears when it is whole.
        rows: what the figures are of, "dev" or "test".

    Raises:
        OutputError: the file cannot be written.
    """
    families = font_families()
    side = max(5.6, 0.46 * len(metrics.class_names) + 2.2)  # inches of the panel at the right
    style: Any = {**STYLE, "font.family": families}
    with mpl.rc_context(style):
        layout = ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.1)
        figure = Figure(figsize=(5.8 + side, max(side + 0.9, 7.8)), layout=layout)
        axes = figure.subplot_mosaic(
            [["loss", "answers"], ["metric", "answers"], ["scores", "answers"]], width_ratios=[5.4, side]
        )
        kept = f"Ring: step {best_step:,}, which was kept. Its {rows} {metrics.main} is {metrics.value:.3f}."
        figure.suptitle(f"{drawable(title, families)}\n{kept}", x=0.01, ha="left", fontsize=11, parse_math=False)
        loss_curve(axes["loss"], curve)
        metric_curve(axes["metric"], curve, best_step, metrics)
        scores(axes["scores"], table, errors, rows)
        if metrics.confusion is not None:
            confusion_matrix(axes["answers"], metrics, families, rows)
        elif {"label", "prediction"} <= table.keys() and isinstance(table["prediction"][0], float):
            labels_and_predictions(axes["answers"], table, rows)
        else:
            error_histogram(axes["answers"], errors, rows)
        save_picture(figure, path)


def loss_curve(axes: Axes, curve: Sequence[Point]) -> None:
    """Draw the loss of the training rows over the steps."""
    axes.plot(_column(curve, "step"), _column(curve, "loss"), clip_on=False, **_train_style(curve))
    axes.set_xlim(0, curve[-1]["step"])
    axes.set_title("Loss")
    axes.tick_params(labelbottom=False)
    label_ends(axes, {"train": (curve[-1]["loss"], TRAIN)})


def metric_curve(axes: Axes, curve: Sequence[Point], best_step: int, metrics: Metrics) -> None:
    """Draw the main figure of the dev rows over the steps, and that of the training rows where it was recorded."""
    name = metrics.main
    scored = [point for point in curve if f"dev_{name}" in point]
    trained = [point for point in curve if name in point]
    ends = {"dev": (scored[-1][f"dev_{name}"], DEV)}
    if trained:
        axes.plot(_column(trained, "step"), _column(trained, name), clip_on=False, **_train_style(trained))
        ends["train"] = (trained[-1][name], TRAIN)
    kept = [point for point in scored if point["step"] == best_step]
    for points, style in (
        (scored, {"linewidth": 1.8, "markersize": 4}),
        (kept, {"markersize": 11, "markerfacecolor": "none"}),
    ):
        if points:
            values = _column(points, f"dev_{name}")
            axes.plot(_column(points, "step"), values, clip_on=False, color=DEV, marker="o", **style)
    axes.set_xlim(0, curve[-1]["step"])
    axes.xaxis.set_major_locator(MaxNLocator("auto", integer=True))
    axes.set_title(name.capitalize())
    axes.set_xlabel("training step")
    if np.isfinite(metrics.baseline):
        _draw_baseline(axes, metrics.baseline, drawable_name(metrics.baseline_name, 0, font_families()))
    label_ends(axes, ends)


def scores(axes: Axes, table: Mapping[str, Sequence[Any]], errors: np.ndarray, rows: str) -> None:
    """Draw how the model's own score is spread over right and wrong answers."""
    name = next((name for name in ("probability", "score") if name in table), None)
    if name is None:
        name, values = "prediction", np.asarray(table["prediction"], "float64")
        parts, labels, colours = [values], [f"{rows} rows"], [DEV]
    else:
        values = np.array([np.nan if value is None else value for value in table[name]], "float64")
        parts = [values[errors <= 0], values[errors > 0]]
        labels, colours = ["right", "wrong"], ["#3b82a0", DEV]
    parts = [part[np.isfinite(part)] for part in parts]
    axes.hist(parts, bins=_BINS, stacked=True, color=colours, label=labels)
    axes.set_xlabel(f"{name} of the answer")
    axes.set_ylabel("rows")
    axes.set_title("Scores")
    axes.legend(frameon=False, loc="upper left")


def labels_and_predictions(axes: Axes, table: Mapping[str, Sequence[Any]], rows: str) -> None:
    """Draw predicted scores over the right ones."""
    labels = np.asarray(table["label"], "float64")
    axes.scatter(labels, np.asarray(table["prediction"], "float64"), s=10, alpha=0.5, color=DEV, linewidths=0)
    axes.axline((float(labels.mean()), float(labels.mean())), slope=1, color=FAINT, linestyle="--", linewidth=1)
    axes.set_xlabel("label")
    axes.set_ylabel("prediction")
    axes.set_title(f"{rows.capitalize()} rows (dashed: right)")


def error_histogram(axes: Axes, errors: np.ndarray, rows: str) -> None:
    """Draw how wrong the answers are."""
    axes.hist(errors, bins=_BINS, color=DEV)
    axes.set_xlabel("error (0: right)")
    axes.set_ylabel("rows")
    axes.set_title(f"{rows.capitalize()} rows by how wrong the answer is")


def confusion_matrix(axes: Axes, metrics: Metrics, families: Sequence[str], rows: str = "dev") -> None:
    """Draw how many rows of each class were predicted as which.

    Args:
        axes: the axes.
        metrics: the figures.
        families: the fonts, the first that has a character draws it.
        rows: what the figures are of.
    """
    counts = np.asarray(metrics.confusion)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    names = [drawable_name(name, number, families) for number, name in enumerate(metrics.class_names)]
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


def _train_style(points: Sequence[Point]) -> dict[str, Any]:
    return {"color": TRAIN, "linewidth": 1.4, "marker": "o" if len(points) == 1 else ""}


def _column(points: Sequence[Point], name: str) -> list[float]:
    return [point[name] for point in points]


def _draw_baseline(axes: Axes, baseline: float, name: str) -> None:
    axes.axhline(baseline, color=FAINT, linestyle="--", linewidth=1)
    low, high = axes.get_ylim()
    axes.set_ylim(min(low, baseline - 0.12 * (high - low)), high)
    axes.annotate(
        f"{name} {baseline:.3f}",
        (axes.get_xlim()[1], baseline),
        (-4, -3),
        textcoords="offset points",
        ha="right",
        va="top",
        fontsize=9,
        color="#5f6b76",
        parse_math=False,
    )

import struct
import warnings
from pathlib import Path

import numpy as np
import pytest

from keras_albert.finetuning import Metrics, OutputError, draw_run
from keras_albert.finetuning.metrics.classification import class_metrics

pytestmark = pytest.mark.any_backend

ERRORS = np.linspace(0, 1, 60) * (np.arange(60) % 2)
TABLE = {"text": ["a"] * 60, "probability": [0.5 + row / 120 for row in range(60)]}


def figures(class_names: list[str]) -> Metrics:
    labels = np.arange(60) % len(class_names)
    return class_metrics(labels, np.roll(labels, 7), class_names)


def draw(points: list[dict[str, float]], best_step: int, metrics: Metrics, title: str, path: Path) -> None:
    draw_run(points, best_step, metrics, TABLE, ERRORS, title, path)


def curve(points: int, epochs: int) -> list[dict[str, float]]:
    rows = []
    for step in range(1, points + 1):
        row = {"epoch": step * epochs / points, "step": step, "loss": 1 / step, "accuracy": 0.5}
        if step % (points // epochs) == 0:
            row |= {"dev_accuracy": 0.6}
        rows.append(row)
    return rows


def size(path: Path) -> tuple[int, int]:
    header = path.read_bytes()[:24]
    assert header[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", header[16:24])


@pytest.mark.parametrize(
    "class_names",
    [
        ["0", "1"],
        ["$\\frac$", "[CLS] {\\alpha}", "矛盾", "x" * 200],
        [f"subject {number}" for number in range(20)],
    ],
)
def test_any_class_names_can_be_drawn(tmp_path: Path, class_names: list[str]) -> None:
    draw(curve(12, 3), 8, figures(class_names), "a $\\frac$ run: 一", tmp_path / "pictures.png")
    assert [entry.name for entry in tmp_path.iterdir()] == ["pictures.png"]
    width, height = size(tmp_path / "pictures.png")
    assert 1000 < width < 3000
    assert 900 < height < 2000


def test_a_run_of_one_step_and_one_that_diverged(tmp_path: Path) -> None:
    draw(curve(1, 1), 1, figures(["a", "b"]), "one step", tmp_path / "one.png")
    broken = curve(12, 3)
    broken[-1] |= {"loss": float("nan")}
    draw(broken, 1, figures(["a", "b"]), "diverged", tmp_path / "diverged.png")
    assert size(tmp_path / "one.png") == size(tmp_path / "diverged.png")


def test_nothing_stays_where_the_disk_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OutputError, match=r"pictures\.png: No space left"):
        draw(curve(4, 2), 1, figures(["a", "b"]), "full", tmp_path / "pictures.png")
    assert list(tmp_path.iterdir()) == []


def test_drawing_leaves_no_open_figures_and_no_backend(tmp_path: Path) -> None:
    import matplotlib

    before = matplotlib.rcParams["font.family"], matplotlib.rcParams["axes.titlelocation"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        draw(curve(4, 2), 1, figures(["a", "b"]), "a run", tmp_path / "pictures.png")
    assert (matplotlib.rcParams["font.family"], matplotlib.rcParams["axes.titlelocation"]) == before


def test_scores_that_are_no_classes_are_drawn_over_their_labels(tmp_path: Path) -> None:
    metrics = Metrics({"pearson": 0.5}, "pearson", 60, 0.0, "always the mean")
    table = {"label": [row / 12 for row in range(60)], "prediction": [2.5 + row / 60 for row in range(60)]}
    points = [{"step": 1, "loss": 2.0, "dev_pearson": 0.1}, {"step": 2, "loss": 1.0, "dev_pearson": 0.5}]
    draw_run(points, 2, metrics, table, ERRORS, "scores", tmp_path / "scores.png")
    draw_run(points, 2, metrics, {"prediction": ["x"] * 60, "score": [None] * 60}, ERRORS, "a", tmp_path / "spans.png")
    assert size(tmp_path / "scores.png") == size(tmp_path / "spans.png")

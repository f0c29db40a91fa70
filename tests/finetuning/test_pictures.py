import struct
import warnings
from pathlib import Path

import numpy as np
import pytest

from keras_albert.finetuning import ClassificationMetrics, OutputError, classification_metrics, draw_run


def figures(class_names: list[str]) -> ClassificationMetrics:
    labels = np.arange(60) % len(class_names)
    return classification_metrics(labels, np.roll(labels, 7), class_names)


def curve(points: int, epochs: int) -> list[dict[str, float]]:
    rows = []
    for step in range(1, points + 1):
        row = {"epoch": (step - 1) * epochs // points + 1, "step": step, "loss": 1 / step, "accuracy": 0.5}
        if step % (points // epochs) == 0:
            row |= {"val_loss": 1 / step + 0.1, "val_accuracy": 0.6}
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
    draw_run(curve(12, 3), 2, figures(class_names), "a $\\frac$ run: 一", tmp_path / "pictures.png")
    assert [entry.name for entry in tmp_path.iterdir()] == ["pictures.png"]
    width, height = size(tmp_path / "pictures.png")
    assert 1000 < width < 3000
    assert 600 < height < 2000


def test_a_run_of_one_step_and_one_that_diverged(tmp_path: Path) -> None:
    draw_run(curve(1, 1), 1, figures(["a", "b"]), "one step", tmp_path / "one.png")
    broken = curve(12, 3)
    broken[-1] |= {"loss": float("nan"), "val_loss": float("nan")}
    draw_run(broken, 1, figures(["a", "b"]), "diverged", tmp_path / "diverged.png")
    assert size(tmp_path / "one.png") == size(tmp_path / "diverged.png")


def test_nothing_stays_where_the_disk_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OutputError, match=r"pictures\.png: No space left"):
        draw_run(curve(4, 2), 1, figures(["a", "b"]), "full", tmp_path / "pictures.png")
    assert list(tmp_path.iterdir()) == []


def test_drawing_leaves_no_open_figures_and_no_backend(tmp_path: Path) -> None:
    import matplotlib

    before = matplotlib.rcParams["font.family"], matplotlib.rcParams["axes.titlelocation"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        draw_run(curve(4, 2), 1, figures(["a", "b"]), "a run", tmp_path / "pictures.png")
    assert (matplotlib.rcParams["font.family"], matplotlib.rcParams["axes.titlelocation"]) == before

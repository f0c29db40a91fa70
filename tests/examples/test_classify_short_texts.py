"""The demo: it runs, and its model learns with every seed."""

import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest

PATH = Path(__file__).parents[2] / "examples" / "classify_short_texts.py"


@pytest.fixture
def demo():
    spec = importlib.util.spec_from_file_location("classify_short_texts", PATH)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_texts_are_split_by_group(short_texts):
    splits = {name: {row["group"] for row in short_texts if row["split"] == name} for name in ("train", "dev", "test")}
    assert not splits["train"] & splits["dev"]
    assert not splits["train"] & splits["test"]
    assert not splits["dev"] & splits["test"]
    assert len({row["text"] for row in short_texts}) == len(short_texts) >= 600


def test_demo_writes_a_model_and_a_picture(demo, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(demo, "EPOCHS", 1)
    monkeypatch.setattr("sys.argv", ["demo", "--output", str(tmp_path / "a demo")])
    demo.main()
    printed = capsys.readouterr().out
    assert "majority class 0.500" in printed
    assert json.loads((tmp_path / "a demo" / "model" / "task.json").read_text())["class_name"] == "AlbertClassifier"
    assert (tmp_path / "a demo" / "pictures.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_defaults_train_without_collapse_with_twenty_seeds(demo):
    accuracies = []
    for seed in range(20):
        classifier, *_ = demo.train_once(seed, verbose=0)
        accuracies.append(demo.evaluate_on_test(classifier)[-1].value)
    # Three standard errors above the majority class of 174 balanced texts is 0.61.
    assert min(accuracies) > 0.65, np.round(accuracies, 3)

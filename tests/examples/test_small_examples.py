"""The examples of the other tasks: each runs on a few rows; their docstrings say what a whole run gives."""

import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Any:
    """The module of an example, imported as a script beside its siblings."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    yield importlib.import_module(request.param)
    for name in [name for name, module in sys.modules.items() if str(EXAMPLES) in str(getattr(module, "__file__", ""))]:
        del sys.modules[name]


@pytest.mark.parametrize(
    ("example", "printed"),
    [
        ("answer_questions", "Exact answers to 100 new questions"),
        ("tag_entities", "F1 over entities of 100 new sentences"),
        ("rank_choices", "Accuracy on 100 new texts"),
    ],
    indirect=["example"],
)
def test_an_example_runs(example: Any, printed: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 <= example.main(train_rows=64, epochs=1) <= 1
    assert printed in capsys.readouterr().out


@pytest.mark.parametrize("example", ["embed_and_search"], indirect=True)
def test_the_search_runs(example: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys.modules["classify_short_texts"], "EPOCHS", 1)
    assert 0 <= example.main() <= 1
    assert "Nearest neighbours of 174 texts" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("example", "printed"),
    [("fill_mask", "A fitting word among the first five"), ("sentence_order", "Written order preferred")],
    indirect=["example"],
)
def test_the_bundled_model_is_asked(example: Any, printed: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 < example.main() <= 1
    assert printed in capsys.readouterr().out

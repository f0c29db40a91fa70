"""Each benchmark runs on a small scale, and its table has what it promises."""

import importlib.util
import json
import sys
from pathlib import Path

import pytest

import keras_albert

TOOLS = Path(__file__).parents[2] / "tools"


@pytest.fixture
def bench(monkeypatch):
    """The module tools/bench.py."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    specification = importlib.util.spec_from_file_location("bench", TOOLS / "bench.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_data_is_measured_from_text_and_from_tokens(bench, tmp_path, monkeypatch, capsys, short_texts):
    texts = [row["text"] for row in short_texts]
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "texts.txt").write_text("\n\n".join("\n".join(texts[at : at + 8]) for at in range(0, 80, 8)))
    (tmp_path / "vocabulary.model").write_bytes(keras_albert.train_vocabulary(texts, vocabulary_size=400))
    from benchmarks import data

    # In this process: fresh ones would import Keras for each figure.
    class OneProcess:
        def __init__(self, method):
            assert method == "spawn"

        def Pool(self, processes):
            return self

        def __enter__(self):
            return self

        def __exit__(self, *error):
            return None

        def apply(self, function, arguments):
            return function(*arguments)

    monkeypatch.setattr(data.multiprocessing, "get_context", OneProcess)
    options = {"data": tmp_path / "data", "vocabulary": tmp_path / "vocabulary.model", "output": tmp_path / "out.json"}
    options |= {"tokens": 300, "sequence-length": 32, "repetitions": 1}
    monkeypatch.setattr(sys, "argv", ["bench.py", "data", *(f"--{name}={value}" for name, value in options.items())])
    bench.main()
    result = json.loads((tmp_path / "out.json").read_text())
    assert result["tokens"] >= 300
    names = ["encode", "text to masked arrays", "token documents to masked arrays"]
    assert [row["what"] for row in result["rows"]] == names
    assert all(row["tokens/s"] > 0 for row in result["rows"])
    assert "of encode" in capsys.readouterr().out

"""Origin and result on the same inputs: exit code 0 where they agree, 1 where they don't, 2 where one is nothing."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

import keras_albert
from keras_albert.conversion import convert

TOOLS = Path(__file__).parents[2] / "tools"


def run_tool(monkeypatch, name, *arguments):
    specification = importlib.util.spec_from_file_location(name, TOOLS / f"{name}.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    monkeypatch.setattr(sys, "argv", [name, *map(str, arguments)])
    return module.main()


def test_conversions_agree_with_their_origin(golden_model, tmp_path, monkeypatch, capsys):
    archive, _ = golden_model("albert_tiny_g2")
    convert(archive, tmp_path / "keras")
    convert(tmp_path / "keras", tmp_path / "huggingface", to="huggingface", drop=["tokenizer"])
    assert run_tool(monkeypatch, "check_parity", archive, tmp_path / "keras") == 0
    assert run_tool(monkeypatch, "check_parity", tmp_path / "huggingface", tmp_path / "keras") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["sequence_output", "pooled_output"] * 2
    assert all(0 < float(line.split()[1]) < 1e-5 for line in lines)

    backbone = keras_albert.AlbertBackbone.from_preset(tmp_path / "keras")
    kernel = backbone.pooler.kernel
    kernel.assign(np.asarray(kernel.numpy()) * 1.01)
    backbone.save_to_preset(tmp_path / "wrong")
    assert run_tool(monkeypatch, "check_parity", archive, tmp_path / "wrong") == 1
    assert run_tool(monkeypatch, "check_parity", archive, tmp_path / "wrong", "--tolerance", "1") == 0
    assert run_tool(monkeypatch, "check_parity", archive, tmp_path / "none") == 2


@pytest.mark.any_backend
def test_convert_checkpoint_is_the_command(capsys, monkeypatch):
    import subprocess

    result = subprocess.run(
        [sys.executable, str(TOOLS / "convert_checkpoint.py"), "none", "out"],
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert result.returncode == 2
    assert result.stderr.startswith("Error: Expected a preset's name")

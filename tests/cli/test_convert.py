from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def test_the_checks_are_reported(call: Callable[..., Any], kept_golden: Path, tmp_path: Path) -> None:
    archive = kept_golden / "albert_tiny_e_eq_h.tar.gz"
    outcome = call("convert", archive, tmp_path / "a b 一", "--dtype", "bfloat16")
    assert outcome.code == 0
    assert outcome.err == ""
    facts = dict(line.split(maxsplit=1) for line in outcome.out.splitlines())
    assert facts["Converted"] == f"{archive} -> {tmp_path / 'a b 一'}"
    assert facts["Model"].startswith("AlbertPretrainer, bfloat16")
    assert facts["Checkpoint"].startswith("31 variables; 30 used (backbone 23, ")
    assert facts["Checkpoint"].endswith("; 1 skipped (training step)")
    assert facts["Variables"].startswith("30 read back, each equal to the origin's bit by bit after rounding")
    assert float(facts["Outputs"].split()[-1]) < 1e-5


@pytest.mark.parametrize("content", [b"", b"no archive", b"\x1f\x8b broken"])
def test_a_file_that_is_no_release_is_one_line(call: Callable[..., Any], tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.tar.gz").write_bytes(content)
    outcome = call("convert", tmp_path / "x.tar.gz", tmp_path / "out")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("Error: ")
    assert outcome.err.count("\n") == 1
    assert [entry.name for entry in tmp_path.iterdir()] == ["x.tar.gz"]


def test_no_network_is_one_line(call: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KERAS_ALBERT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("KERAS_ALBERT_MIRROR", "http://127.0.0.1:9/models")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    outcome = call("convert", "albert_base", tmp_path / "out")
    assert outcome.code == 2
    assert "Cannot download http://127.0.0.1:9/models/albert_base_v2.tar.gz" in outcome.err
    assert "by hand" in outcome.err
    assert outcome.err.count("\n") == 1
    assert not (tmp_path / "out").exists()

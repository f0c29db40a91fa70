import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def test_a_release_is_described(call: Callable[..., Any], kept_golden: Path) -> None:
    archive = kept_golden / "albert_tiny_g2.tar.gz"
    outcome = call("inspect", archive)
    assert outcome.code == 0
    facts = dict(line.split(maxsplit=1) for line in outcome.out.splitlines() if len(line.split()) > 1)
    assert facts["Source"] == str(archive)
    assert facts["Kind"] == "Google release"
    assert facts["Tokenizer"] == "sentencepiece"
    assert facts["hidden_dim"] == "40"
    assert facts["num_groups"] == "2"
    assert "masked_lm_head" in facts["Heads"]
    assert "sentence_order_head" in facts["Heads"]


def test_json_of_a_keras_preset(call: Callable[..., Any], classifier_preset: Path) -> None:
    description = json.loads(call("inspect", classifier_preset, "--json").out)
    assert description["kind"] == "Keras preset"
    assert description["configuration"]["hidden_dim"] == 12
    assert description["classes"]["task"] == "keras_albert>AlbertClassifier"


@pytest.mark.parametrize("name", ["not there", "albert_bas"])
def test_what_is_nothing_is_one_line(call: Callable[..., Any], tmp_path: Path, name: str) -> None:
    outcome = call("inspect", name)
    assert outcome.code == 2
    assert outcome.err.startswith("Error: Expected")
    assert outcome.err.count("\n") == 1


def test_a_damaged_archive_is_one_line(call: Callable[..., Any], kept_golden: Path, tmp_path: Path) -> None:
    whole = (kept_golden / "albert_tiny_g2.tar.gz").read_bytes()
    (tmp_path / "half.tar.gz").write_bytes(whole[: len(whole) // 2])
    outcome = call("inspect", tmp_path / "half.tar.gz")
    assert outcome.code == 2
    assert outcome.err.startswith("Error: The archive")
    assert outcome.err.count("\n") == 1

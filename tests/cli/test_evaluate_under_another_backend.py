"""What `finetune` reports of each kind of task is what `evaluate` finds in the folder, under another backend."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest
from labelled_files import WORDS, write_labelled_files

from keras_albert import AlbertBackbone, AlbertWordPieceTokenizer

ANOTHER = {"tensorflow": "jax", "jax": "torch", "torch": "tensorflow"}
# These follow the last digit of the outputs (the last has thresholds among its figures); the others count rows.
CONTINUOUS = {"pearson", "spearman", "mse", "optimistic_best_on_these_rows"}


@pytest.fixture
def preset(tmp_path: Path, rng: np.random.Generator) -> Path:
    """A backbone whose vocabulary has the words of the files; its weights are the same under each backend."""
    tokenizer = AlbertWordPieceTokenizer(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS])
    backbone = AlbertBackbone(tokenizer.vocabulary_size(), 1, 1, 32, 32, 16, max_sequence_length=32)
    backbone.set_weights(
        [rng.normal(0, 0.1, weight.shape) if len(weight.shape) > 1 else weight for weight in backbone.get_weights()]
    )
    folder = tmp_path / "preset"
    backbone.save_to_preset(str(folder))
    tokenizer.save_to_preset(str(folder))
    return folder


def test_figures_of_every_kind_are_those_of_the_run_under_another_backend(
    call: Callable[..., Any], preset: Path, tmp_path: Path, run_under: Callable[[str, str], str]
) -> None:
    train = write_labelled_files(tmp_path / "train", has_mistakes=False)
    dev = write_labelled_files(tmp_path / "dev", has_mistakes=True)
    options = ["--train-steps", 60, "--eval-steps", 60, "--batch-size", 16, "--learning-rate", 0.01]
    options += ["--sequence-length", 32, "--head-dropout", 0]
    printed, stored = {}, {}
    for kind in train:
        run = tmp_path / "runs" / kind
        data = ["--kind", kind, "--train", train[kind], "--dev", dev[kind]]
        pair = ["--text-pair", "second"] if kind in ("classification", "regression") else []
        outcome = call("finetune", "--preset", preset, "--output", run, *data, *pair, *options)
        assert outcome.code == 0, outcome.err
        printed[kind] = outcome.out.splitlines()[0]
        stored[kind] = json.loads((run / "metrics.json").read_text())
        # A figure that any model has would say nothing.
        assert stored[kind]["baseline"] < stored[kind][stored[kind]["main"]] < 1, kind
    runs = {kind: str(tmp_path / "runs" / kind) for kind in train}
    code = f"""
import contextlib, io, json, keras
from keras_albert.cli import main
facts = {{"backend": keras.backend.backend()}}
for kind, run in {runs}.items():
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert main(["evaluate", "--model", run, "--json"]) == 0
    facts[kind] = json.loads(out.getvalue())
print(json.dumps(facts))
"""
    other = ANOTHER[keras.backend.backend()]
    facts = json.loads(run_under(other, code).splitlines()[-1])
    assert facts.pop("backend") == other
    assert facts.keys() == train.keys()
    for kind, evaluated in facts.items():
        main = evaluated["main"]
        assert f" {evaluated[main]:.4f} ({evaluated['rows']} rows" in printed[kind]
        for name, value in evaluated.items():
            expected = stored[kind][name]
            assert value == (pytest.approx(expected, abs=1e-5) if name in CONTINUOUS else expected), (kind, name)

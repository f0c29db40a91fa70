"""`keras-albert pretrain`: a configuration file, flags over it, and what goes wrong."""

import json
import os
import subprocess
import sys

import pytest

from keras_albert.pretraining import Pretraining, build_data

TEXT = "the cat sat on a mat.\nit was a good mat.\nthe dog saw it.\n\na bird came by.\nit sang.\nthe cat left.\n\n"


@pytest.fixture(scope="module")
def config(tmp_path_factory, tokenizer):
    folder = tmp_path_factory.mktemp("a corpus 一")
    (folder / "text.txt").write_text(TEXT * 20, encoding="utf-8")
    build_data(folder / "text.txt", tokenizer, folder / "data", workers=1)
    lines = [
        f"data = {json.dumps(str(folder / 'data'))}",
        "[model]",
        "num_layers = 1\nnum_heads = 1\nhidden_dim = 12",
        "intermediate_dim = 16\nembedding_dim = 8\nmax_sequence_length = 16",
        "[training]",
        "sequence_length = 16\ntrain_steps = 2\nbatch_size = 4\neval_batches = 1",
        "held_out_share = 0.2\nwarmup_steps = 0",
    ]
    (folder / "tiny.toml").write_text("\n".join(lines), encoding="utf-8")
    return folder / "tiny.toml"


def test_a_configuration_and_flags_give_a_preset(call, config, tmp_path):
    run = tmp_path / "a run 一"
    outcome = call("pretrain", "--config", config, "--output", run, "--train-steps", 3, "--hidden-dim", 8)
    assert outcome.code == 0, outcome.err
    assert f"Model            {run / 'model'}" in outcome.out
    assert "MLM accuracy" in outcome.out
    assert "step 3 of 3" in outcome.err
    assert (run / "curves.png").stat().st_size > 10_000
    settings = json.loads((run / "checkpoints" / "settings.json").read_text(encoding="utf-8"))
    assert (settings["train_steps"], settings["hidden_dim"], settings["intermediate_dim"]) == (3, 8, 16)


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["--batch-size", "0"], "Expected batch_size to be at least 1. Received: batch_size=0"),
        (["--optimizer", "sgd"], "Expected optimizer to be one of lamb, adamw."),
        (["--batch-size", "1000"], "Received: batch_size=1000. Lower it, or give more text."),
        (["--data", "nowhere"], "Expected a folder that `keras-albert build-data` wrote"),
        (["--held-out-data", "nowhere"], "Received: nowhere, which is no folder."),
        (["--init-from", "nowhere"], "Received: preset='nowhere'."),
    ],
)
def test_wrong_settings_are_one_line(call, config, tmp_path, arguments, message):
    outcome = call("pretrain", "--config", config, "--output", tmp_path / "run", *arguments)
    assert outcome.code == 2
    assert message in outcome.err
    assert not (tmp_path / "run").exists()
    assert len(outcome.err.strip().splitlines()) == 1


def test_a_key_that_does_not_exist_is_one_line(call, tmp_path):
    (tmp_path / "wrong.toml").write_text("bach_size = 3", encoding="utf-8")
    outcome = call("pretrain", "--config", tmp_path / "wrong.toml", "--data", "data", "--output", tmp_path / "run")
    assert outcome.code == 2
    assert "wrong.toml has a key that doesn't exist. Received: bach_size = 3. Did you mean 'batch_size'?" in outcome.err
    assert not (tmp_path / "run").exists()


def test_help_names_every_setting_without_keras():
    code = (
        "import sys; sys.argv = ['keras-albert']; from keras_albert.cli import main; main(['pretrain', '--help']); "
        "assert 'keras' not in sys.modules"
    )
    environment = os.environ | {"COLUMNS": "200"}
    shown = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    ).stdout
    for name in Pretraining.__dataclass_fields__:
        assert f"--{name.replace('_', '-')}"[:20] in shown

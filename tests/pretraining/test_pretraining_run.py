"""A pretraining from documents to a preset: stopped and resumed, diverging, started from a checkpoint."""

import json
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import keras
import numpy as np
import pytest

import keras_albert
from keras_albert.checkpoints.google_checkpoint import GoogleCheckpoint
from keras_albert.pretraining import Pretraining, build_data, pretrain
from keras_albert.pretraining.building import restore_slots
from keras_albert.pretraining.checkpoints import Checkpoints
from keras_albert.pretraining.trainer import Trainer

SIZES = {"num_layers": 1, "num_heads": 3, "hidden_dim": 24, "intermediate_dim": 40, "embedding_dim": 16}
TRAINING = {
    "sequence_length": 24,
    "max_sequence_length": 32,
    "train_steps": 12,
    "eval_steps": 4,
    "log_steps": 1,
    "batch_size": 4,
    "eval_batches": 2,
    "held_out_share": 0.2,
    "learning_rate": 0.01,
    "warmup_steps": 2,
    "shuffled_instances": 40,
    "hidden_dropout": 0.1,
    "attention_dropout": 0.1,
}


@pytest.fixture(scope="session")
def documents(tmp_path_factory, short_texts, tokenizer) -> Path:
    """Data of 60 documents of six sentences, in several shards."""
    folder = tmp_path_factory.mktemp("documents")
    sentences = [row["text"] for row in short_texts][:360]
    text = "\n".join(sentence + ("\n" if number % 6 == 5 else "") for number, sentence in enumerate(sentences))
    (folder / "text.txt").write_text(text, encoding="utf-8")
    return build_data(folder / "text.txt", tokenizer, folder / "data", settings=in_small_shards(), workers=1).folder


def in_small_shards():
    from keras_albert.pretraining.build import BuildSettings
    from keras_albert.pretraining.corpus import CorpusSettings

    return BuildSettings(corpus=CorpusSettings(lines="sentence"), shard_characters=4000)


@pytest.fixture(scope="session")
def settings(documents) -> Pretraining:
    return Pretraining(str(documents), "run", **SIZES, **TRAINING)


@pytest.fixture(scope="session")
def whole(settings, tmp_path_factory):
    """A run that was never stopped."""
    output = tmp_path_factory.mktemp("whole") / "run"
    return pretrain(replace(settings, output=str(output)), verbose=False)


def variables_of(result):
    return [keras.ops.convert_to_numpy(v) for v in [*result.model.variables, *result.model.optimizer.variables]]


def losses_of(result):
    names = [name for name in result.progress.curve[0] if name != "steps_per_second"]
    return [[point[name] for name in names] for point in result.progress.curve]


def same(first, second):
    """To the bit; PyTorch's threads may sum in another order."""
    exact = keras.backend.backend() != "torch"
    return np.array_equal(first, second) if exact else np.allclose(first, second, rtol=0, atol=1e-6)


def test_a_run_leaves_a_preset_figures_and_curves(whole):
    folder = Path(whole.settings.output)
    assert {path.name for path in folder.iterdir()} == {
        "README.md", "checkpoints", "curves.csv", "curves.png", "metrics.json", "model", "tensorboard"
    }  # fmt: skip
    figures = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))
    assert figures["steps"] == 12
    assert figures["best_step"] in (4, 8, 12)
    assert 0 < figures["held_out_masked_lm_loss"] < 8
    assert figures["tokens_seen"] == pytest.approx(12 * 4 * 22, rel=0.2)
    assert "| accuracy of masked tokens |" in (folder / "README.md").read_text(encoding="utf-8")
    lines = (folder / "curves.csv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 13
    assert lines[0].startswith("step,epoch,masked_lm_loss,masked_lm_accuracy,sentence_order_loss")
    assert len(list((folder / "checkpoints").glob("step-*.npz"))) == 2


def test_the_first_loss_is_that_of_guessing_among_all_pieces(whole):
    assert whole.progress.curve[0]["masked_lm_loss"] == pytest.approx(np.log(400), abs=0.3)


def test_a_small_recipe_learns_more_than_how_frequent_pieces_are(settings, tmp_path):
    mine = replace(settings, train_steps=90, eval_steps=90, log_steps=30, batch_size=32, learning_rate=0.02)
    result = pretrain(replace(mine, warmup_steps=10, output=str(tmp_path / "run")), verbose=False)
    assert result.figures["held_out_masked_lm_loss"] < result.figures["baselines"]["masked_lm_loss"]


def test_every_task_loads_the_preset(whole):
    preset = f"{whole.settings.output}/model"
    pretrainer = keras_albert.AlbertPretrainer.from_preset(preset)
    trained = whole.model.get_weights()
    for ours, stored in zip(trained, pretrainer.get_weights(), strict=True):
        np.testing.assert_array_equal(ours, stored)
    masked_lm = keras_albert.AlbertMaskedLM.from_preset(preset)
    np.testing.assert_array_equal(
        masked_lm.masked_lm_head.get_weights()[0], whole.model.masked_lm_head.get_weights()[0]
    )
    classifier = keras_albert.AlbertClassifier.from_preset(preset, num_classes=2)
    assert classifier.predict(["a fine day"]).shape == (1, 2)


class Stopped(Exception):
    """Stands for a kill: nothing is saved after it."""


@pytest.mark.parametrize("stops", [(2,), (5, 7, 11)], ids=["before the first checkpoint", "three times"])
def test_a_run_that_was_stopped_ends_as_one_that_was_not(stops, settings, whole, tmp_path, monkeypatch):
    mine = replace(settings, output=str(tmp_path / "run"))
    for stop in stops:
        with monkeypatch.context() as patch, pytest.raises(Stopped):
            patch.setattr(Trainer, "_step", stop_at(stop))
            keras.utils.set_random_seed(stop)
            pretrain(mine, verbose=False)
    keras.utils.set_random_seed(0)
    resumed = pretrain(mine, verbose=False)
    assert same(losses_of(resumed), losses_of(whole))
    for ours, theirs in zip(variables_of(resumed), variables_of(whole), strict=True):
        assert same(ours, theirs)


@pytest.mark.slow
def test_a_run_that_was_killed_ends_as_one_that_was_not(settings, tmp_path):
    """Kills processes by signal 9 at three random moments."""
    mine = replace(settings, train_steps=200, eval_steps=20, output=str(tmp_path / "whole"))
    code = "import sys, json; from keras_albert.pretraining import *; pretrain(Pretraining(**json.loads(sys.argv[1])))"
    rng = np.random.default_rng()

    def start(output):
        facts = mine.deciding() | {"output": str(tmp_path / output)}
        return subprocess.Popen([sys.executable, "-c", code, json.dumps(facts)], stderr=subprocess.DEVNULL)

    assert start("whole").wait() == 0
    killed = Checkpoints(tmp_path / "killed" / "checkpoints", 2)
    for wanted in sorted(rng.integers(0, 160, 3)):
        process = start("killed")
        while killed.last_progress().step < wanted and process.poll() is None:
            time.sleep(0.05)
        time.sleep(rng.random())
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    assert start("killed").wait() == 0
    last, other = (np.load(tmp_path / name / "checkpoints" / "step-000000200.npz") for name in ("whole", "killed"))
    for name in last.files:
        if name != "facts":
            assert same(last[name], other[name])
    whole_curve, curve = (
        [{key: value for key, value in point.items() if key != "steps_per_second"} for point in progress.curve]
        for progress in (Checkpoints(tmp_path / "whole" / "checkpoints", 2).last_progress(), killed.last_progress())
    )
    assert [list(point) for point in curve] == [list(point) for point in whole_curve]
    assert same(
        [list(point.values()) for point in curve[3::20]], [list(point.values()) for point in whole_curve[3::20]]
    )


def stop_at(step):
    """Return what stands for a step of the trainer, and does one until it is stopped."""
    original = Trainer._step

    def stopping(self, *args):
        if self._progress.step == step:
            raise Stopped
        original(self, *args)

    return stopping


def test_a_run_with_other_settings_is_not_gone_on_with(settings, tmp_path, monkeypatch):
    mine = replace(settings, output=str(tmp_path / "run"))
    monkeypatch.setattr(Trainer, "_step", stop_at(5))
    with pytest.raises(Stopped):
        pretrain(mine, verbose=False)
    with pytest.raises(ValueError, match=r"a run with other settings: learning_rate=0\.01 \(now 0\.1\)\. Repeat those"):
        pretrain(replace(mine, learning_rate=0.1), verbose=False)
    assert (tmp_path / "run" / "checkpoints" / "step-000000004.npz").is_file()


def test_a_run_that_saved_nothing_leaves_nothing(settings, tmp_path, monkeypatch):
    monkeypatch.setattr(Trainer, "_step", stop_at(0))
    with pytest.raises(Stopped):
        pretrain(replace(settings, output=str(tmp_path / "run")), verbose=False)
    assert not list(tmp_path.iterdir())


def test_a_run_that_is_over_and_other_folders_are_kept(whole, settings, tmp_path):
    with pytest.raises(FileExistsError, match=r"is over: its model is .*model\. Name another folder"):
        pretrain(whole.settings, verbose=False)
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(FileExistsError, match="is there already and holds no pretraining"):
        pretrain(replace(settings, output=str(tmp_path)), verbose=False)
    with pytest.raises(FileExistsError, match="which is a file"):
        pretrain(replace(settings, output=str(tmp_path / "notes.txt")), verbose=False)
    assert (tmp_path / "notes.txt").read_text(encoding="utf-8") == "mine"


def test_a_loss_that_is_no_number_ends_the_run_and_keeps_the_last_good_state(settings, tmp_path, monkeypatch):
    mine = replace(settings, output=str(tmp_path / "run"))
    step = Trainer._step

    def poisoned(self, *args):
        if self._progress.step == 6:
            weights = self._model.backbone.pooler.kernel
            weights.assign(weights * np.nan)
        step(self, *args)

    monkeypatch.setattr(Trainer, "_step", poisoned)
    with pytest.raises(ValueError, match=r"no number at step 7\. The last good state is .*step-000000004\.npz"):
        pretrain(mine, verbose=False)
    with np.load(tmp_path / "run" / "checkpoints" / "step-000000004.npz") as stored:
        assert all(np.isfinite(stored[name]).all() for name in stored.files)


def test_data_that_were_damaged_are_named(documents, settings, tmp_path):
    shutil.copytree(documents, tmp_path / "data")
    shard = sorted((tmp_path / "data").rglob("*.safetensors"))[0]
    content = bytearray(shard.read_bytes())
    content[-1] ^= 1
    shard.write_bytes(content)
    with pytest.raises(ValueError, match=rf"{shard.name} is damaged"):
        pretrain(replace(settings, data=str(tmp_path / "data"), output=str(tmp_path / "run")), verbose=False)


def test_rows_longer_than_the_positions_are_an_error(settings, tmp_path):
    with pytest.raises(ValueError, match=r"the model's 16 positions\. Received: sequence_length=24"):
        pretrain(replace(settings, max_sequence_length=16, output=str(tmp_path / "run")), verbose=False)


def test_too_few_held_out_documents_are_an_error(settings, tmp_path):
    with pytest.raises(ValueError, match=r"No document is held out.*held_out_share=1e-06"):
        pretrain(replace(settings, held_out_share=1e-6, output=str(tmp_path / "run")), verbose=False)


def test_accumulated_batches_make_one_step(settings, tmp_path):
    mine = replace(settings, batch_size=2, gradient_accumulation_steps=2, train_steps=4, output=str(tmp_path / "run"))
    result = pretrain(mine, verbose=False)
    assert result.progress.step == 4
    assert int(result.model.optimizer.iterations) == 4
    rates = [point["learning_rate"] for point in result.progress.curve]
    assert rates == pytest.approx([0.005, 0.005, 0.0025, 0.0])


@pytest.mark.parametrize("dtype", ["mixed_bfloat16", "mixed_float16"])
def test_half_precision_trains_and_goes_on(dtype, settings, whole, tmp_path, monkeypatch):
    mine = replace(settings, dtype=dtype, train_steps=5, output=str(tmp_path / "run"))
    with monkeypatch.context() as patch, pytest.raises(Stopped):
        patch.setattr(Trainer, "_step", stop_at(4))
        pretrain(mine, verbose=False)
    result = pretrain(mine, verbose=False)
    losses = [[point["masked_lm_loss"] for point in run.progress.curve[:2]] for run in (result, whole)]
    np.testing.assert_allclose(*losses, atol=0.05)
    assert result.progress.step == 5
    given = dict.fromkeys([*SIZES, "max_sequence_length"]) | {"init_from": f"{mine.output}/model"}
    after = pretrain(replace(mine, **given, train_steps=1, warmup_steps=0, output=str(tmp_path / "on")), verbose=False)
    assert after.progress.step == 1


def test_rematerialization_trains_the_same(settings, whole, tmp_path):
    mine = replace(settings, remat=True, train_steps=12, eval_steps=12, output=str(tmp_path / "run"))
    result = pretrain(mine, verbose=False)
    losses = [[point["masked_lm_loss"] for point in run.progress.curve] for run in (result, whole)]
    np.testing.assert_allclose(*losses, atol=1e-5)


def test_single_segments_train_no_order(settings, tmp_path):
    result = pretrain(
        replace(settings, pairs="none", train_steps=2, warmup_steps=0, output=str(tmp_path / "run")), verbose=False
    )
    assert not any("sentence_order" in name for name in result.progress.curve[-1])
    kernel = result.model.sentence_order_head.bias
    np.testing.assert_array_equal(keras.ops.convert_to_numpy(kernel), 0)


def test_a_run_goes_on_from_another_model(whole, settings, tmp_path):
    given = dict.fromkeys([*SIZES, "max_sequence_length"])
    preset = f"{whole.settings.output}/model"
    mine = replace(settings, **given, init_from=preset, train_steps=1, warmup_steps=0, learning_rate=1e-9)
    result = pretrain(replace(mine, output=str(tmp_path / "run")), verbose=False)
    for before, after in zip(whole.model.get_weights(), result.model.get_weights(), strict=True):
        np.testing.assert_allclose(before, after, atol=1e-7)
    with pytest.raises(ValueError, match=r"has other sizes\. Received: \{'num_layers': 5\}"):
        pretrain(replace(mine, num_layers=5, output=str(tmp_path / "other")), verbose=False)


def test_every_group_starts_as_the_first_one(whole, settings, tmp_path):
    given = dict.fromkeys([*SIZES, "max_sequence_length"])
    mine = replace(settings, **given, init_from=f"{whole.settings.output}/model", init_from_group0=True, num_groups=2)
    mine = replace(mine, num_layers=2)
    mine = replace(mine, train_steps=1, warmup_steps=0, learning_rate=1e-9, output=str(tmp_path / "run"))
    result = pretrain(mine, verbose=False)
    for block in result.model.backbone.feed_forward_blocks:
        for before, after in zip(
            whole.model.backbone.feed_forward_blocks[0].get_weights(), block.get_weights(), strict=True
        ):
            np.testing.assert_allclose(before, after, atol=1e-7)
    assert len(result.model.backbone.feed_forward_blocks) == 2


def test_a_model_of_another_vocabulary_is_an_error(golden_model, settings, tmp_path):
    archive, _ = golden_model("albert_tiny_g1")
    given = dict.fromkeys([*SIZES, "max_sequence_length"])
    with pytest.raises(
        ValueError, match=r"another vocabulary \(400 pieces\) than that of the model .* \(1,000 pieces\)"
    ):
        pretrain(replace(settings, **given, init_from=str(archive), output=str(tmp_path / "run")), verbose=False)


def test_googles_features_train(shared, golden_model, tmp_path):
    archive, _ = golden_model("albert_tiny_g1")
    file = shared / "golden" / "model" / "albert_tiny_g1_training_64.tfrecord"
    mine = Pretraining(
        str(file), str(tmp_path / "run"), tokenizer=str(archive), held_out_data=str(file), sequence_length=64,
        max_sequence_length=64, train_steps=2, warmup_steps=0, batch_size=4, eval_batches=2, **SIZES,
    )  # fmt: skip
    result = pretrain(mine, verbose=False)
    assert result.figures["held_out_rows"] == 8
    assert result.figures["tokens_seen"] > 0
    with pytest.raises(ValueError, match=r"Expected input_ids of 32 numbers .* record 0 .* has 64"):
        pretrain(replace(mine, sequence_length=32, output=str(tmp_path / "other")), verbose=False)
    with pytest.raises(ValueError, match="which vocabulary they were made with"):
        pretrain(replace(mine, tokenizer=None, output=str(tmp_path / "other")), verbose=False)


def test_features_of_another_vocabulary_are_an_error(shared, tokenizer, tmp_path):
    (tmp_path / "small.model").write_bytes(keras_albert.train_vocabulary(["a cat sat", "a mat"] * 20, 21))
    mine = Pretraining(
        str(shared / "golden" / "model" / "albert_tiny_g1_training_64.tfrecord"), str(tmp_path / "run"),
        tokenizer=str(tmp_path / "small.model"), sequence_length=64, train_steps=2, batch_size=4, **SIZES,
    )  # fmt: skip
    with pytest.raises(ValueError, match=r"another vocabulary: they have the id \d+, the tokenizer has 21 pieces"):
        pretrain(mine, verbose=False)


def test_a_google_checkpoint_brings_its_slots(shared):
    """Google's own files hold the slots beside the weights."""
    golden = shared / "golden" / "model" / "albert_tiny_g1"
    model = keras_albert.AlbertPretrainer.from_preset(str(golden))
    model.compile(optimizer=keras_albert.training.Lamb(0.001))
    assert restore_slots(str(golden), model) == 32
    checkpoint = GoogleCheckpoint(golden)
    moments = dict(zip(map(id, model.trainable_variables), model.optimizer.first_moments, strict=True))
    for variable, name, is_transposed in (
        (model.backbone.pooler.kernel, "bert/pooler/dense/kernel", False),
        (model.sentence_order_head.kernel, "cls/seq_relationship/output_weights", True),
    ):
        stored, _ = checkpoint.read_slots(name)
        assert np.abs(stored).max() > 0
        ours = keras.ops.convert_to_numpy(moments[id(variable)])
        np.testing.assert_array_equal(ours, stored.T if is_transposed else stored)

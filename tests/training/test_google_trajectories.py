"""Twelve updates of Google's pretraining on one batch: losses, rates, norms, slots and weights."""

import json

import keras
import numpy as np
import pytest

from keras_albert import AlbertPretrainer
from keras_albert.checkpoints.attribute_path import variable_at
from keras_albert.checkpoints.weight_table import WeightRow, table_for
from keras_albert.training import AdamW, Lamb, WarmupPolynomialDecay

TOLERANCE = 1e-5  # absolute, as the reference data's own replays suggest
STORED_STEPS = (1, 4, 12)
# Google looked words up by one-hot vectors here, as on TPU; see `GoogleOptimizer`.
RUNS = {"lamb_onehot": Lamb, "adamw_onehot": AdamW}


def pretraining_batch(folder):
    with np.load(folder / "batch.npz") as stored:
        x = {
            "token_ids": stored["input_ids"],
            "segment_ids": stored["segment_ids"],
            "padding_mask": stored["input_mask"],
            "mask_positions": stored["masked_lm_positions"],
        }
        labels = {"masked_lm": stored["masked_lm_ids"], "sentence_order": stored["next_sentence_labels"][:, 0]}
        weights = {"masked_lm": stored["masked_lm_weights"], "sentence_order": np.ones(8, "float32")}
    return x, labels, weights


def rows_of(model: AlbertPretrainer) -> list[WeightRow]:
    """Rows of the weight table for what the model has; the table also holds heads of other tasks."""
    return [row for row in table_for(model.backbone.get_config()) if row.part in ("backbone", *model.head_names)]


def google_arrays(model: AlbertPretrainer, optimizer: keras.optimizers.Optimizer) -> dict[str, np.ndarray]:
    """Weights and slots by Google's names, in Google's order of axes."""
    rows = rows_of(model)
    index_of = {id(variable): index for index, variable in enumerate(model.trainable_variables)}
    assert len(rows) == len(index_of)
    arrays = {}
    for row in rows:
        variable = variable_at(getattr(model, row.part), row.path)
        index = index_of[id(variable)]
        found = {
            row.google: variable,
            f"{row.google}/adam_m": optimizer.first_moments[index],
            f"{row.google}/adam_v": optimizer.second_moments[index],
        }
        arrays |= {name: value.numpy().T if row.transposed else value.numpy() for name, value in found.items()}
    return arrays


def assert_equal_google(model, optimizer, path) -> None:
    arrays = google_arrays(model, optimizer)
    with np.load(path) as stored:
        assert set(stored.files) == set(arrays)
        for name in stored.files:
            np.testing.assert_allclose(
                arrays[name], stored[name], rtol=0, atol=TOLERANCE, err_msg=f"{path.name} {name}"
            )


@pytest.mark.parametrize("run", RUNS)
def test_twelve_updates_are_googles(shared, run):
    folder = shared / "golden" / "optimizer"
    expected = json.loads((folder / "trajectories.json").read_text(encoding="utf-8"))[run]
    model = AlbertPretrainer.from_preset(folder / "g1_init", preprocessor=None)
    optimizer = RUNS[run](WarmupPolynomialDecay(0.00176, total_steps=12, warmup_steps=4))
    model.compile(optimizer)
    x, labels, weights = pretraining_batch(folder)
    rates, norms, losses = [], [], []
    for step in range(1, 13):
        rates.append(float(keras.ops.convert_to_numpy(optimizer.learning_rate)))
        history = model.fit(x, labels, sample_weight=weights, batch_size=8, shuffle=False, verbose=0).history
        losses.append([history[name][0] for name in ("loss", "masked_lm_loss", "sentence_order_loss")])
        norms.append(float(optimizer.gradient_norm.numpy()))
        if step in STORED_STEPS:
            assert_equal_google(model, optimizer, folder / f"{run}_step{step:02}.npz")
    expected_losses = np.transpose([expected[name] for name in ("loss", "masked_lm_loss", "sentence_order_loss")])
    np.testing.assert_allclose(losses, expected_losses, rtol=0, atol=TOLERANCE)
    np.testing.assert_allclose(rates, expected["learning_rate"], rtol=0, atol=1e-6 * 0.00176)
    np.testing.assert_allclose(norms, expected["global_norm"], rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize("make", [Lamb, AdamW])
def test_default_exclusions_spare_the_variables_that_google_spares(golden_model, make):
    archive, _ = golden_model("albert_tiny_g2")
    model = AlbertPretrainer.from_preset(archive, preprocessor=None)
    optimizer = make(0.1)
    optimizer.build(model.trainable_variables)
    rows = rows_of(model)
    google_spares = {
        id(variable_at(getattr(model, row.part), row.path))
        for row in rows
        if any(word in row.google for word in ("LayerNorm", "layer_norm", "bias"))
    }
    for is_touched in [optimizer.is_decayed, *([optimizer.is_adapted] if make is Lamb else [])]:
        spared = {id(v) for v, touched in zip(model.trainable_variables, is_touched, strict=True) if not touched}
        assert spared == google_spares
        assert 0 < len(spared) < len(rows) == len(is_touched)

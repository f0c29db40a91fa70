"""The settings of a pretraining."""

import pytest

from keras_albert.pretraining import Pretraining


def settings(**given):
    return Pretraining("data", "run", **given)


@pytest.mark.parametrize(
    "given, message",
    [
        ({"train_steps": 0}, r"Expected train_steps to be at least 1\. Received: train_steps=0"),
        ({"max_masks": 0}, r"Expected max_masks to be at least 1"),
        ({"hidden_dropout": 1.0}, r"Expected hidden_dropout in \[0, 1\)\. Received: hidden_dropout=1\.0"),
        ({"learning_rate": float("nan")}, r"Expected a positive learning_rate"),
        ({"dtype": "float64"}, r"Expected dtype to be one of float32, .*Received: dtype='float64'"),
        ({"optimizer": "sgd"}, r"Expected optimizer to be one of lamb, adamw\. Received: optimizer='sgd'"),
        ({"pairs": "sop"}, r"Expected pairs to be one of sentence_order, .*Received: pairs='sop'"),
        ({"train_steps": 10, "warmup_steps": 10}, r"the training, which has 10 steps\. Received: warmup_steps=10"),
        ({"seed": -1}, r"Expected a seed from 0"),
        ({"mask_share": 0.0}, r"Expected mask_share above 0"),
        ({"init_from_group0": True}, r"init_from_group0 needs init_from"),
    ],
)
def test_values_out_of_range_are_named(given, message):
    with pytest.raises(ValueError, match=message):
        settings(**given)


def test_data_and_output_must_be_named():
    with pytest.raises(ValueError, match=r"Expected data to be named"):
        Pretraining(output="run")
    with pytest.raises(ValueError, match=r"Expected output to be named"):
        Pretraining("data")


def test_slots_hold_the_share_of_a_row():
    assert settings(sequence_length=512).slots == 77
    assert settings(sequence_length=128).slots == 19
    assert settings(max_masks=20).slots == 20


def test_the_rate_goes_with_the_root_of_the_batch():
    assert settings(batch_size=1024).rate == pytest.approx(0.00176 / 2)
    assert settings(batch_size=256, gradient_accumulation_steps=4).rate == pytest.approx(0.00176 / 2)
    assert settings(optimizer="adamw").rate == 1e-4
    assert settings(learning_rate=0.5).rate == 0.5


def test_the_warm_up_is_googles_share_of_the_training():
    assert settings().warmup == 3125


def test_what_decides_the_result_leaves_out_where_it_goes():
    assert settings(overwrite=True).deciding() == Pretraining("data", "elsewhere", keep_checkpoints=5).deciding()
    assert settings(seed=1).deciding() != settings().deciding()

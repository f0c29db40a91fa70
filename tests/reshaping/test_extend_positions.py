"""More positions: the learnt rows stay, and repeat behind themselves."""

import warnings

import keras
import numpy as np
import pytest
from keras import ops
from small_models import TASKS, assert_others_equal, small_backbone, small_task

import keras_albert
from keras_albert import extend_positions


def positions(model) -> np.ndarray:
    return ops.convert_to_numpy(getattr(model, "backbone", model).embedding.position_embedding)


@pytest.mark.parametrize("policy", ["float32", "float16", "mixed_bfloat16"])
def test_further_rows_repeat_the_learnt_ones(policy):
    backbone = small_backbone(max_sequence_length=5, dtype=policy)
    extended = extend_positions(backbone, 12)
    table = positions(backbone)
    np.testing.assert_array_equal(positions(extended), table[[0, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3]])
    assert positions(extended).dtype == table.dtype
    assert extended.max_sequence_length == extended.get_config()["max_sequence_length"] == 12
    assert positions(backbone).shape == (5, 8)
    one = small_backbone(max_sequence_length=1)
    np.testing.assert_array_equal(positions(extend_positions(one, 3)), positions(one)[[0, 0, 0]])


def test_short_texts_give_what_they_gave_and_long_ones_something():
    backbone = small_backbone()
    extended = extend_positions(backbone, 40)
    short = {"token_ids": np.arange(16)[None]}
    before, after = (ops.convert_to_numpy(model(short)["sequence_output"]) for model in (backbone, extended))
    np.testing.assert_allclose(after, before, rtol=0, atol=1e-6)
    long = {"token_ids": np.arange(40)[None] % 30}
    assert np.isfinite(ops.convert_to_numpy(extended(long)["pooled_output"])).all()
    with pytest.raises(ValueError, match="at most 16 tokens"):
        backbone(long)


@pytest.mark.parametrize("name", TASKS)
def test_every_task_keeps_all_but_its_positions(name):
    model = small_task(name)
    extended = extend_positions(model, 24)
    assert_others_equal(model, extended, "position_embedding")
    np.testing.assert_array_equal(positions(extended)[:16], positions(model))
    assert positions(extended).shape == (24, 8)
    assert extended.preprocessor.tokenizer.get_vocabulary() == model.preprocessor.tokenizer.get_vocabulary()


def test_preprocessor_makes_longer_rows_when_it_is_told_to():
    model = extend_positions(small_task("AlbertClassifier"), 40)
    text = "the train was late " * 6
    with pytest.warns(UserWarning, match="more than 16 tokens and were truncated"):
        assert model.preprocessor([text])["token_ids"].shape == (1, 16)
    model.preprocessor.max_sequence_length = 40
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=".*truncated")
        model.fit([text, "the train"], ["bad", "good"], verbose=0)
        assert model.predict([text], verbose=0).shape == (1, 3)


@pytest.mark.filterwarnings("ignore:The span_head was never trained")
def test_answers_may_lie_behind_the_old_positions():
    model = extend_positions(small_task("AlbertQuestionAnswerer", head="span"), 32)
    model.preprocessor.max_sequence_length = 32
    pair = ("the train", "the train was late " * 5)
    answers = model.predict([pair], verbose=0)
    table = positions(model)
    model.backbone.embedding.position_embedding.assign(np.concatenate([table[:20], -table[20:]]))
    assert model.predict([pair], verbose=0) != answers


def test_saved_and_loaded_it_is_the_same(tmp_path):
    extended = extend_positions(small_task("AlbertTokenClassifier"), 24)
    extended.compile(keras.optimizers.Adam(1e-3), jit_compile=False)
    extended.fit([["the", "train"]] * 4, [["O", "B-X"]] * 4, batch_size=4, verbose=0)
    extended.save_to_preset(tmp_path / "preset")
    extended.save(tmp_path / "model.keras")
    for loaded in (
        keras_albert.AlbertTokenClassifier.from_preset(tmp_path / "preset"),
        keras.models.load_model(tmp_path / "model.keras"),
    ):
        assert loaded.backbone.max_sequence_length == 24
        assert loaded.preprocessor.max_sequence_length == 16
        for old, new in zip(extended.get_weights(), loaded.get_weights(), strict=True):
            np.testing.assert_array_equal(old, new)


def test_as_many_positions_as_before_is_a_copy():
    backbone = small_backbone()
    copy = extend_positions(backbone, 16)
    assert copy is not backbone
    np.testing.assert_array_equal(positions(copy), positions(backbone))


@pytest.mark.parametrize("length", [15, 0, -1, 24.0, "24", True, None])
def test_fewer_positions_or_no_number_is_refused(length):
    with pytest.raises(ValueError, match=r"Expected.*positions.*Received: max_sequence_length="):
        extend_positions(small_backbone(), length)

"""Another vocabulary: rows and biases follow their pieces, and the model goes on."""

from typing import Any

import keras
import numpy as np
import pytest
from keras import ops
from small_models import PIECES, TASKS, arrays_of, assert_others_equal, chinese, small_backbone, small_task

import keras_albert
from keras_albert import add_pieces, keep_used_pieces, resize_vocabulary

CHANGED = ("token_embedding/embeddings", "masked_lm_head/output_bias")
ADDED = ["rematch", "##chs", "北"]


def larger() -> keras_albert.AlbertWordPieceTokenizer:
    return add_pieces(chinese(), ADDED)


def table_and_bias(model: Any) -> tuple[np.ndarray, np.ndarray]:
    head = model.masked_lm_head
    return ops.convert_to_numpy(model.backbone.token_embedding.embeddings), ops.convert_to_numpy(head.output_bias)


def masked_lm_logits(model: Any) -> np.ndarray:
    x = {name: np.ones((2, 6), "int32") for name in ("segment_ids", "padding_mask")}
    x |= {"token_ids": np.arange(12).reshape(2, 6) + 2, "mask_positions": np.array([[1, 3, 4]] * 2)}
    outputs = model(x)
    return ops.convert_to_numpy(outputs["masked_lm"] if isinstance(outputs, dict) else outputs)


@pytest.mark.parametrize("name", ["AlbertMaskedLM", "AlbertPretrainer"])
def test_logits_of_known_pieces_do_not_change(name):
    model = small_task(name)
    resized = resize_vocabulary(model, larger())
    before, after = masked_lm_logits(model), masked_lm_logits(resized)
    assert (before.shape, after.shape) == ((2, 3, 30), (2, 3, 33))
    np.testing.assert_allclose(after[..., :30], before, rtol=0, atol=1e-6)
    # "rematch" was "re ##mat ##ch", pieces 10 to 12; the old tokenizer can spell neither of the others.
    np.testing.assert_allclose(after[..., 30], before[..., 10:13].mean(axis=-1), rtol=0, atol=1e-5)
    np.testing.assert_allclose(after[..., 31], before.mean(axis=-1), rtol=0, atol=1e-5)
    np.testing.assert_allclose(after[..., 32], before.mean(axis=-1), rtol=0, atol=1e-5)


def test_everything_has_the_new_size():
    model = small_task("AlbertMaskedLM")
    resized = resize_vocabulary(model, larger())
    assert [array.shape for array in table_and_bias(resized)] == [(33, 8), (33,)]
    assert resized.backbone.vocabulary_size == resized.backbone.get_config()["vocabulary_size"] == 33
    assert resized.output_shape == (None, None, 33)
    assert resized.preprocessor.tokenizer.vocabulary_size() == 33
    assert resized.preprocessor("rematch")[0]["token_ids"].shape == model.preprocessor("rematch")[0]["token_ids"].shape


def test_the_model_that_is_given_stays_as_it_is():
    model = small_task("AlbertMaskedLM")
    before = {path: array.copy() for path, array in arrays_of(model).items()}
    resize_vocabulary(model, larger()).backbone.token_embedding.embeddings.assign(np.zeros((33, 8)))
    assert model.preprocessor.tokenizer.vocabulary_size() == model.backbone.vocabulary_size == 30
    for path, array in arrays_of(model).items():
        np.testing.assert_array_equal(array, before[path])


@pytest.mark.parametrize("policy", ["float32", "float16", "mixed_float16", "mixed_bfloat16", "bfloat16"])
def test_rows_follow_their_pieces_to_the_bit(policy):
    order = [*PIECES[:5], "点", "reset", *PIECES[:12:-1]]  # shuffled, some dropped, one new
    order = list(dict.fromkeys(order))
    model = small_task("AlbertMaskedLM", backbone=small_backbone(dtype=policy))
    resized = resize_vocabulary(model, keras_albert.AlbertWordPieceTokenizer(order))
    assert resized.backbone.dtype_policy.name == policy
    assert resized.dtype_policy.name == policy
    for old, new in zip(table_and_bias(model), table_and_bias(resized), strict=True):
        assert new.dtype == old.dtype
        for id, piece in enumerate(order):
            if piece != "reset":
                np.testing.assert_array_equal(new[id], old[PIECES.index(piece)])
        wide = old.astype("float32")  # "re" and then no "##s e t": unknown, the mean of all
        np.testing.assert_allclose(new[6].astype("float32"), wide.mean(axis=0), rtol=0, atol=2e-2)


@pytest.mark.parametrize("name", TASKS)
def test_every_task_keeps_all_but_its_table(name):
    model = small_task(name, backbone=small_backbone(remat=True, hidden_dropout=0.1, layer_norm_epsilon=1e-6))
    resized = resize_vocabulary(model, larger())
    assert_others_equal(model, resized, *CHANGED)
    table = resized.backbone.token_embedding.get_weights()[0]
    np.testing.assert_array_equal(table[:30], model.backbone.token_embedding.get_weights()[0])
    assert resized.preprocessor.tokenizer.get_vocabulary() == [*PIECES, *ADDED]
    assert resized.preprocessor.max_sequence_length == 16
    assert resized.backbone.remat


def test_backbone_alone_takes_the_old_tokenizer_beside_it():
    backbone = small_backbone()
    resized = resize_vocabulary(backbone, larger(), old_tokenizer=chinese())
    assert_others_equal(backbone, resized, *CHANGED)
    with pytest.raises(ValueError, match="Pass the tokenizer that it was trained with: `old_tokenizer=`"):
        resize_vocabulary(backbone, larger())
    task = small_task("AlbertMaskedLM")
    task.preprocessor = None
    assert resize_vocabulary(task, larger(), chinese()).preprocessor is None


@pytest.mark.parametrize("name", ["AlbertMaskedLM", "AlbertPretrainer"])
def test_training_goes_on(name):
    model = resize_vocabulary(small_task(name), larger())
    before = table_and_bias(model)
    texts = ["the rematch was late", "我爱北火车"] * 4
    model.compile(keras.optimizers.SGD(0.5), jit_compile=False)
    if name == "AlbertPretrainer":
        model.fit((texts, texts[::-1]), np.array([0, 1] * 4), batch_size=8, verbose=0)
    else:
        model.fit(texts, batch_size=8, verbose=0)
    for old, new in zip(before, table_and_bias(model), strict=True):
        assert np.isfinite(new).all()
        assert (old[[6, 30]] != new[[6, 30]]).any(axis=tuple(range(1, old.ndim))).all()  # known and new rows learn


def test_saved_and_loaded_it_is_the_same(tmp_path):
    resized = resize_vocabulary(small_task("AlbertMaskedLM"), larger())
    text = "the rematch, 我爱北"
    resized.compile(keras.optimizers.Adam(1e-3), jit_compile=False)
    resized.fit([text] * 4, batch_size=4, verbose=0)
    resized.save_to_preset(tmp_path / "preset")
    resized.save(tmp_path / "model.keras")
    from_preset = keras_albert.AlbertMaskedLM.from_preset(tmp_path / "preset")
    from_file = keras.models.load_model(tmp_path / "model.keras")
    for loaded in (from_preset, from_file):
        for old, new in zip(resized.get_weights(), loaded.get_weights(), strict=True):
            np.testing.assert_array_equal(old, new)
        assert loaded.preprocessor.tokenizer(text) == larger()(text) == [5, 30, 19, 24, 25, 32]
    backbone = keras_albert.AlbertBackbone.from_preset(tmp_path / "preset")
    assert backbone.token_embedding.embeddings.shape == (33, 8)
    assert int(from_file.optimizer.iterations) == 1


def test_smaller_sentencepiece_model_gives_the_same_answers(tokenizer, short_texts, tmp_path):
    backbone = small_backbone(vocabulary_size=400, max_sequence_length=32)
    model = small_task("AlbertClassifier", tokenizer, backbone)
    texts = [row["text"][:12] for row in short_texts[:6]]
    smaller = keep_used_pieces(tokenizer, texts)
    resized = resize_vocabulary(model, smaller)
    assert resized.backbone.vocabulary_size == smaller.vocabulary_size() < 300
    expected = model.predict(texts, verbose=0)
    np.testing.assert_allclose(resized.predict(texts, verbose=0), expected, rtol=0, atol=1e-6)
    resized.save_to_preset(tmp_path / "preset")
    loaded = keras_albert.AlbertClassifier.from_preset(tmp_path / "preset")
    np.testing.assert_allclose(loaded.predict(texts, verbose=0), expected, rtol=0, atol=1e-6)
    assert loaded.class_names == ("bad", "good", "mixed")


def test_number_of_ids_makes_the_table_larger_than_the_vocabulary():
    model = small_task("AlbertMaskedLM")
    resized = resize_vocabulary(model, 32)
    assert resized.preprocessor.tokenizer.vocabulary_size() == 30
    for old, new in zip(table_and_bias(model), table_and_bias(resized), strict=True):
        np.testing.assert_array_equal(new[:30], old)
        np.testing.assert_allclose(new[30:], np.stack([old.mean(axis=0)] * 2), rtol=0, atol=1e-6)
    # The rows beyond the vocabulary have no pieces, and go again.
    again = resize_vocabulary(resized, larger())
    for old, new in zip(table_and_bias(model), table_and_bias(again), strict=True):
        np.testing.assert_array_equal(new[:30], old)
        assert len(new) == 33
    assert resize_vocabulary(small_backbone(), 20).vocabulary_size == 20


@pytest.mark.parametrize("tokenizer", [29, 0, -1, True, 31.5, "vocab.txt", None, ["[PAD]", "a"]])
def test_what_is_no_vocabulary_of_the_model_is_refused(tokenizer):
    with pytest.raises(ValueError, match=r"Expected.*Received: tokenizer="):
        resize_vocabulary(small_task("AlbertMaskedLM"), tokenizer)


def test_tokenizer_without_vocabulary_is_refused():
    with pytest.raises(ValueError, match="has no vocabulary yet"):
        resize_vocabulary(small_task("AlbertMaskedLM"), keras_albert.AlbertWordPieceTokenizer())
    with pytest.raises(ValueError, match=r"vocabulary of 2 pieces without \[UNK\]"):
        resize_vocabulary(small_task("AlbertMaskedLM"), keras_albert.AlbertWordPieceTokenizer(["[PAD]", "a"]))


def test_tokenizers_that_do_not_go_together_are_refused(tokenizer):
    model = small_task("AlbertMaskedLM")
    with pytest.raises(ValueError, match=r"of one kind.*type AlbertTokenizer, model.preprocessor.tokenizer of type"):
        resize_vocabulary(model, tokenizer)
    with pytest.raises(ValueError, match=r"of one kind.*old_tokenizer of type AlbertTokenizer"):
        resize_vocabulary(model, larger(), tokenizer)
    with pytest.raises(ValueError, match=r"table has 30 rows. Received: old_tokenizer of 33 ids"):
        resize_vocabulary(model, chinese(), larger())
    model.preprocessor = lambda x: x
    with pytest.raises(ValueError, match=r"Expected a preprocessor of keras_albert.*Set it to None"):
        resize_vocabulary(model, larger(), chinese())

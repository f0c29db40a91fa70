"""Suggestions for `[MASK]`: probabilities of the model, the texts they give, long texts, what is refused."""

import numpy as np
import pytest

from keras_albert import AlbertBackbone, AlbertMaskedLM, AlbertTokenizer, AlbertWordPieceTokenizer
from keras_albert.tasks import AlbertMaskedLMPreprocessor
from keras_albert.tasks.fill_mask import Fill

PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "我", "爱", "你", "un", "##able", "able", ",", "##s"]


@pytest.fixture(scope="module")
def golden(golden_model) -> AlbertMaskedLM:
    masked_lm = AlbertMaskedLM.from_preset(golden_model("albert_tiny_g2")[0])
    masked_lm.compile(run_eagerly=True)  # few rows, many shapes: compiling each would take a minute
    return masked_lm


def probabilities(masked_lm, ids, position) -> np.ndarray:
    """Softmax of the model's logits at a position of a row that is given as ids."""
    x = {"token_ids": np.array([ids], "int32"), "mask_positions": np.array([[position]], "int32")}
    x |= {"segment_ids": np.zeros_like(x["token_ids"]), "padding_mask": np.ones_like(x["token_ids"])}
    logits = masked_lm.predict(x, verbose=0)[0, 0].astype("float64")
    return np.exp(logits) / np.exp(logits).sum()


def test_fills_are_the_softmax_at_the_mask(golden):
    tokenizer = golden.preprocessor.tokenizer
    left, right = tokenizer.tokenize("the cat sat on the"), tokenizer.tokenize("today")
    expected = probabilities(golden, [2, *left, 4, *right, 3], 1 + len(left))
    (fills,) = golden.fill_mask("the cat sat on the [MASK] today", top_k=10**6)
    assert len(fills) == tokenizer.vocabulary_size() - 5
    received = {fill.token: fill.probability for fill in fills}
    assert not {"<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]"} & received.keys()
    for id, piece in enumerate(tokenizer.get_vocabulary()):
        if piece in received:
            assert received[piece] == pytest.approx(expected[id], rel=1e-3)
    assert sum(received.values()) + expected[:5].sum() == pytest.approx(1.0, abs=1e-5)
    found = [fill.probability for fill in fills]
    assert found == sorted(found, reverse=True)
    assert tokenizer.special_tokens_in_strings is False
    assert 4 not in tokenizer.tokenize("[MASK]")


def test_each_mask_of_each_text_has_its_list_whatever_the_batch(golden):
    texts = ["[MASK] is here", "the cat sat on [MASK] and [MASK] today", "the [MASK], it is cheap"]
    together = golden.fill_mask(texts, top_k=3, batch_size=2)
    assert [[len(fills) for fills in row] for row in together] == [[3], [3, 3], [3]]
    for text, row in zip(texts, together, strict=True):
        for fills, alone in zip(row, golden.fill_mask(text, top_k=3), strict=True):
            assert [fill.token for fill in fills] == [fill.token for fill in alone]
            assert [fill.text for fill in fills] == [fill.text for fill in alone]
            np.testing.assert_allclose(
                [fill.probability for fill in fills], [fill.probability for fill in alone], rtol=1e-4
            )
    first, second = together[1]
    assert all(fill.text.startswith("the cat sat on") and fill.text.endswith(" and [MASK] today") for fill in first)
    assert all(fill.text.startswith("the cat sat on [MASK] and") and fill.text.endswith(" today") for fill in second)


def test_special_tokens_in_strings_stay_special(golden, golden_model):
    tokenizer = AlbertTokenizer.from_preset(golden_model("albert_tiny_g2")[0], special_tokens_in_strings=True)
    masked_lm = AlbertMaskedLM(golden.backbone, AlbertMaskedLMPreprocessor(tokenizer, max_sequence_length=64))
    masked_lm.masked_lm_head.set_weights(golden.masked_lm_head.get_weights())
    left = tokenizer.tokenize("the cat")
    expected = probabilities(masked_lm, [2, *left, 3, 4, 3], len(left) + 2)
    (fills,) = masked_lm.fill_mask("the cat [SEP] [MASK]", top_k=1)
    assert fills[0].probability == pytest.approx(np.delete(expected, range(5)).max(), rel=1e-3)


@pytest.mark.parametrize("place", [0, 50, 100])
def test_long_text_is_cut_around_the_mask(golden, place):
    words = ["the", "cat"] * 50
    text = " ".join([*words[:place], "[MASK]", *words[place:]])
    tokenizer = golden.preprocessor.tokenizer
    before, after = (tokenizer.tokenize(" ".join(part)) for part in (words[:place], words[place:]))
    ids = [*before, 4, *after]
    # 62 of the tokens fit beside [CLS] and [SEP], half of them before the mask where there are as many.
    start = {0: 0, 50: len(before) - 31, 100: len(ids) - 62}[place]
    expected = probabilities(golden, [2, *ids[start : start + 62], 3], len(before) - start + 1)
    (fills,) = golden.fill_mask(text, top_k=1)
    assert fills[0].probability == pytest.approx(np.delete(expected, range(5)).max(), rel=1e-3)
    assert fills[0].text.count("cat") >= 50


def test_pieces_are_put_into_the_text_as_they_are_written():
    tokenizer = AlbertWordPieceTokenizer(PIECES)
    backbone = AlbertBackbone(20, 1, 1, 8, 16, 4, max_sequence_length=16)
    masked_lm = AlbertMaskedLM(backbone, AlbertMaskedLMPreprocessor(tokenizer, max_sequence_length=16))

    def texts(text: str) -> dict[str, str]:
        return {fill.token: fill.text for fill in masked_lm.fill_mask(text, top_k=100)[0]}

    assert texts("我[MASK]你").keys() == set(PIECES[5:])
    assert texts("我[MASK]你")["爱"] == "我爱你"
    filled = texts("He is un [MASK], I say")
    assert filled["##able"] == "He is unable, I say"
    assert filled["able"] == "He is un able, I say"
    assert texts("un[MASK]")["able"] == "un able"
    assert texts("([MASK])")["able"] == "(able)"


def test_pieces_of_sentencepiece_begin_or_go_on_with_a_word(golden):
    texts = {fill.token: fill.text for fill in golden.fill_mask("The cat [MASK].", top_k=1000)[0]}
    assert texts["\u2581the"] == "The cat the."
    assert texts["s"] == "The cats."


def test_probabilities_are_floats_in_a_named_tuple(golden):
    fill = golden.fill_mask(["[MASK]"], top_k=1)[0][0][0]
    assert isinstance(fill, Fill)
    assert type(fill.probability) is float
    assert type(fill.token) is str


def test_text_without_mask_is_refused(golden):
    with pytest.raises(ValueError, match=r"Expected `\[MASK\]` in each text. Received: 'a \[mask\]' \(text 1\); write"):
        golden.fill_mask(["a [MASK]", "a [mask]"])
    with pytest.raises(ValueError, match="top_k=0"):
        golden.fill_mask("a [MASK]", top_k=0)


def test_model_without_preprocessor_is_refused(backbone):
    with pytest.raises(ValueError, match="build the model with preprocessor="):
        AlbertMaskedLM(backbone).fill_mask("a [MASK]")


def test_logits_are_float32_in_mixed_precision():
    backbone = AlbertBackbone(20, 1, 1, 8, 16, 4, max_sequence_length=16, dtype="mixed_bfloat16")
    tokenizer = AlbertWordPieceTokenizer(PIECES)
    masked_lm = AlbertMaskedLM(backbone, AlbertMaskedLMPreprocessor(tokenizer, max_sequence_length=16))
    x = {name: np.ones((1, 16), "int32") for name in ("token_ids", "segment_ids", "padding_mask", "mask_positions")}
    assert masked_lm.predict(x, verbose=0).dtype == "float32"
    assert 0 < masked_lm.fill_mask("un[MASK]", top_k=1)[0][0].probability < 1

"""The order of raw pairs: the head's probability, whatever the batch, and what is refused."""

import numpy as np
import pytest

from keras_albert import AlbertPretrainer

PAIRS = [
    ("the cat sat", "it was here"),
    ("the cat sat on the mat and the dog sat beside it", "today it is cheap"),
    ("a", "the cat is here today and it is cheap, the dog sat on the mat, the cat sat on the dog"),
]


@pytest.fixture(scope="module")
def golden(golden_model) -> AlbertPretrainer:
    pretrainer = AlbertPretrainer.from_preset(golden_model("albert_tiny_g1")[0])
    pretrainer.compile(run_eagerly=True)
    return pretrainer


def row(tokenizer, first: str, second: str) -> dict[str, np.ndarray]:
    """An unmasked row, packed by hand."""
    first_ids, second_ids = tokenizer.tokenize(first), tokenizer.tokenize(second)
    ids = [2, *first_ids, 3, *second_ids, 3]
    segments = [0] * (len(first_ids) + 2) + [1] * (len(second_ids) + 1)
    x = {"token_ids": [ids], "segment_ids": [segments], "padding_mask": [[1] * len(ids)], "mask_positions": [[0]]}
    return {name: np.array(value, "int32") for name, value in x.items()}


def test_probability_is_the_softmax_of_the_head(golden):
    received = golden.sentence_order(PAIRS, batch_size=2)
    assert received.dtype == "float32"
    for pair, probability in zip(PAIRS, received, strict=True):
        logits = golden.predict(row(golden.preprocessor.tokenizer, *pair), verbose=0)["sentence_order"][0]
        expected = np.exp(logits[0]) / np.exp(logits).sum()
        assert probability == pytest.approx(expected, abs=1e-5)
    np.testing.assert_allclose(golden.sentence_order(tuple(zip(*PAIRS, strict=True))), received, atol=1e-5)


def test_long_pairs_are_cut_to_the_models_rows(golden):
    first, second = "the cat sat on the mat " * 40, "today " * 200
    assert 0 <= golden.sentence_order([(first, second)])[0] <= 1


def test_what_is_refused_says_what_to_do(golden):
    with pytest.raises(ValueError, match=r"Expected pairs of texts.*2 texts without a second one, such as 'a'"):
        golden.sentence_order(["a", "b"])
    with pytest.raises(ValueError, match="build the model with preprocessor="):
        AlbertPretrainer(golden.backbone).sentence_order(PAIRS)

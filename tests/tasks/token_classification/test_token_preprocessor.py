"""Words to pieces: labels on first pieces, words without pieces, long words, datasets."""

import numpy as np
import pytest

from keras_albert import AlbertTokenClassifierPreprocessor, AlbertTokenizer, AlbertWordPieceTokenizer

PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "jim", "un", "##aff", "##able", "x", "我"]


@pytest.fixture
def preprocessor() -> AlbertTokenClassifierPreprocessor:
    tokenizer = AlbertWordPieceTokenizer(PIECES)
    return AlbertTokenClassifierPreprocessor(tokenizer, sequence_length=8, max_sequence_length=8)


def test_labels_are_on_first_pieces(preprocessor):
    x, labels, weights = preprocessor([["jim", "unaffable", "x"]], [[1, 2, 3]])
    assert x["token_ids"].tolist() == [[2, 5, 6, 7, 8, 9, 3, 0]]
    assert labels.tolist() == [[0, 1, 2, 0, 0, 3, 0, 0]]
    assert weights.tolist() == [[0, 1, 1, 0, 0, 1, 0, 0]]


def test_labels_are_on_first_pieces_of_a_sentencepiece_model(shared):
    tokenizer = AlbertTokenizer(shared / "data" / "albert_vocab" / "spiece.model")
    preprocessor = AlbertTokenClassifierPreprocessor(tokenizer)
    words = ["jim", "unaffable", "x"]
    x, labels, weights = preprocessor([words], [[1, 2, 3]])
    lengths = [len(tokenizer.tokenize(word)) for word in words]
    assert lengths[1] > 1
    firsts = [1, 1 + lengths[0], 1 + lengths[0] + lengths[1]]
    assert np.flatnonzero(weights[0]).tolist() == firsts
    assert labels[0, firsts].tolist() == [1, 2, 3]
    assert x["padding_mask"].sum() == 2 + sum(lengths)


@pytest.mark.parametrize("word", ["", "\x00", "\ufe0f", "\u200b"])
def test_a_word_without_pieces_is_unknown_and_counts(preprocessor, word):
    x, labels, _ = preprocessor([["jim", word, "x"]], [[1, 2, 3]])
    assert x["token_ids"][0, :5].tolist() == [2, 5, 1, 9, 3]
    assert labels[0, :5].tolist() == [0, 1, 2, 3, 0]


def test_a_word_longer_than_a_row_is_cut(preprocessor):
    words = ["x", "我我我我我我我我我", "jim"]  # nine pieces, and a row holds six
    with pytest.warns(UserWarning, match="1 of 3 words have more than 6 pieces and were cut"):
        x, labels, weights = preprocessor([words], [[1, 2, 3]])
    assert len(x["token_ids"]) == 3
    assert sorted(labels[weights > 0].tolist()) == [1, 2, 3]


def test_every_word_is_trained_once_whatever_the_windows(preprocessor):
    preprocessor.window_overlap = 3
    words = ["jim", "unaffable", "x", "我"] * 5
    x, labels, weights = preprocessor([words, [], ["x"]], [list(range(20)), [], [20]])
    assert len(x["token_ids"]) > 3
    assert labels[weights > 0].tolist() == list(range(21))


pytestmark = pytest.mark.filterwarnings("ignore:.*have no words")


def test_weights_of_texts_and_of_words(preprocessor):
    _, _, weights = preprocessor(["jim x", "x"], [[0, 1], [1]], [0.5, 2.0])
    assert weights[weights > 0].tolist() == [0.5, 0.5, 2.0]
    _, _, weights = preprocessor(["jim x", "x"], [[0, 1], [1]], [[3.0, 0.0], [1.0]])
    assert weights[:, :3].tolist() == [[0, 3, 0], [0, 1, 0]]


def test_texts_without_words_are_reported(preprocessor):
    with pytest.warns(UserWarning, match="1 of 2 texts have no words"):
        preprocessor(["", "x"])


def test_datasets_of_raw_text_are_refused_with_what_to_do(preprocessor):
    import grain
    import tensorflow as tf

    dataset = tf.data.Dataset.from_tensor_slices(["jim x"]).batch(1)
    for wrong in (dataset, grain.MapDataset.source(["jim x"])):
        with pytest.raises(ValueError, match="Pass a list of texts"):
            preprocessor.takes(wrong)
    with pytest.raises(ValueError, match="Pass a list of texts"):
        dataset.map(preprocessor)


@pytest.mark.parametrize("options", [{"window_overlap": 6}, {"window_overlap": -1}, {"word_split": "pieces"}])
def test_options_that_cannot_be_are_refused(options):
    with pytest.raises(ValueError, match=f"Received: {next(iter(options))}="):
        AlbertTokenClassifierPreprocessor(AlbertWordPieceTokenizer(PIECES), max_sequence_length=8, **options)

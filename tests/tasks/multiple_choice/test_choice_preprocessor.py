"""Packing of multiple-choice examples: Google's features, what is cut, what is refused."""

import numpy as np
import pytest

from keras_albert import AlbertMultipleChoicePreprocessor, AlbertTokenizer, AlbertWordPieceTokenizer
from keras_albert.finetuning.readers.race import read_race


@pytest.fixture(scope="session")
def released_tokenizer(shared) -> AlbertTokenizer:
    return AlbertTokenizer(shared / "data" / "albert_vocab" / "spiece.model")


def test_features_are_googles(shared, released_tokenizer):
    golden = shared / "golden" / "race"
    rows = read_race(golden / "input" / "RACE", "dev")
    preprocessor = AlbertMultipleChoicePreprocessor(
        released_tokenizer, max_option_length=64, sequence_length=256, max_sequence_length=256
    )
    # The golden data's own counts of contexts and of endings that were cut.
    with pytest.warns(UserWarning) as caught:
        x, y = preprocessor(rows.inputs, rows.labels)
    assert [str(warning.message)[:8] for warning in caught] == ["12 of 44", "10 of 44"]
    with np.load(golden / "features.npz") as features:
        np.testing.assert_array_equal(x["token_ids"], features["input_ids"])
        np.testing.assert_array_equal(x["segment_ids"], features["segment_ids"])
        np.testing.assert_array_equal(x["padding_mask"], features["input_mask"])
        np.testing.assert_array_equal(y, features["label_ids"])


def test_option_stays_whole_beside_a_long_context(released_tokenizer):
    preprocessor = AlbertMultipleChoicePreprocessor(released_tokenizer, max_sequence_length=512)
    options = [f"{colour} and very deep" for colour in ("blue", "green", "red", "white")]
    with pytest.warns(UserWarning, match="1 of 1 examples have more than 512"):
        x = preprocessor((["the sea " * 300], ["what is it?"], [options]))
    assert x["token_ids"].shape == (1, 4, 512)
    endings = released_tokenizer.tokenize([f"what is it? {option}" for option in options])
    for row, ending in zip(x["token_ids"][0], endings, strict=True):
        tail = [released_tokenizer.end_token_id, *ending, released_tokenizer.end_token_id]
        assert row[-len(tail) :].tolist() == tail


def test_long_question_loses_its_start(released_tokenizer):
    preprocessor = AlbertMultipleChoicePreprocessor(released_tokenizer, max_option_length=3, max_sequence_length=16)
    with pytest.warns(UserWarning, match="more than 3 tokens in question and option"):
        x = preprocessor((["it rains"], ["the quick brown fox"], [["the quick", "brown fox"]]))
    # "the quick brown fox" is 14 2231 886 2385.
    assert x["token_ids"][0, 0][x["segment_ids"][0, 0] == 1].tolist() == [2385, 14, 2231, 3]
    assert x["token_ids"][0, 1][x["segment_ids"][0, 1] == 1].tolist() == [2385, 886, 2385, 3]


@pytest.mark.parametrize("question", ["the _ fox _", "The  _ fox\t_ ", "the ＿ fox _"])
def test_option_takes_the_place_of_every_blank(released_tokenizer, question):
    preprocessor = AlbertMultipleChoicePreprocessor(released_tokenizer)
    x = preprocessor(([""], [question], [["quick", " brown  "]]))
    expected = released_tokenizer.tokenize(["the quick fox quick", "the brown fox brown"])
    for row, ids in zip(x["token_ids"][0], expected, strict=True):
        assert row[: len(ids) + 3].tolist() == [2, 3, *ids, 3]


def test_lacking_options_are_padding_only(colour_tokenizer, colours):
    x = AlbertMultipleChoicePreprocessor(colour_tokenizer)(colours[0])
    options = [len(row) for row in colours[0][2]]
    assert x["padding_mask"].any(axis=-1).sum(axis=-1).tolist() == options
    for array in x.values():
        assert not array[~x["padding_mask"].any(axis=-1)].any()  # <pad> is id 0


def test_a_batch_is_padded_to_its_longest_row(colour_tokenizer):
    preprocessor = AlbertMultipleChoicePreprocessor(colour_tokenizer)
    encoded = preprocessor.encode((["red"], ["is it?"], [["no", "no " * 20]]))
    longest = len(colour_tokenizer.tokenize("red")) + len(colour_tokenizer.tokenize("is it? " + "no " * 20)) + 3
    assert encoded.lengths.tolist() == [longest]
    assert longest <= preprocessor.features(encoded)["token_ids"].shape[2] < 1.5 * longest


def test_a_context_is_tokenized_once(colour_tokenizer, colours, monkeypatch):
    (contexts, questions, options), _ = colours
    seen: list[str] = []
    tokenize = AlbertTokenizer.tokenize
    monkeypatch.setattr(AlbertTokenizer, "tokenize", lambda self, texts: seen.extend(texts) or tokenize(self, texts))
    encoded = AlbertMultipleChoicePreprocessor(colour_tokenizer).encode((contexts[:1] * 16, questions, options))
    assert seen.count(contexts[0]) == 1
    assert len(encoded.contexts) == 1


def test_chinese_wordpieces_are_packed_likewise(shared):
    tokenizer = AlbertWordPieceTokenizer(shared / "data" / "chinese_vocab" / "vocab.txt")
    x = AlbertMultipleChoicePreprocessor(tokenizer)((["下雨"], ["天_"], [["晴", "雨"]]))
    pieces = ["[CLS]", "下", "雨", "[SEP]", "天", "雨", "[SEP]"]
    assert x["token_ids"][0, 1, :7].tolist() == [tokenizer.token_to_id(piece) for piece in pieces]


def test_truncation_is_reported_once(colour_tokenizer):
    preprocessor = AlbertMultipleChoicePreprocessor(colour_tokenizer, max_sequence_length=16)
    x = (["red " * 40], ["is it?"], [["no", "red"]])
    with pytest.warns(UserWarning, match="truncated"):
        preprocessor(x)
    preprocessor(x)  # warnings are errors


@pytest.mark.parametrize(
    ("x", "message"),
    [
        ((["a"], ["b"], [["c"]]), r"at least two options.*1 in options\[0\]"),
        ((["a"], ["b"], [[]]), "at least two options"),
        ((["a"], ["b"], ["yes"]), r"options\[0\]='yes'; put it in a list"),
        ((["a", "b"], ["b"], [["c", "d"]]), r"'contexts': 2, 'questions': 1, 'options': 1"),
        ((["a"], [None], [["c", "d"]]), r"questions\[0\]=None"),
        ((["a"], ["b"], [["c", 5]]), r"options\[0\]\[1\]=5"),
        (["a", "b"], "three columns"),
        ((["a"], ["b"]), "three columns"),
        ([], "no example"),
        ([{"context": "a", "question": "b"}], "example 0 without options"),
        ({"context": "a", "question": "b", "options": ["c", "d"]}, "put it in a list"),
    ],
)
def test_what_is_no_example_is_refused(colour_tokenizer, x, message):
    with pytest.raises(ValueError, match=message):
        AlbertMultipleChoicePreprocessor(colour_tokenizer)(x)


@pytest.mark.parametrize("y", [[0.5], ["b"], [True], [[0, 1]], ["AB"], [None]])
def test_what_is_no_label_is_refused(colour_tokenizer, y):
    with pytest.raises(ValueError, match="position of the right option"):
        AlbertMultipleChoicePreprocessor(colour_tokenizer)((["a"], ["b"], [["c", "d"]]), y)


def test_length_without_room_for_an_option_is_refused(colour_tokenizer):
    with pytest.raises(ValueError, match="max_option_length=0"):
        AlbertMultipleChoicePreprocessor(colour_tokenizer, max_option_length=0)

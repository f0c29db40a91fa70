"""Features against Google's, by each way in; what is reported and refused."""

import copy
import json
import pickle

import grain
import numpy as np
import pytest
import tensorflow as tf

import keras_albert
from keras_albert import AlbertClassifierPreprocessor, AlbertTokenizer, AlbertWordPieceTokenizer

TASKS = ["cola", "mrpc", "qnli", "rte", "sst-2", "sts-b", "wnli"]
GOOGLE_NAMES = {"token_ids": "input_ids", "padding_mask": "input_mask", "segment_ids": "segment_ids"}


def records(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def english(shared) -> AlbertTokenizer:
    return AlbertTokenizer(shared / "data" / "albert_vocab" / "spiece.model")


def texts_of(rows):
    first = [row["text_a"] for row in rows]
    return first if rows[0].get("text_b") is None else (first, [row["text_b"] for row in rows])


def expect_google(features, rows, length):
    for name, google in GOOGLE_NAMES.items():
        expected = np.array([row["features"][str(length)][google] for row in rows])
        np.testing.assert_array_equal(features[name], expected)


@pytest.mark.filterwarnings("ignore:.*were truncated")
@pytest.mark.parametrize("length", [64, 128])
@pytest.mark.parametrize("task", TASKS)
def test_features_equal_google(shared, english, task, length):
    rows = records(shared / "golden" / "classifier" / f"{task}_dev.jsonl")
    preprocessor = AlbertClassifierPreprocessor(english, sequence_length=length)
    expect_google(preprocessor(texts_of(rows)), rows, length)


@pytest.mark.filterwarnings("ignore:.*were truncated")
def test_chinese_features_equal_google(shared):
    rows = records(shared / "golden" / "classifier" / "zh_wordpiece.jsonl")
    tokenizer = AlbertWordPieceTokenizer(shared / "data" / "chinese_vocab" / "vocab.txt")
    preprocessor = AlbertClassifierPreprocessor(tokenizer, sequence_length=64)
    for kind in (None, "pair"):
        chosen = [row for row in rows if (row.get("text_b") is None) == (kind is None)]
        expect_google(preprocessor(texts_of(chosen)), chosen, 64)


@pytest.mark.filterwarnings("ignore:.*were truncated")
@pytest.mark.parametrize("task", ["sst-2", "mrpc"])
def test_features_inside_tf_data_and_grain_equal_google(shared, english, task):
    rows = records(shared / "golden" / "classifier" / f"{task}_dev.jsonl")
    preprocessor = AlbertClassifierPreprocessor(english, sequence_length=64)
    texts = texts_of(rows)
    # In a one-tuple, since `map` passes the parts of an element as arguments.
    dataset = tf.data.Dataset.from_tensor_slices((texts,))
    for batch in dataset.batch(25).map(preprocessor):
        expect_google({name: array.numpy() for name, array in batch.items()}, rows, 64)
    single = list(dataset.map(preprocessor))
    expect_google({name: np.stack([x[name].numpy() for x in single]) for name in GOOGLE_NAMES}, rows, 64)
    elements = list(zip(*texts, strict=True)) if isinstance(texts, tuple) else texts
    # Labels make a pair of texts one part of the element.
    dataset = grain.MapDataset.source([(element, 1) for element in elements]).batch(25).map(preprocessor)
    features, labels = next(iter(dataset))
    expect_google(features, rows, 64)
    np.testing.assert_array_equal(labels, [1] * 25)


def test_length_follows_the_batch_in_few_steps(tokenizer):
    preprocessor = AlbertClassifierPreprocessor(tokenizer, max_sequence_length=64)
    lengths = {preprocessor(["good " * count])["token_ids"].shape[1] for count in range(1, 60)}
    assert lengths == {16, 24, 32, 48, 64}


def test_one_text_gives_rows_without_batch_axis(tokenizer):
    preprocessor = AlbertClassifierPreprocessor(tokenizer, sequence_length=16)
    single = preprocessor("a good one")
    batch = preprocessor(["a good one"])
    for name, array in single.items():
        assert array.shape == (16,)
        np.testing.assert_array_equal(array, batch[name][0])
    assert preprocessor(("a good", "one"))["segment_ids"].sum() > 0


def test_literal_pad_in_a_text_is_no_padding(tokenizer):
    features = AlbertClassifierPreprocessor(tokenizer, sequence_length=16)(["a <pad> b"])
    assert (features["token_ids"] == tokenizer.pad_token_id).sum() == (features["padding_mask"] == 0).sum()


def test_labels_are_passed_on(tokenizer):
    preprocessor = AlbertClassifierPreprocessor(tokenizer)
    assert len(preprocessor(["a"], [1])) == 2
    assert len(preprocessor(["a"], [1], [0.5])) == 3


def test_truncation_is_counted_and_reported_once(tokenizer):
    preprocessor = AlbertClassifierPreprocessor(tokenizer, max_sequence_length=8)
    with pytest.warns(UserWarning, match=r"1 of 2 texts have more than 8 tokens") as caught:
        features = preprocessor(["good " * 50, "good"])
    assert len(caught) == 1
    assert features["token_ids"].shape == (2, 8)
    assert features["token_ids"][0, -1] == tokenizer.end_token_id
    preprocessor(["good " * 50])  # a second time nothing is said


def test_empty_text_is_cls_sep_and_reported(tokenizer):
    preprocessor = AlbertClassifierPreprocessor(tokenizer, sequence_length=8)
    with pytest.warns(UserWarning, match=r"1 of 2 texts are empty"):
        features = preprocessor(["", "good"])
    assert features["token_ids"][0].tolist() == [2, 3, 0, 0, 0, 0, 0, 0]


@pytest.mark.parametrize("wrong", [[], None, 7, [None], [float("nan")], [["a", "b", "c"]], (["a"], ["b", "c"])])
def test_what_is_no_text_is_refused(tokenizer, wrong):
    with pytest.raises(ValueError, match="Received: "):
        AlbertClassifierPreprocessor(tokenizer)(wrong)


@pytest.mark.parametrize(
    "arguments",
    [{"sequence_length": 2}, {"max_sequence_length": 0}, {"sequence_length": 64, "max_sequence_length": 32}],
)
def test_lengths_that_do_not_fit_are_refused(tokenizer, arguments):
    with pytest.raises(ValueError, match="sequence_length="):
        AlbertClassifierPreprocessor(tokenizer, **arguments)


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda layer: pickle.loads(pickle.dumps(layer))])
def test_copy_and_pickle_give_the_same_features(tokenizer, duplicate):
    preprocessor = AlbertClassifierPreprocessor(tokenizer, sequence_length=16)
    twin = duplicate(preprocessor)
    np.testing.assert_array_equal(twin(["a good one"])["token_ids"], preprocessor(["a good one"])["token_ids"])


def test_preprocessor_of_a_release_has_its_vocabulary_and_positions(golden_model):
    archive, _ = golden_model("albert_tiny_g2")
    preprocessor = keras_albert.AlbertClassifierPreprocessor.from_preset(archive)
    assert preprocessor.max_sequence_length == 64
    assert preprocessor.tokenizer.vocabulary_size() == 1000
    assert keras_albert.AlbertClassifierPreprocessor.from_preset(archive, sequence_length=32).sequence_length == 32

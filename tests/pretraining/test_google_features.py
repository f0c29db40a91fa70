"""Google's record files: read as Google wrote them, written as TensorFlow reads them, refused where they are wrong."""

import gzip
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keras_albert.presets.output_folder import OutputError
from keras_albert.pretraining.example_messages import decode_examples, encode_examples
from keras_albert.pretraining.google_features import count_features, read_features, write_features
from keras_albert.pretraining.record_files import masked_crcs, read_records, write_records
from keras_albert.text.masking import MaskingVocabulary

VOCABULARY = MaskingVocabulary(4, np.arange(5), np.arange(40_000) % 3 > 0)
quick = settings(deadline=None, max_examples=40, derandomize=True)


@pytest.fixture
def instances(rng) -> dict[str, np.ndarray]:
    """Eleven rows of length 12 with up to three predictions, with ids of one to three bytes."""
    lengths = rng.integers(6, 13, 11)
    padding_mask = (np.arange(12) < lengths[:, None]).astype("int32")
    weights = (np.arange(3) < rng.integers(1, 4, 11)[:, None]).astype("float32")
    return {
        "token_ids": rng.choice([7, 300, 39_999], (11, 12)).astype("int32") * padding_mask,
        "padding_mask": padding_mask,
        "segment_ids": ((np.arange(12) > 4) * padding_mask).astype("int32"),
        "mask_positions": np.array([1, 3, 5], "int32") * weights.astype("int32"),
        "mask_ids": rng.integers(5, 40_000, (11, 3)).astype("int32") * weights.astype("int32"),
        "mask_weights": weights,
        "sentence_order_label": rng.integers(0, 2, 11).astype("int32"),
    }


@pytest.fixture
def path(tmp_path, instances):
    path = tmp_path / "data.tfrecord"
    assert write_features(path, instances, VOCABULARY) == 11
    return path


def joined(parts) -> dict[str, np.ndarray]:
    parts = list(parts)
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def assert_same(one: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> None:
    assert set(one) == set(other)
    for name in one:
        assert one[name].dtype == other[name].dtype
        np.testing.assert_array_equal(one[name], other[name])


@pytest.fixture(scope="module")
def golden_records(shared):
    folder = shared / "golden" / "data_creation"
    with gzip.open(folder / "train_128.jsonl.gz", "rt", encoding="utf-8") as lines:
        return folder / "train_128.tfrecord", [json.loads(line) for line in lines]


def test_googles_file_reads_as_google_wrote_it(golden_records):
    path, expected = golden_records
    assert count_features(path) == len(expected) == 878
    read = joined(read_features(path, rows_at_once=300))
    for name, theirs in (
        ("token_ids", "input_ids"),
        ("padding_mask", "input_mask"),
        ("segment_ids", "segment_ids"),
        ("mask_positions", "masked_lm_positions"),
        ("mask_ids", "masked_lm_ids"),
        ("mask_weights", "masked_lm_weights"),
    ):
        assert read[name].dtype == ("float32" if name == "mask_weights" else "int32")
        np.testing.assert_array_equal(read[name], [record[theirs] for record in expected])
    labels = [record["next_sentence_labels"][0] for record in expected]
    np.testing.assert_array_equal(read["sentence_order_label"], labels)


def test_training_file_of_a_golden_model_reads(shared):
    read = joined(read_features(shared / "golden" / "model" / "albert_tiny_g1_training_64.tfrecord"))
    assert read["token_ids"].shape[1] == 64
    assert read["token_ids"].max() < 1000 and set(read["sentence_order_label"].tolist()) == {0, 1}


def test_googles_file_written_again_has_the_same_features(golden_records, shared, tmp_path):
    path, expected = golden_records
    starts = np.load(shared / "golden" / "data_creation" / "is_start_piece_30k.npz")["is_start_piece"]
    vocabulary = MaskingVocabulary(4, np.array([0, 2, 3]), starts)
    again = tmp_path / "again.tfrecord"
    assert write_features(again, joined(read_features(path)), vocabulary) == 878
    tf = pytest.importorskip("tensorflow")
    lengths = dict.fromkeys(("input_ids", "input_mask", "segment_ids", "token_boundary"), 128)
    lengths |= {"masked_lm_positions": 20, "masked_lm_ids": 20, "next_sentence_labels": 1}
    # As Google's trainer declares what it reads.
    specification = {name: tf.io.FixedLenFeature([length], tf.int64) for name, length in lengths.items()}
    specification["masked_lm_weights"] = tf.io.FixedLenFeature([20], tf.float32)
    records = list(tf.data.TFRecordDataset(str(again)).as_numpy_iterator())
    parsed = tf.io.parse_example(records, specification)
    for name in specification:
        found, wanted = parsed[name].numpy(), np.array([record[name] for record in expected])
        if name == "token_boundary":
            # An unknown piece has lost its text, by which Google tells word starts.
            pieces = [record["original_tokens"] for record in expected]
            unknown = np.array([["``" in row[at : at + 1] for at in range(128)] for row in pieces])
            assert unknown.sum() > 0
            found, wanted = found[~unknown], wanted[~unknown]
        np.testing.assert_array_equal(found, wanted, err_msg=name)


def test_file_of_tensorflows_own_writer_reads(path, instances, tmp_path):
    tf = pytest.importorskip("tensorflow")
    with tf.io.TFRecordWriter(str(tmp_path / "theirs")) as writer:
        for record in next(read_records(path, 20)):
            example = tf.train.Example.FromString(record)
            writer.write(example.SerializeToString())
    assert_same(joined(read_features(tmp_path / "theirs")), instances)


def test_what_is_written_reads_back(path, instances):
    assert count_features(path) == 11
    parts = list(read_features(path, rows_at_once=4))
    assert [len(part["token_ids"]) for part in parts] == [4, 4, 3]
    assert_same(joined(parts), instances)


def test_token_boundaries_are_word_starts_before_masking(path, instances):
    boundaries = np.array(decode_examples(next(read_records(path, 20)), ["token_boundary"])["token_boundary"])
    for row in range(11):
        ids = instances["token_ids"][row].copy()
        used = instances["mask_weights"][row] == 1
        ids[instances["mask_positions"][row][used]] = instances["mask_ids"][row][used]
        expected = ((ids % 3 > 0) | (ids < 5)) & (instances["padding_mask"][row] == 1)
        assert boundaries[row].tolist() == expected.tolist()


@pytest.mark.parametrize("first", [0, 1, 5, 10, 11, 30])
def test_reading_begins_at_any_record(path, instances, first):
    parts = list(read_features(path, rows_at_once=4, first=first))
    if first >= 11:
        assert not parts
    else:
        assert_same(joined(parts), {name: array[first:] for name, array in instances.items()})


def test_record_of_another_length_is_refused(path, instances, tmp_path):
    shorter = {name: array[:, :10] if array.shape[1:] == (12,) else array for name, array in instances.items()}
    write_features(tmp_path / "short", shorter, VOCABULARY)
    (tmp_path / "both").write_bytes(path.read_bytes() + (tmp_path / "short").read_bytes())
    message = "input_ids of 12 numbers.*both, whose record 11 .* has 10"
    with pytest.raises(ValueError, match=message):
        list(read_features(tmp_path / "both", rows_at_once=4))
    assert count_features(tmp_path / "both") == 22


def test_another_length_than_the_runs_is_refused(path):
    with pytest.raises(ValueError, match=r"input_ids of 128 numbers.*data.tfrecord, whose record 0 .* has 12"):
        next(read_features(path, sequence_length=128))
    assert next(read_features(path, sequence_length=12))["token_ids"].shape == (11, 12)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda content, ends: content[:-3], "record 10 .* ends inside"),
        (lambda content, ends: content[: ends[4] + 5], "record 5 .* ends inside"),
        (lambda content, ends: changed(content, ends[2] + 40), "record 3 .* checksum"),
        (lambda content, ends: changed(content, ends[6] - 1), "record 6 .* checksum"),
        (lambda content, ends: changed(content, ends[1] + 1), "record 2 .* length has another checksum"),
        (lambda content, ends: gzip.compress(content), "record 0 .*is this a TFRecord file, and not a compressed"),
        (lambda content, ends: b"abc", "record 0 .* ends inside"),
    ],
)
def test_damaged_file_is_refused(path, damage, message):
    ends = np.cumsum([len(record) + 16 for record in next(read_records(path, 20))]).tolist()
    path.write_bytes(damage(path.read_bytes(), ends))
    with pytest.raises(ValueError, match=rf"data\.tfrecord, damaged at {message}"):
        list(read_features(path, rows_at_once=4))


def changed(content: bytes, at: int) -> bytes:
    return content[:at] + bytes([content[at] ^ 0x10]) + content[at + 1 :]


def test_records_of_something_else_are_refused(tmp_path, instances):
    write_records(tmp_path / "text", iter([[b"hello world, no message"]]))
    with pytest.raises(ValueError, match=r"text, whose record 0 .*no tf\.train\.Example"):
        next(read_features(tmp_path / "text"))
    write_records(tmp_path / "other", iter([encode_examples({"input_ids": np.array([[1, 2]])})]))
    with pytest.raises(ValueError, match=r"lacks input_mask, masked_lm_ids.*and has input_ids"):
        next(read_features(tmp_path / "other"))
    instances["segment_ids"] = instances["segment_ids"].astype("int64")
    instances["segment_ids"][7, 3] = -1
    write_features(tmp_path / "negative", instances, VOCABULARY)
    with pytest.raises(ValueError, match=r"record 7 .*segment_ids has a number below 0"):
        next(read_features(tmp_path / "negative"))


def test_no_file_is_left_where_writing_fails(tmp_path, instances):
    with pytest.raises(OutputError, match="nowhere"):
        write_features(tmp_path / "nowhere" / "data", instances, VOCABULARY)
    broken = instances | {"mask_ids": instances["mask_ids"][:5]}
    with pytest.raises((IndexError, ValueError)):
        write_features(tmp_path / "data", broken, VOCABULARY)
    assert not list(tmp_path.iterdir())


@quick
@given(st.lists(st.lists(st.integers(0, 2**62), max_size=6), min_size=1, max_size=5))
def test_integers_of_any_size_survive(rows):
    width = max(map(len, rows))
    array = np.array([row + [0] * (width - len(row)) for row in rows], "int64").reshape(len(rows), width)
    decoded = decode_examples(encode_examples({"a": array, "b": array.astype("float32")}), ["a", "b", "c"])
    np.testing.assert_array_equal(np.array(decoded["a"]).reshape(array.shape), array)
    np.testing.assert_array_equal(np.array(decoded["b"]).reshape(array.shape), array.astype("float32"))
    assert all(not len(row) for row in decoded["c"])


@quick
@given(st.lists(st.binary(max_size=40), max_size=6))
def test_checksums_do_not_depend_on_the_neighbours(records):
    assert masked_crcs(records).tolist() == [masked_crcs([record])[0] for record in records]


def test_numbers_that_are_not_packed_are_read():
    # feature "a": an Int64List whose numbers 5 and 300 are fields of their own.
    numbers = b"\x08\x05" + b"\x08\xac\x02"
    feature = b"\x1a" + bytes([len(numbers)]) + numbers
    entry = b"\x0a\x01a" + b"\x12" + bytes([len(feature)]) + feature
    features = b"\x0a" + bytes([len(entry)]) + entry
    message = b"\x0a" + bytes([len(features)]) + features
    assert decode_examples([message], ["a"])["a"][0].tolist() == [5, 300]

import json
import shutil

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from keras_albert import AlbertTokenizer, train_vocabulary
from keras_albert.pretraining import BuildSettings, TokenDocuments, build_data, open_data, read_shard
from keras_albert.pretraining.shards import shard_content

LISTS = [[[5, 6, 7], [8]], [[9, 300]], [[5], [6], [7, 7, 7, 7]]]


@pytest.fixture
def shard(tmp_path):
    path = tmp_path / "a b.safetensors"
    path.write_bytes(shard_content(TokenDocuments.from_lists(LISTS), 400))
    return path


def test_a_shard_gives_back_its_documents(shard):
    documents = read_shard(shard)
    assert documents.token_ids.tolist() == [5, 6, 7, 8, 9, 300, 5, 6, 7, 7, 7, 7]
    assert documents.sentence_offsets.tolist() == [0, 3, 4, 6, 7, 8, 12]
    assert documents.document_offsets.tolist() == [0, 2, 3, 6]
    assert documents.sentence_offsets.dtype == documents.document_offsets.dtype == np.int64


@pytest.mark.parametrize(("vocabulary_size", "dtype"), [(65_536, "uint16"), (65_537, "int32")])
def test_ids_take_two_bytes_where_they_fit(tmp_path, vocabulary_size, dtype):
    path = tmp_path / "one.safetensors"
    path.write_bytes(shard_content(TokenDocuments.from_lists([[[vocabulary_size - 1]]]), vocabulary_size))
    arrays = load_file(path)
    assert {name: str(array.dtype) for name, array in arrays.items()} == {
        "token_ids": dtype,
        "sentence_lengths": "uint32",
        "document_lengths": "uint32",
    }
    assert read_shard(path).token_ids.tolist() == [vocabulary_size - 1]


def test_the_content_is_always_the_same_bytes():
    assert len({shard_content(TokenDocuments.from_lists(LISTS), 400) for _ in range(20)}) == 1


def test_a_cut_shard_is_an_error(shard):
    shard.write_bytes(shard.read_bytes()[:-3])
    with pytest.raises(ValueError, match=r"a b\.safetensors is damaged"):
        read_shard(shard)


@pytest.mark.parametrize("name", ["sentence_lengths", "document_lengths", "token_ids"])
def test_lengths_that_do_not_add_up_are_an_error(shard, name):
    arrays = load_file(shard)
    save_file(arrays | {name: np.append(arrays[name], arrays[name][-1:])}, shard)
    with pytest.raises(ValueError, match="don't add up"):
        read_shard(shard)


def test_another_safetensors_file_is_an_error(shard):
    save_file({"weights": np.zeros(3)}, shard)
    with pytest.raises(ValueError, match="no shard of token documents"):
        read_shard(shard)


def test_a_shard_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_shard(tmp_path / "none.safetensors")


@pytest.fixture(scope="module")
def built(tmp_path_factory, tokenizer):
    folder = tmp_path_factory.mktemp("built")
    (folder / "text.txt").write_text("A cat sat. It slept.\n\nA dog ran.\n\nA bird flew away.\n" * 5)
    settings = BuildSettings(shard_characters=60)
    return build_data(folder / "text.txt", tokenizer, folder / "data", settings, workers=1).folder


@pytest.fixture
def data_folder(built, tmp_path):
    return shutil.copytree(built, tmp_path / "data")


def test_data_know_their_shards_and_their_tokenizer(built, tokenizer):
    data = open_data(built)
    assert len(data.shards) == len(data.num_tokens) > 2
    assert [len(documents.token_ids) for documents in data] == data.num_tokens
    own = data.tokenizer()
    assert own.get_vocabulary() == tokenizer.get_vocabulary()
    first = next(iter(data)).token_ids
    assert own.detokenize(first.tolist()).startswith("a cat sat. it slept. a dog ran.")
    data.check()
    data.check_tokenizer(tokenizer)


def test_a_changed_byte_or_an_absent_file_fails_the_check(data_folder):
    data = open_data(data_folder)
    content = bytearray(data.shards[1].read_bytes())
    content[-1] ^= 1
    data.shards[1].write_bytes(content)
    with pytest.raises(ValueError, match=r"000001\.safetensors is damaged: its checksum is another"):
        data.check()
    data.shards[1].unlink()
    with pytest.raises(ValueError, match="or it is not there"):
        data.check()


def test_a_changed_tokenizer_fails_the_check(data_folder, tokenizer):
    path = data_folder / "tokenizer" / "tokenizer.json"
    path.write_text(path.read_text().replace('"lowercase": true', '"lowercase": false'))
    with pytest.raises(ValueError, match="not the tokenizer that the data were made with"):
        open_data(data_folder).check()


def test_a_vocabulary_of_another_model_is_an_error(built):
    other = AlbertTokenizer(train_vocabulary(["a cat sat on a mat"] * 20, 22))
    with pytest.raises(ValueError, match=r"another vocabulary \(400 pieces\).*one of 22 pieces"):
        open_data(built).check_tokenizer(other)


def test_a_folder_without_data_is_an_error(tmp_path):
    with pytest.raises(ValueError, match="is no folder"):
        open_data(tmp_path / "none")
    with pytest.raises(ValueError, match=r"without manifest\.json"):
        open_data(tmp_path)


def test_an_unfinished_build_is_named(tmp_path):
    (tmp_path / "data.unfinished").mkdir()
    with pytest.raises(ValueError, match="The build is not finished"):
        open_data(tmp_path / "data")


@pytest.mark.parametrize(
    ("change", "message"),
    [({"version": 2}, "of version 2. Build the data again"), ({"format": "x"}, "Expected a manifest")],
)
def test_data_of_another_version_or_format_are_an_error(data_folder, change, message):
    path = data_folder / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(ValueError, match=message):
        open_data(data_folder)


def test_a_damaged_manifest_is_an_error(data_folder):
    path = data_folder / "manifest.json"
    path.write_text(path.read_text()[:-20])
    with pytest.raises(ValueError, match=r"Expected a manifest of pretraining data\. Received: .*manifest\.json"):
        open_data(data_folder)

"""What both tokenizers do alike."""

import copy
import json
import multiprocessing
import os
import pickle
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grain
import keras
import pytest
import tensorflow as tf
from tiny_tokenizers import TEXTS, both, make_sentencepiece, make_wordpiece

from keras_albert.text.tokenizer_base import TokenizerBase

Make = Callable[..., TokenizerBase]


@keras.saving.register_keras_serializable(package="keras_albert_tests")
class ModelWithTokenizer(keras.Model):
    def __init__(self, tokenizer: TokenizerBase, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.tokenizer = tokenizer
        self.embedding = keras.layers.Embedding(200, 2)

    def call(self, inputs: Any) -> Any:
        return self.embedding(inputs)

    def get_config(self) -> dict[str, Any]:
        return {"tokenizer": keras.saving.serialize_keras_object(self.tokenizer)}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> "ModelWithTokenizer":
        return cls(keras.saving.deserialize_keras_object(config["tokenizer"]))


@both
def test_one_text_gives_a_row_and_a_batch_gives_rows(make: Make) -> None:
    tokenizer = make()
    rows = tokenizer(TEXTS)
    assert rows == [tokenizer(text) for text in TEXTS] == tokenizer.tokenize(tuple(TEXTS))
    assert {type(id) for row in rows for id in row} == {int}
    assert tokenizer("") == []
    assert tokenizer([]) == []
    assert tokenizer([""]) == [[]]


@both
def test_many_texts_give_what_each_gives(make: Make) -> None:
    tokenizer = make()
    assert tokenizer(TEXTS * 100) == tokenizer(TEXTS) * 100
    assert tokenizer.tokenize_with_offsets(TEXTS * 100) == tokenizer.tokenize_with_offsets(TEXTS) * 100


@both
@pytest.mark.parametrize("inputs", [None, 1, float("nan"), ["a", None], ["a", float("nan")], [["a"]], {"a": "b"}])
def test_what_is_no_text_is_refused(make: Make, inputs: Any) -> None:
    tokenizer = make()
    for method in (tokenizer, tokenizer.tokenize, tokenizer.tokenize_with_offsets):
        with pytest.raises(ValueError, match="Expected a string, or a list, tuple or one-dimensional array of strings"):
            method(inputs)


@both
def test_offsets_agree_with_the_ids(make: Make) -> None:
    for special_tokens_in_strings in (False, True):
        tokenizer = make(special_tokens_in_strings=special_tokens_in_strings)
        results = tokenizer.tokenize_with_offsets(TEXTS)
        assert [ids for ids, _ in results] == tokenizer(TEXTS)
        assert results[0] == tokenizer.tokenize_with_offsets(TEXTS[0])
        assert [TEXTS[0][start:end] for start, end in results[0][1]] == ["room", "12", ","]


@both
def test_without_a_vocabulary_the_error_says_what_to_do(make: Make) -> None:
    tokenizer = type(make())()
    assert tokenizer.mask_token == "[MASK]"
    assert tokenizer.mask_token_id is None
    for use in (tokenizer, tokenizer.tokenize_with_offsets, tokenizer.detokenize, tokenizer.save_assets):
        with pytest.raises(ValueError, match=r"has no vocabulary yet.*load_assets"):
            use("a")
    with pytest.raises(ValueError, match="has no vocabulary yet"):
        tokenizer.vocabulary_size()


@both
def test_token_and_id_lookup(make: Make) -> None:
    tokenizer = make()
    vocabulary = tokenizer.get_vocabulary()
    assert [tokenizer.id_to_token(id) for id in range(tokenizer.vocabulary_size())] == vocabulary
    assert [tokenizer.token_to_id(piece) for piece in vocabulary] == list(range(len(vocabulary)))
    assert tokenizer.token_to_id("no such piece") == tokenizer.unk_token_id
    assert set(tokenizer.special_token_ids) == {0, 1, 2, 3, 4}
    for id in (-1, len(vocabulary)):
        with pytest.raises(ValueError, match=rf"Received: id={id}"):
            tokenizer.id_to_token(id)


@both
def test_unknown_ids_are_shown_in_text(make: Make) -> None:
    tokenizer = make()
    for skip_special_tokens in (True, False):
        assert tokenizer.detokenize([1], skip_special_tokens).strip() in ("⁇", "[UNK]")


@both
def test_config_keeps_every_setting_but_the_vocabulary(make: Make) -> None:
    settings = {"lowercase": False, "strip_accents": True, "special_tokens_in_strings": True, "name": "words"}
    config = json.loads(json.dumps(make(**settings).get_config()))
    assert {name: config[name] for name in settings} == settings
    assert not {"proto", "vocabulary"} & set(config)
    restored = type(make()).from_config(config)
    assert restored.get_config() == config


@both
def test_assets_round_trip(make: Make, tmp_path: Path) -> None:
    tokenizer = make(lowercase=False)
    tokenizer.save_assets(str(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == tokenizer.file_assets
    restored = type(tokenizer).from_config(tokenizer.get_config())
    restored.load_assets(str(tmp_path))
    assert restored(TEXTS) == tokenizer(TEXTS)
    assert restored.mask_token_id == 4


@both
def test_preset_folder_round_trip(make: Make, tmp_path: Path) -> None:
    tokenizer = make(special_tokens_in_strings=True)
    tokenizer.save_to_preset(str(tmp_path))
    restored = keras.saving.deserialize_keras_object(json.loads((tmp_path / "tokenizer.json").read_text()))
    restored.load_preset_assets(str(tmp_path))
    assert restored(TEXTS) == tokenizer(TEXTS)


@both
def test_a_saved_model_holds_its_tokenizer(make: Make, tmp_path: Path) -> None:
    model = ModelWithTokenizer(make(special_tokens_in_strings=True))
    model(keras.ops.ones((1, 2), "int32"))
    model.save(tmp_path / "model.keras")
    restored = keras.saving.load_model(tmp_path / "model.keras")
    assert restored.tokenizer(TEXTS) == model.tokenizer(TEXTS)


@both
def test_pickles_and_copies_give_the_same_ids(make: Make) -> None:
    tokenizer = make(special_tokens_in_strings=True, lowercase=False)
    for copied in (pickle.loads(pickle.dumps(tokenizer)), copy.deepcopy(tokenizer), copy.copy(tokenizer)):
        assert copied(TEXTS) == tokenizer(TEXTS)
        assert copied.get_config() == tokenizer.get_config()
    assert pickle.loads(pickle.dumps(type(tokenizer)())).mask_token_id is None


def test_spawned_workers_give_the_same_ids() -> None:
    tokenizers = [make_sentencepiece(), make_wordpiece()]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        for tokenizer in tokenizers:
            assert pool.map(tokenizer, TEXTS) == [tokenizer(text) for text in TEXTS]


@both
def test_threads_give_the_same_ids(make: Make) -> None:
    tokenizer = make()
    with ThreadPoolExecutor(4) as pool:
        rows = list(pool.map(tokenizer, TEXTS * 50))
    assert rows == tokenizer(TEXTS) * 50


@both
def test_parallel_map_of_tf_data_ends(make: Make) -> None:
    tokenizer = make()
    texts = [text for text in TEXTS if "\ud800" not in text] * 250
    dataset = tf.data.Dataset.from_tensor_slices(texts).map(tokenizer, num_parallel_calls=tf.data.AUTOTUNE)
    start = time.monotonic()
    rows = [row.tolist() for row in dataset.prefetch(tf.data.AUTOTUNE).as_numpy_iterator()]
    assert time.monotonic() - start < 30
    assert rows == tokenizer(texts)


@both
def test_graph_gives_a_tensor_for_a_scalar_and_a_ragged_tensor_for_a_batch(make: Make) -> None:
    tokenizer = make()
    dataset = tf.data.Dataset.from_tensor_slices(["room 12,", ""])
    assert dataset.map(tokenizer).element_spec == tf.TensorSpec([None], tf.int32)
    batches = dataset.batch(2, drop_remainder=True).map(tokenizer)
    assert batches.element_spec == tf.RaggedTensorSpec([2, None], tf.int32)
    assert [rows.to_list() for rows in batches] == [tokenizer(["room 12,", ""])]
    empty = tf.data.Dataset.from_tensors(tf.zeros([0], tf.string)).map(tokenizer)
    assert [rows.to_list() for rows in empty] == [[]]


@both
def test_a_tokenizer_can_be_made_and_used_inside_a_traced_function(make: Make) -> None:
    @tf.function
    def encode(texts: tf.Tensor) -> tf.RaggedTensor:
        return make()(texts)

    assert encode(tf.constant(["room 12,"])).to_list() == make()(["room 12,"])


@both
def test_invalid_utf8_in_a_graph_counts_as_the_replacement_character(make: Make) -> None:
    tokenizer = make()
    (row,) = tf.data.Dataset.from_tensors(b"room \xff").map(tokenizer).as_numpy_iterator()
    assert row.tolist() == tokenizer("room \ufffd")


@both
def test_a_graph_refuses_numbers_and_more_than_one_column(make: Make) -> None:
    tokenizer = make()
    for element, received in ((1, "dtype int32"), ([["a", "b"]], r"shape \(1, 2\)")):
        with pytest.raises(ValueError, match=rf"Expected a string.*Received: a tensor.*{received}"):
            tf.data.Dataset.from_tensors(element).map(tokenizer)


@both
def test_grain_gives_plain_lists(make: Make) -> None:
    tokenizer = make()
    dataset = grain.MapDataset.source(TEXTS).map(tokenizer)
    assert list(dataset) == tokenizer(TEXTS)
    assert {type(row) for row in dataset} == {list}


@both
def test_a_lone_surrogate_counts_as_the_replacement_character(make: Make) -> None:
    tokenizer = make()
    assert tokenizer("room \ud800,") == tokenizer("room \ufffd,")
    ids, offsets = tokenizer.tokenize_with_offsets("\udfff 12")
    assert (ids[-1], offsets[-1]) == (tokenizer("12")[0], (2, 4))


@both
def test_time_grows_with_the_length_of_one_text(make: Make) -> None:
    tokenizer = make()

    def seconds(method: Callable[[str], Any], text: str) -> float:
        times = []
        for _ in range(3):
            start = time.process_time()
            method(text)
            times.append(time.process_time() - start)
        return min(times)

    text = "the room 12, was not a model; café " * 300  # 0.01 MB in one line
    # Ten times the text takes about ten times as long; quadratic time would give a hundred. The rest is for a busy
    # machine and its caches.
    for method, longest in (
        (tokenizer.tokenize, text * 100),
        (tokenizer.tokenize, text.replace(" ", "") * 100),
        (tokenizer.tokenize_with_offsets, text * 10),
    ):
        assert seconds(method, longest) < 20 * seconds(method, longest[: len(longest) // 10])


WITHOUT_TENSORFLOW = """
import sys
sys.modules["tensorflow"] = None
sys.path[:0] = [{tests!r}]
import copy, grain, pickle, tempfile
from tiny_tokenizers import TEXTS, make_sentencepiece, make_wordpiece
for make in (make_sentencepiece, make_wordpiece):
    tokenizer = make(special_tokens_in_strings=True)
    rows = tokenizer(TEXTS)
    assert list(grain.MapDataset.source(TEXTS).map(tokenizer)) == rows
    assert [ids for ids, _ in tokenizer.tokenize_with_offsets(TEXTS)] == rows
    assert pickle.loads(pickle.dumps(tokenizer))(TEXTS) == rows
    assert "room" in tokenizer.detokenize(rows)[0]
    with tempfile.TemporaryDirectory() as folder:
        tokenizer.save_assets(folder)
        restored = type(tokenizer).from_config(tokenizer.get_config())
        restored.load_assets(folder)
        assert restored(TEXTS) == rows
    print(rows)
"""


def test_everything_but_tf_data_works_without_tensorflow() -> None:
    backend = "jax" if keras.config.backend() == "tensorflow" else keras.config.backend()
    here = str(Path(__file__).parent)
    code = WITHOUT_TENSORFLOW.format(tests=here)
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "KERAS_BACKEND": backend}
    )
    assert result.returncode == 0, result.stderr
    expected = [make(special_tokens_in_strings=True)(TEXTS) for make in (make_sentencepiece, make_wordpiece)]
    assert result.stdout.splitlines()[-2:] == [str(rows) for rows in expected]

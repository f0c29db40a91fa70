import json

import pytest

from keras_albert.checkpoints import read_google_config, to_google_config

pytestmark = pytest.mark.any_backend


@pytest.fixture
def read(tmp_path):
    def read(content):
        path = tmp_path / "albert_config.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return read_google_config(path)

    return read


def test_config_is_translated_and_unknown_keys_are_kept(read, google_config, backbone_config):
    config = read({**google_config, "down_scale_factor": 1, "layers_to_keep": [0, 2]})

    assert config.backbone == backbone_config
    assert config.unknown == {"down_scale_factor": 1, "layers_to_keep": [0, 2]}
    assert config.defaulted == ()


def test_config_of_a_release(golden_model):
    config = read_google_config(golden_model / "albert_tiny_g2" / "albert_config.json")

    assert config.backbone["num_heads"] == 5
    assert config.backbone["attention_dropout"] == 0.2
    assert config.backbone["hidden_dropout"] == 0.1
    assert config.unknown == {"net_structure_type": 0, "gap_size": 0, "num_memory_blocks": 0, "down_scale_factor": 1}


def test_activation_is_the_files_own(golden_model):
    zh = read_google_config(golden_model / "albert_tiny_zh" / "albert_config.json")
    english = read_google_config(golden_model / "albert_tiny_g1" / "albert_config.json")

    assert (zh.backbone["activation"], english.backbone["activation"]) == ("relu", "gelu")


@pytest.mark.parametrize("num_heads", [1, 2, 3, 6])
def test_heads_are_the_files_own_whatever_the_size(read, google_config, num_heads):
    assert read({**google_config, "num_attention_heads": num_heads}).backbone["num_heads"] == num_heads


def test_missing_keys_mean_googles_defaults_and_are_reported(read):
    config = read({"vocab_size": 30000, "num_hidden_layers": 3})

    assert config.backbone == {
        "vocabulary_size": 30000,
        "embedding_dim": 128,
        "hidden_dim": 4096,
        "num_layers": 3,
        "num_groups": 1,
        "num_heads": 64,
        "intermediate_dim": 16384,
        "num_inner_repetitions": 1,
        "activation": "gelu",
        "hidden_dropout": 0.0,
        "attention_dropout": 0.0,
        "max_sequence_length": 512,
        "num_segments": 2,
        "initializer_range": 0.02,
        "sharing": "all",
    }
    assert len(config.defaulted) == 12
    assert "num_attention_heads" in config.defaulted
    assert "num_hidden_layers" not in config.defaulted


@pytest.mark.parametrize(
    ("stored", "activation"), [("GELU", "gelu"), (None, "linear"), ("", "linear"), ("tanh", "tanh")]
)
def test_activation_names_are_read_as_google_reads_them(read, google_config, stored, activation):
    assert read({**google_config, "hidden_act": stored}).backbone["activation"] == activation


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("vocab_size", "30000"),
        ("vocab_size", 0),
        ("vocab_size", None),
        ("vocab_size", True),
        ("hidden_size", 6.5),
        ("hidden_size", -6),
        ("num_attention_heads", 4),
        ("num_attention_heads", 0),
        ("num_hidden_groups", 6),
        ("num_hidden_layers", [12]),
        ("inner_group_num", 0),
        ("type_vocab_size", 0),
        ("max_position_embeddings", "512"),
        ("hidden_dropout_prob", 1.0),
        ("hidden_dropout_prob", -0.1),
        ("attention_probs_dropout_prob", "0.1"),
        ("attention_probs_dropout_prob", float("nan")),
        ("initializer_range", 0),
        ("hidden_act", "swish"),
        ("hidden_act", 3),
    ],
)
def test_bad_value_is_an_error_that_names_file_and_key(read, google_config, key, value):
    with pytest.raises(ValueError, match=key) as raised:
        read({**google_config, key: value})
    assert "albert_config.json" in str(raised.value)
    assert "Received" in str(raised.value)


def test_unknown_activation_lists_the_known_ones(read, google_config):
    with pytest.raises(ValueError, match=r"\['linear', 'relu', 'gelu', 'tanh'\]"):
        read({**google_config, "hidden_act": "gelu_new"})


@pytest.mark.parametrize("content", ["", "{", "[1, 2]", '{"vocab_size": 3,}', '"text"', "{}"])
def test_bad_json_is_an_error_that_names_the_file(read, content):
    with pytest.raises(ValueError, match=r"albert_config\.json"):
        read(content)


def test_bytes_that_are_no_text_are_an_error(tmp_path):
    path = tmp_path / "albert_config.json"
    path.write_bytes(b"\xff\xfe\x00{")

    with pytest.raises(ValueError, match=r"albert_config\.json"):
        read_google_config(path)


def test_config_goes_back_to_googles_words(google_config, backbone_config):
    assert to_google_config({**backbone_config, "name": "albert", "dtype": "float32"}) == google_config
    assert to_google_config(backbone_config, {"gap_size": 0})["gap_size"] == 0


@pytest.mark.parametrize(("word", "value"), [("activation", "gelu_erf"), ("sharing", "attention")])
def test_what_google_has_no_word_for_is_not_written(backbone_config, word, value):
    with pytest.raises(ValueError, match=value):
        to_google_config({**backbone_config, word: value})


def test_missing_argument_is_not_written(backbone_config):
    del backbone_config["num_heads"]
    with pytest.raises(ValueError, match="num_heads"):
        to_google_config(backbone_config)

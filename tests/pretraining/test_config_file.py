"""Settings from TOML and YAML files."""

import pytest

from keras_albert.pretraining.config_file import settings_from

TOML = """
data = "documents"
output = "run"

[model]
hidden_dim = 64
whole_words = false

[training]
learning_rate = 1e-3
train_steps = 10
hidden_dropout = 0
"""
YAML = """
data: documents
output: run
model:
  hidden_dim: 64
  whole_words: false
training:
  learning_rate: 1e-3
  train_steps: 10
  hidden_dropout: 0
  max_masks: null
"""


def write(folder, content, name="settings.toml"):
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return str(path)


def test_toml_and_yaml_give_the_same_settings(tmp_path):
    settings = settings_from(write(tmp_path, TOML), {})
    assert settings == settings_from(write(tmp_path, YAML, "settings.yaml"), {})
    assert (settings.hidden_dim, settings.learning_rate, settings.train_steps) == (64, 0.001, 10)
    assert settings.whole_words is False
    assert settings.hidden_dropout == 0.0


def test_what_is_given_wins_over_the_file(tmp_path):
    assert settings_from(write(tmp_path, TOML), {"hidden_dim": 32}).hidden_dim == 32


@pytest.mark.parametrize(
    "line, message",
    [
        (
            "hiden_dim = 64",
            r"settings\.toml has a key that doesn't exist\. Received: hiden_dim = 64\. Did you mean 'hidden_dim'",
        ),
        ("zzz = 64", r"a key that doesn't exist\. Received: zzz = 64\. `keras-albert pretrain --help` lists the keys"),
        ('hidden_dim = "64"', r"Expected hidden_dim in .* to be int\. Received: hidden_dim = '64'"),
        ("whole_words = 1", r"Expected whole_words in .* to be bool"),
        ("hidden_dim = 6.5", r"Expected hidden_dim in .* to be int"),
        ("hidden_dim = = 1\n", r"settings\.toml is no TOML: .*line 1"),
    ],
)
def test_a_wrong_line_is_named(tmp_path, line, message):
    with pytest.raises(ValueError, match=message):
        settings_from(write(tmp_path, line), {})


def test_wrong_files_are_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"none\.toml, which is not there"):
        settings_from(str(tmp_path / "none.toml"), {})
    with pytest.raises(ValueError, match=r"ending in \.toml, \.yaml, \.yml\. Received: .*settings\.json"):
        settings_from(write(tmp_path, "{}", "settings.json"), {})
    with pytest.raises(ValueError, match=r"settings\.yaml is no YAML"):
        settings_from(write(tmp_path, "a: [", "settings.yaml"), {})
    with pytest.raises(ValueError, match=r"Expected keys and values in .*Received: list"):
        settings_from(write(tmp_path, "- a", "settings.yaml"), {})

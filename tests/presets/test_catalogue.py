import pytest

from keras_albert.checkpoints import parameter_count
from keras_albert.presets import PRESETS

pytestmark = pytest.mark.any_backend

SIZES = ("base", "large", "xlarge", "xxlarge")


def test_names_are_the_bundled_one_and_the_four_sizes_in_each_version():
    released = {f"albert_{size}{ending}" for size in SIZES for ending in ("", "_v1", "_v2", "_zh")}
    assert set(PRESETS) == {"albert_tiny", *released}
    assert [name for name, preset in PRESETS.items() if preset.is_bundled] == ["albert_tiny"]
    assert all(name == preset.name for name, preset in PRESETS.items())


@pytest.mark.parametrize("size", SIZES)
def test_name_without_version_is_the_second_release(size):
    plain, second = PRESETS[f"albert_{size}"], PRESETS[f"albert_{size}_v2"]

    assert plain.address == second.address
    assert plain.address == f"https://storage.googleapis.com/albert_models/albert_{size}_v2.tar.gz"
    assert (plain.config, plain.parameter_count) == (second.config, second.parameter_count)


@pytest.mark.parametrize("name", PRESETS)
def test_parameter_count_follows_from_the_configuration(name):
    preset = PRESETS[name]

    assert parameter_count(preset.config) == preset.parameter_count


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("albert_base_v1", 11_683_584),
        ("albert_large_v2", 17_683_968),
        ("albert_xlarge_v1", 58_724_864),
        ("albert_xxlarge", 222_595_584),
        ("albert_base_zh", 11_683_584 - (30_000 - 21_128) * 128),
        ("albert_xxlarge_zh", 222_595_584 - (30_000 - 21_128) * 128),
    ],
)
def test_parameter_count_is_the_published_one(name, count):
    assert PRESETS[name].parameter_count == count


def test_facts_of_the_versions():
    assert PRESETS["albert_base_v1"].config["hidden_dropout"] == 0.1
    assert PRESETS["albert_xxlarge_v1"].config["attention_dropout"] == 0.0
    assert PRESETS["albert_base_v2"].config["hidden_dropout"] == 0.0
    assert PRESETS["albert_large_zh"].config["activation"] == "relu"
    assert PRESETS["albert_large_zh"].tokenizer == "wordpiece"
    assert PRESETS["albert_large"].config["activation"] == "gelu"


@pytest.mark.parametrize("name", ["albert_xlarge", "albert_xlarge_v1", "albert_xlarge_zh", "albert_xxlarge_zh"])
def test_heads_that_sources_disagree_on_are_left_to_the_archive(name):
    preset = PRESETS[name]

    assert preset.config["num_heads"] is None
    for num_heads in (16, 32):
        received = {**preset.config, "num_heads": num_heads, "initializer_range": 0.02}
        assert preset.differences(received, preset.parameter_count) == {}


def test_differences_are_listed():
    preset = PRESETS["albert_base"]

    assert preset.differences({**preset.config, "num_heads": 6}, 5) == {
        "num_heads": {"expected": 12, "received": 6},
        "parameter_count": {"expected": 11_683_584, "received": 5},
    }

import json
import shutil

import pytest

from keras_albert.presets import describe


def test_release_is_described(golden_model):
    description = describe(golden_model / "albert_tiny_g1")

    assert description.kind == "Google release"
    assert description.configuration["num_heads"] == 3
    assert description.parameter_count == 36964
    assert description.heads == {"masked_lm_head": "1,624 weights", "sentence_order_head": "74 weights"}
    assert description.tokenizer == "sentencepiece"
    assert len(description.skipped) == 65
    assert description.unmapped == ()
    assert description.unknown_configuration["down_scale_factor"] == 1
    assert description.defaulted_configuration == ()


def test_fine_tuned_release_tells_its_classes(golden_model):
    description = describe(golden_model / "finetuned_mrpc")

    assert description.heads == {"classifier_head": "74 weights, 2 classes"}
    assert description.tokenizer is None


def test_archive_and_name_are_described(mirror, kept_golden):
    archive = kept_golden / "albert_tiny_g2.tar.gz"
    shutil.copyfile(archive, mirror.folder / "albert_large_v1.tar.gz")

    by_name, by_path = describe("albert_large_v1"), describe(archive)

    assert by_name.configuration == by_path.configuration
    assert (by_name.origin, by_path.origin) == ("albert_large_v1", str(archive))


def test_missing_keys_of_the_configuration_are_told(golden_model, tmp_path):
    folder = tmp_path / "release"
    shutil.copytree(golden_model / "albert_tiny_g1_exported", folder)
    (folder / "albert_config.json").chmod(0o644)
    folder.chmod(0o755)
    config = json.loads((folder / "albert_config.json").read_text())
    del config["inner_group_num"]
    (folder / "albert_config.json").write_text(json.dumps({**config, "novelty": True}))

    description = describe(folder)

    assert description.defaulted_configuration == ("inner_group_num",)
    assert description.unknown_configuration["novelty"] is True


def test_keras_preset_is_described_from_its_json_files(tmp_path):
    parts = {
        "config": {"registered_name": "keras_albert>AlbertBackbone", "config": {"num_layers": 4}},
        "task": {"registered_name": "keras_albert>AlbertClassifier", "config": {}},
        "tokenizer": {"registered_name": "keras_albert>AlbertTokenizer", "config": {}},
        "metadata": {"parameter_count": 1234},
    }
    for name, content in parts.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(content))

    description = describe(tmp_path)

    assert description.kind == "Keras preset"
    assert description.configuration == {"num_layers": 4}
    assert description.parameter_count == 1234
    assert description.heads == {"task": "keras_albert>AlbertClassifier"}
    assert description.tokenizer == "keras_albert>AlbertTokenizer"
    assert description.classes["config"] == "keras_albert>AlbertBackbone"


def test_keras_preset_of_a_bare_backbone(tmp_path):
    (tmp_path / "config.json").write_text(json.dumps({"registered_name": "keras_albert>AlbertBackbone", "config": {}}))

    description = describe(tmp_path)

    assert (description.parameter_count, description.tokenizer, description.heads) == (None, None, {})


def test_keras_preset_with_a_broken_file_names_it(tmp_path):
    (tmp_path / "config.json").write_text(json.dumps({"registered_name": "keras_albert>AlbertBackbone", "config": {}}))
    (tmp_path / "metadata.json").write_text("{")

    with pytest.raises(ValueError, match=r"metadata\.json"):
        describe(tmp_path)


def test_handle_is_an_error_that_says_what_to_do():
    with pytest.raises(ValueError, match=r"preset='hf://user/model'.*save_to_preset"):
        describe("hf://user/model")

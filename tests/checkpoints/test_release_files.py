import json

import pytest

from keras_albert.checkpoints import open_release
from keras_albert.checkpoints.release_files import find_release_files

pytestmark = pytest.mark.any_backend


@pytest.fixture
def folder(write_release, arrays):
    return write_release(arrays)


@pytest.mark.parametrize("name", ["30k-clean.model", "vocab.txt", "vocab_chinese.txt"])
def test_vocabulary_beside_the_checkpoint(folder, name):
    (folder / name).write_text("x")
    (folder / "30k-clean.vocab").write_text("x")

    assert find_release_files(folder).vocabulary == folder / name
    assert open_release(folder).tokenizer == ("sentencepiece" if name.endswith(".model") else "wordpiece")


def test_vocabulary_that_is_missing_is_an_error_only_when_it_is_asked_for(folder):
    release = open_release(folder)

    assert release.tokenizer is None
    with pytest.raises(FileNotFoundError, match=r"30k-clean\.model"):
        _ = release.vocabulary


def test_two_vocabularies_are_an_error(folder):
    for name in ("30k-clean.model", "vocab.txt"):
        (folder / name).write_text("x")

    with pytest.raises(ValueError, match=r"30k-clean\.model, vocab\.txt"):
        find_release_files(folder)


def test_config_of_another_name_is_found(folder):
    (folder / "albert_config.json").rename(folder / "albert_config_tiny_g.json")
    (folder / "tokenizer_config.json").write_text("{}")
    (folder / "broken_config.json").write_text("{")

    assert find_release_files(folder).config == folder / "albert_config_tiny_g.json"


def test_two_configs_are_an_error(folder):
    config = (folder / "albert_config.json").read_text()
    (folder / "albert_config.json").unlink()
    for name in ("a_config.json", "b_config.json"):
        (folder / name).write_text(config)

    with pytest.raises(ValueError, match=r"a_config\.json, b_config\.json"):
        find_release_files(folder)


def test_missing_config_lists_the_files(folder):
    (folder / "albert_config.json").unlink()
    (folder / "config.json").write_text(json.dumps({"model_type": "albert", "embedding_size": 3}))

    with pytest.raises(FileNotFoundError, match=r"No albert_config\.json.*google_variables\.safetensors"):
        find_release_files(folder)


def test_fine_tuned_checkpoint_without_its_config(golden_model):
    with pytest.raises(FileNotFoundError, match=r"Copy the configuration"):
        open_release(golden_model / "finetuned_mrpc_from_hub")


def test_folder_around_the_release(folder):
    outer = folder.parent / "outer"
    outer.mkdir()
    folder.rename(outer / "albert_base")

    assert find_release_files(outer).config == outer / "albert_base" / "albert_config.json"


def test_tensorflow_hub_module(golden_model):
    for path in ("tfhub_g1", "tfhub_g1/variables/variables.index"):
        files = find_release_files(golden_model / path)
        assert files.config == golden_model / "tfhub_g1" / "assets" / "albert_config.json"
        assert files.vocabulary == golden_model / "tfhub_g1" / "assets" / "30k-clean.model"
        assert files.checkpoint == golden_model / "tfhub_g1" / "variables" / "variables"

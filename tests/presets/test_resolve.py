import gc
import json
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

from keras_albert.checkpoints import CheckpointMismatchError, Release
from keras_albert.presets import PRESETS, resolve

PARAMETERS = 81232  # of albert_tiny_g2's backbone


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """The folder for temporary files."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def archive(kept_golden):
    return kept_golden / "albert_tiny_g2.tar.gz"


@pytest.fixture
def unpacked(archive, tmp_path):
    shutil.unpack_archive(archive, tmp_path / "unpacked", filter="data")
    return tmp_path / "unpacked" / "albert_tiny_g2"


@pytest.mark.parametrize("name", ["albert_base", "albert_base_v2"])
def test_name_is_downloaded(mirror, archive, name):
    shutil.copyfile(archive, mirror.folder / "albert_base_v2.tar.gz")

    release = resolve(name)

    assert isinstance(release, Release)
    assert (release.origin, release.parameter_count()) == (name, PARAMETERS)
    assert release.backbone_config["attention_dropout"] == 0.2


def test_archive_stays_unpacked_as_long_as_the_release(archive, temporary):
    release = resolve(archive)
    assert isinstance(release, Release)
    assert release.origin == str(archive)
    assert release.vocabulary.is_file()
    assert release.checkpoint.read("bert/pooler/dense/bias").shape == (40,)
    assert len(list(temporary.iterdir())) == 1

    del release
    gc.collect()
    assert list(temporary.iterdir()) == []


def test_truncated_archive_leaves_nothing(archive, tmp_path, temporary):
    short = tmp_path / "short.tar.gz"
    short.write_bytes(archive.read_bytes()[:100_000])

    with pytest.raises(ValueError, match="truncated or damaged"):
        resolve(short)
    assert list(temporary.iterdir()) == []


def test_errors_name_the_archive_and_not_its_temporary_folder(unpacked, tmp_path, temporary):
    config = json.loads((unpacked / "albert_config.json").read_text())
    (unpacked / "albert_config.json").write_text(json.dumps({**config, "embedding_size": 25}))
    wrong = shutil.make_archive(str(tmp_path / "wrong"), "gztar", unpacked)
    with pytest.raises(CheckpointMismatchError) as raised:
        resolve(wrong)
    assert f"The checkpoint {wrong}/model.ckpt-best does not fit" in str(raised.value)
    assert str(temporary) not in str(raised.value)

    (unpacked / "model.ckpt-best.index").unlink()
    lacking = shutil.make_archive(str(tmp_path / "lacking"), "gztar", unpacked)
    with pytest.raises(FileNotFoundError, match=f"{lacking}.* lacks its index"):
        resolve(lacking)
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize(
    "ending", ["", "/model.ckpt-best", "/model.ckpt-best.index", "/model.ckpt-best.meta", "/../../unpacked"]
)
def test_directory_prefix_and_file_of_a_release(unpacked, ending):
    release = resolve(f"{unpacked}{ending}")

    assert isinstance(release, Release)
    assert release.parameter_count() == PARAMETERS


@pytest.mark.parametrize("source", ["tfhub_g1", "tfhub_g1.tar.gz", "albert_tiny_g1_exported", "albert_tiny_g1.tar.gz"])
def test_each_way_to_get_one_model(golden_model, source):
    release = resolve(golden_model / source)

    assert isinstance(release, Release)
    assert release.heads == {"masked_lm_head", "sentence_order_head"}
    assert release.parameter_count() == 36964
    assert release.vocabulary.read_bytes() == (golden_model / "albert_tiny_g1" / "30k-clean.model").read_bytes()


def test_relative_path_and_home(unpacked, monkeypatch):
    monkeypatch.chdir(unpacked.parent)
    monkeypatch.setenv("HOME", str(unpacked.parent))

    for path in ("albert_tiny_g2", "./albert_tiny_g2", "~/albert_tiny_g2", Path("albert_tiny_g2")):
        release = resolve(path)
        assert isinstance(release, Release)


def test_folder_with_a_presets_name_is_reached_by_a_path(unpacked, mirror, monkeypatch):
    unpacked.rename(unpacked.parent / "albert_base")
    monkeypatch.chdir(unpacked.parent)

    for path in ("./albert_base", Path("albert_base")):
        assert isinstance(resolve(path), Release)
    assert mirror.requests == []


def test_keras_preset_is_left_to_its_loader(tmp_path):
    (tmp_path / "config.json").write_text(json.dumps({"registered_name": "keras_albert>AlbertBackbone", "config": {}}))

    assert resolve(tmp_path) == str(tmp_path)
    assert resolve(str(tmp_path)) == str(tmp_path)


@pytest.mark.parametrize(
    "handle", ["hf://user/model", "kaggle://keras/albert/keras/albert_base_en_uncased", "modelscope://u/m", "gs://b/m"]
)
def test_handle_is_left_to_its_loader(handle, monkeypatch):
    config = {"registered_name": "keras_albert>AlbertBackbone", "config": {}}
    monkeypatch.setattr(sys.modules["keras_albert.presets.resolve"], "part_of", lambda source, name: config)
    assert resolve(handle) == handle


def test_hugging_face_directory_of_another_architecture_is_an_error_that_says_so(tmp_path):
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "bert", "hidden_size": 128}))
    (tmp_path / "model.safetensors").write_bytes(b"x")

    with pytest.raises(ValueError, match=r"Expected the configuration of an ALBERT.*model_type='bert'"):
        resolve(tmp_path)


@pytest.mark.parametrize(
    "preset", ["albert_bse", "albert-base-v2", "ALBERT_BASE", "", " ", "none/such", "x.tar.gz", 3, None]
)
def test_anything_else_lists_names_and_forms(preset, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    with pytest.raises(ValueError, match=f"preset={preset!r}") as raised:
        resolve(preset)
    for word in (*PRESETS, "hf://", ".tar.gz", "Keras's preset layout"):
        assert word in str(raised.value)


def test_close_names_are_suggested():
    with pytest.raises(ValueError, match="Did you mean 'albert_large'"):
        resolve("albert_lrage")


def test_file_of_another_kind_is_an_error(tmp_path):
    (tmp_path / "weights.h5").write_bytes(b"x")

    with pytest.raises(ValueError, match=r"weights\.h5"):
        resolve(tmp_path / "weights.h5")


def test_directory_with_nothing_lists_its_files(tmp_path):
    (tmp_path / "notes.txt").write_text("x")

    with pytest.raises(FileNotFoundError, match=r"No checkpoint in .*notes\.txt"):
        resolve(tmp_path)


def test_checkpoint_without_its_index_is_named(unpacked):
    (unpacked / "model.ckpt-best.index").unlink()

    for path in (unpacked, unpacked / "model.ckpt-best", unpacked / "model.ckpt-best.index"):
        with pytest.raises(FileNotFoundError, match=r"lacks its index model\.ckpt-best\.index"):
            resolve(path)


def test_config_that_is_not_json_is_named(tmp_path):
    (tmp_path / "config.json").write_text("{")

    with pytest.raises(ValueError, match=r"config\.json"):
        resolve(tmp_path)

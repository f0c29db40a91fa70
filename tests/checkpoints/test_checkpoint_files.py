import pytest

from keras_albert.checkpoints import SAFETENSORS_NAME, find_checkpoint, is_checkpoint

pytestmark = pytest.mark.any_backend


@pytest.fixture
def folder(tmp_path):
    for name in ("model.ckpt-1.index", "model.ckpt-1.meta", "model.ckpt-1.data-00000-of-00001", "albert_config.json"):
        (tmp_path / name).write_bytes(b"x")
    return tmp_path


@pytest.mark.parametrize("ending", ["", ".index", ".meta", ".data-00000-of-00001"])
def test_prefix_and_each_file_mean_the_checkpoint(folder, ending):
    assert find_checkpoint(folder / f"model.ckpt-1{ending}") == folder / "model.ckpt-1"
    assert is_checkpoint(folder / f"model.ckpt-1{ending}")


def test_directory_with_one_checkpoint_needs_no_checkpoint_file(folder):
    (folder / "checkpoint").write_text('model_checkpoint_path: "/elsewhere/stale"')
    (folder / "._model.ckpt-1.index").write_bytes(b"left by an archiver")

    assert find_checkpoint(folder) == folder / "model.ckpt-1"


def test_tensorflow_hub_folder(tmp_path):
    (tmp_path / "variables").mkdir()
    for name in ("variables.index", "variables.data-00000-of-00001"):
        (tmp_path / "variables" / name).write_bytes(b"x")

    assert find_checkpoint(tmp_path) == tmp_path / "variables" / "variables"


def test_directory_with_two_checkpoints_lists_them(folder):
    for name in ("model.ckpt-10.index", "model.ckpt-10.data-00000-of-00001"):
        (folder / name).write_bytes(b"x")

    with pytest.raises(ValueError, match=r"model\.ckpt-1, model\.ckpt-10"):
        find_checkpoint(folder)
    assert find_checkpoint(folder / "model.ckpt-1") == folder / "model.ckpt-1"


def test_directory_without_checkpoint_lists_its_files(tmp_path):
    (tmp_path / "weights.h5").write_bytes(b"x")

    with pytest.raises(FileNotFoundError, match=r"weights\.h5.*Pass the prefix"):
        find_checkpoint(tmp_path)


@pytest.mark.parametrize("path", ["", "model.ckpt-1", "model.ckpt-1.index"])
def test_missing_index_is_named(folder, path):
    (folder / "model.ckpt-1.index").unlink()

    with pytest.raises(FileNotFoundError, match=r"lacks its index model\.ckpt-1\.index"):
        find_checkpoint(folder / path)
    assert is_checkpoint(folder / "model.ckpt-1.index")


def test_missing_data_is_named(folder):
    (folder / "model.ckpt-1.data-00000-of-00001").unlink()

    with pytest.raises(FileNotFoundError, match=r"model\.ckpt-1\.data-00000-of-00001"):
        find_checkpoint(folder)


def test_missing_shard_is_named(tmp_path):
    for name in ("m.index", "m.data-00000-of-00003", "m.data-00002-of-00003", "m.data-00001-of-00003.tempstate12"):
        (tmp_path / name).write_bytes(b"x")

    with pytest.raises(FileNotFoundError, match=r"lacks its data: m\.data-00001-of-00003"):
        find_checkpoint(tmp_path / "m")


def test_data_of_another_prefix_do_not_count(folder):
    (folder / "model.ckpt-1.data-00000-of-00001").rename(folder / "model.ckpt-10.data-00000-of-00001")

    with pytest.raises(FileNotFoundError, match=r"lacks its data: model\.ckpt-1\.data-00000-of-00001"):
        find_checkpoint(folder / "model.ckpt-1")


def test_prefix_that_is_not_there_lists_what_is(folder):
    with pytest.raises(FileNotFoundError, match=r"No checkpoint at .*model\.ckpt-2.*model\.ckpt-1\.index"):
        find_checkpoint(folder / "model.ckpt-2")
    assert not is_checkpoint(folder / "model.ckpt-2")
    assert not is_checkpoint(folder / "albert_config.json")


def test_own_file_is_found(tmp_path):
    (tmp_path / SAFETENSORS_NAME).write_bytes(b"x")

    assert find_checkpoint(tmp_path) == tmp_path / SAFETENSORS_NAME
    assert find_checkpoint(tmp_path / SAFETENSORS_NAME) == tmp_path / SAFETENSORS_NAME
    with pytest.raises(FileNotFoundError, match=r"No file .*other\.safetensors"):
        find_checkpoint(tmp_path / "other.safetensors")

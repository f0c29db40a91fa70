import shutil
import sys

import numpy as np
import pytest
from safetensors.numpy import save_file

from keras_albert.checkpoints import GoogleCheckpoint

pytestmark = pytest.mark.any_backend

CHECKPOINTS = [
    ("albert_tiny_g1/model.ckpt-best", "albert_tiny_g1"),
    ("albert_tiny_g2/model.ckpt-best", "albert_tiny_g2"),
    ("albert_tiny_e_eq_h/model.ckpt-best", "albert_tiny_e_eq_h"),
    ("albert_tiny_zh/model.ckpt-best", "albert_tiny_zh"),
    ("albert_tiny_g1_exported/model.ckpt-best", "albert_tiny_g1"),
    ("tfhub_g1/variables/variables", "albert_tiny_g1"),
    ("tfhub_g1_module_ckpt/model.ckpt", "albert_tiny_g1"),
    ("finetuned_mrpc/model.ckpt-20", "finetuned_mrpc"),
]


@pytest.mark.parametrize(("path", "variables"), CHECKPOINTS)
def test_every_weight_is_read_to_the_bit(golden_model, path, variables):
    checkpoint = GoogleCheckpoint(golden_model / path)

    with np.load(golden_model / f"{variables}_variables.npz") as stored:
        weights = [key for key in stored.files if "/adam_" not in key and key != "global_step"]
        assert checkpoint.names == sorted(weights)
        for name in weights:
            assert checkpoint.shape(name) == stored[name].shape
            np.testing.assert_array_equal(checkpoint.read(name), stored[name])


def test_slots_and_step_are_skipped_knowingly(golden_model):
    checkpoint = GoogleCheckpoint(golden_model / "albert_tiny_g1")

    assert checkpoint.variable_count == 97
    assert len(checkpoint.names) + len(checkpoint.skipped) == 97
    assert checkpoint.skipped["global_step"] == "training step"
    assert checkpoint.skipped["bert/pooler/dense/bias/adam_v"] == "optimizer slot"
    assert len(checkpoint.skipped) == 65


def test_head_that_a_hub_module_left_untrained_is_skipped(golden_model):
    checkpoint = GoogleCheckpoint(golden_model / "finetuned_mrpc_from_hub")

    assert {"output_weights", "output_bias", "bert/pooler/dense/kernel"} <= set(checkpoint.names)
    assert not [name for name in checkpoint.names if name.startswith(("module/", "cls/"))]
    left = [name for name, reason in checkpoint.skipped.items() if "TF-Hub" in reason]
    assert len(left) == 7
    assert all(name.startswith("module/cls/") for name in left)


def test_name_that_is_not_there_suggests_one_that_is(golden_model):
    checkpoint = GoogleCheckpoint(golden_model / "albert_tiny_g1_exported")

    with pytest.raises(ValueError, match=r"Near it: \['bert/pooler/dense/bias'"):
        checkpoint.read("bert/pooler/dense/biases")


@pytest.fixture
def copied(kept_release, tmp_path):
    """A copy of a checkpoint to damage: its prefix."""
    source = kept_release("albert_tiny_e_eq_h")
    for ending in (".index", ".data-00000-of-00001"):
        shutil.copyfile(source / f"model.ckpt-best{ending}", tmp_path / f"model.ckpt{ending}")
    return tmp_path / "model.ckpt"


@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 0.7, 0.99, 0.99999])
def test_truncated_data_are_an_error_at_opening(copied, share):
    data = copied.with_name("model.ckpt.data-00000-of-00001")
    data.write_bytes(data.read_bytes()[: int(data.stat().st_size * share)])

    with pytest.raises(ValueError, match=r"Expected at least [\d,]+ bytes.*truncated or damaged"):
        GoogleCheckpoint(copied)


@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 0.7, 0.99, 0.9999])
def test_truncated_index_is_an_error(copied, share):
    index = copied.with_name("model.ckpt.index")
    index.write_bytes(index.read_bytes()[: int(index.stat().st_size * share)])

    with pytest.raises(ValueError, match="truncated or damaged"):
        GoogleCheckpoint(copied)


def test_index_of_another_kind_is_an_error(copied):
    copied.with_name("model.ckpt.index").write_text("<html>404</html>" * 100)

    with pytest.raises(ValueError, match=r"Cannot read the index.*model\.ckpt"):
        GoogleCheckpoint(copied)


def test_changed_byte_in_the_data_is_an_error_when_it_is_read(copied):
    data = copied.with_name("model.ckpt.data-00000-of-00001")
    content = bytearray(data.read_bytes())
    content[len(content) // 2] ^= 1
    data.write_bytes(content)
    checkpoint = GoogleCheckpoint(copied)

    with pytest.raises(ValueError, match=r"Cannot read 'bert/.*truncated or damaged"):
        for name in checkpoint.names:
            checkpoint.read(name)


def test_missing_tensorflow_names_the_extra(copied, monkeypatch):
    monkeypatch.setitem(sys.modules, "tensorflow", None)

    with pytest.raises(ImportError, match=r"pip install keras-albert\[tensorflow\]") as raised:
        GoogleCheckpoint(copied)
    assert isinstance(raised.value.__cause__, ImportError)


def test_own_file_needs_no_tensorflow(tmp_path, arrays, monkeypatch):
    save_file(arrays, tmp_path / "google_variables.safetensors")
    monkeypatch.setitem(sys.modules, "tensorflow", None)

    checkpoint = GoogleCheckpoint(tmp_path)

    assert checkpoint.names == sorted(arrays)
    for name, values in arrays.items():
        np.testing.assert_array_equal(checkpoint.read(name), values)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.999])
def test_truncated_own_file_is_an_error(tmp_path, arrays, share):
    path = tmp_path / "google_variables.safetensors"
    save_file(arrays, path)
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])

    with pytest.raises(ValueError, match=r"google_variables\.safetensors.*truncated or damaged"):
        GoogleCheckpoint(path)

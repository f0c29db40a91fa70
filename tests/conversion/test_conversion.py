import errno
import os
from pathlib import Path
from typing import Any

import h5py
import keras
import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from keras_albert import AlbertBackbone, AlbertPretrainer, AlbertQuestionAnswerer, AlbertTokenizer
from keras_albert.checkpoints import SAFETENSORS_NAME, Release, table_for
from keras_albert.conversion import CheckFailedError, conversion, convert
from keras_albert.finetuning import OutputError
from keras_albert.presets import resolve
from keras_albert.presets.store import write_release


@pytest.fixture
def archive(kept_golden: Path) -> Path:
    return kept_golden / "albert_tiny_e_eq_h.tar.gz"


@pytest.fixture
def outputs(kept_golden: Path) -> Any:
    return np.load(kept_golden / "albert_tiny_e_eq_h_outputs.npz")


def inputs_of(outputs: Any) -> dict[str, np.ndarray]:
    return {
        "token_ids": outputs["input_ids"],
        "segment_ids": outputs["segment_ids"],
        "padding_mask": outputs["input_mask"],
    }


def test_a_converted_release_has_both_heads_and_googles_outputs(archive: Path, outputs: Any, tmp_path: Path) -> None:
    converted = convert(archive, tmp_path / "a b 一")
    assert converted.model == "AlbertPretrainer"
    assert converted.difference < 1e-5
    # 25 variables of the backbone but for the projection, which E == H leaves out; 5 and 2 of the heads.
    assert converted.compared == 30
    assert sum(converted.summary.used.values()) == 30
    model = AlbertPretrainer.from_preset(str(tmp_path / "a b 一"))
    received = model({**inputs_of(outputs), "mask_positions": outputs["masked_lm_positions"]}, training=False)
    for name, expected in (("masked_lm", "masked_lm_logits"), ("sentence_order", "sentence_order_logits")):
        np.testing.assert_allclose(keras.ops.convert_to_numpy(received[name]), outputs[expected], atol=2e-5)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_weights_are_stored_in_another_dtype(archive: Path, outputs: Any, tmp_path: Path, dtype: str) -> None:
    converted = convert(archive, tmp_path / "half", dtype=dtype)
    # The reference computes with the rounded weights.
    assert converted.difference < 1e-5
    with h5py.File(tmp_path / "half" / "model.weights.h5") as file:
        table = file["layers/factorized_embedding/token_embedding/vars/0"]
        assert (table.dtype.itemsize, table.attrs.get("dtype", table.dtype.name)) == (2, dtype)
    single = AlbertBackbone.from_preset(str(tmp_path / "half"), dtype="float32")
    received = keras.ops.convert_to_numpy(single(inputs_of(outputs), training=False)["pooled_output"])
    difference = np.abs(received - outputs["pooled_output"]).max()
    assert 1e-6 < difference < 0.1


def test_a_release_without_heads_becomes_a_backbone_and_a_tokenizer(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Release, "heads", frozenset())
    converted = convert(archive, tmp_path / "bare")
    assert (converted.model, converted.compared) == ("AlbertBackbone", 23)
    assert len(converted.summary.unused) == 7
    assert not (tmp_path / "bare" / "task.json").exists()
    assert AlbertTokenizer.from_preset(str(tmp_path / "bare")).vocabulary_size() == 1000


def test_a_variable_that_was_written_wrongly_is_noticed(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save = AlbertPretrainer.save_to_preset

    def save_wrongly(self: AlbertPretrainer, folder: str) -> None:
        bias = self.sentence_order_head.bias
        bias.assign(keras.ops.convert_to_numpy(bias) * (1 + 1e-6))
        save(self, folder)

    monkeypatch.setattr(AlbertPretrainer, "save_to_preset", save_wrongly)
    with pytest.raises(CheckFailedError, match="'cls/seq_relationship/output_bias' was not written as it is"):
        convert(archive, tmp_path / "wrong")
    assert list(tmp_path.iterdir()) == []


def test_outputs_that_differ_are_noticed(archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reference = conversion.reference_outputs

    def another(*arguments: Any, **batch: Any) -> dict[str, Any]:
        expected = reference(*arguments, **batch)
        expected["pooled_output"] = expected["pooled_output"] + 2e-4
        return expected

    monkeypatch.setattr(conversion, "reference_outputs", another)
    with pytest.raises(CheckFailedError, match=r"differs from .* by 2\.\d\de-04, more than 1e-04: nothing was written"):
        convert(archive, tmp_path / "wrong")
    assert list(tmp_path.iterdir()) == []


def test_a_destination_that_is_there_is_refused_before_anything_is_read(archive: Path, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "old").touch()
    with pytest.raises(FileExistsError):
        convert("no such source", tmp_path / "there")
    convert(archive, tmp_path / "there", overwrite=True)
    assert not (tmp_path / "there" / "old").exists()


def test_a_full_disk_leaves_nothing(archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full, raising=False)
    with pytest.raises(OutputError, match=r"Cannot write .*full: No space left"):
        convert(archive, tmp_path / "full")
    assert list(tmp_path.iterdir()) == []


def test_a_keras_preset_needs_no_conversion(backbone: AlbertBackbone, tmp_path: Path) -> None:
    backbone.save_to_preset(str(tmp_path / "preset"))
    with pytest.raises(ValueError, match="in Keras's layout already"):
        convert(tmp_path / "preset", tmp_path / "again")


def test_a_classifier_that_google_fine_tuned(shared: Path, tmp_path: Path) -> None:
    import shutil

    from keras_albert import AlbertClassifier

    release = tmp_path / "release"
    shutil.copytree(shared / "golden" / "model" / "finetuned_mrpc", release)
    release.chmod(0o755)
    shutil.copy(shared / "golden" / "model" / "albert_tiny_g1" / "30k-clean.model", release)
    assert convert(release, tmp_path / "converted").model == "AlbertClassifier"
    outputs = np.load(shared / "golden" / "model" / "finetuned_mrpc_outputs.npz")
    inputs = np.load(shared / "golden" / "model" / "albert_tiny_g1_outputs.npz")
    classifier = AlbertClassifier.from_preset(str(tmp_path / "converted"))
    logits = keras.ops.convert_to_numpy(classifier(inputs_of(inputs), training=False))
    np.testing.assert_allclose(logits, outputs["logits"], atol=2e-5)


@pytest.mark.parametrize(("part", "head", "variables"), [("span_head", "span", 2), ("verifier_head", "verifier", 11)])
def test_a_question_answerer_of_googles(archive: Path, tmp_path: Path, part: str, head: str, variables: int) -> None:
    release, folder = resolve(archive), tmp_path / "release"
    assert isinstance(release, Release)
    folder.mkdir()
    write_release(release, folder)
    arrays = {name: values for name, values in load_file(folder / SAFETENSORS_NAME).items() if "cls/" not in name}
    rng = np.random.default_rng(0)
    rows = [row for row in table_for(release.backbone_config) if row.part == part]
    arrays |= {row.google: rng.normal(size=row.google_shape(release.backbone_config)).astype("float32") for row in rows}
    save_file(arrays, folder / SAFETENSORS_NAME)

    converted = convert(folder, tmp_path / "converted")
    assert (converted.model, converted.compared) == ("AlbertQuestionAnswerer", 23 + variables)
    assert converted.summary.used == {"backbone": 23, part: variables}
    assert AlbertQuestionAnswerer.from_preset(str(tmp_path / "converted")).head == head

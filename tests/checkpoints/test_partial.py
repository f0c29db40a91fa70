"""A real checkpoint of which 16 tensors are left: they load by their names, and the missing ones are listed."""

import shutil

import numpy as np
import pytest
from safetensors.numpy import save_file

from keras_albert.checkpoints import CheckpointMismatchError, open_hugging_face
from keras_albert.checkpoints.hugging_face.config import read_hugging_face_config
from keras_albert.checkpoints.hugging_face.names import translate
from keras_albert.checkpoints.translated_reader import TranslatedReader
from keras_albert.checkpoints.variable_readers import SafetensorsReader
from keras_albert.checkpoints.weight_table import table_for

pytestmark = pytest.mark.any_backend


@pytest.fixture
def partial(shared, tmp_path):
    source = shared / "data" / "albert_chinese_tiny_partial"
    shutil.copyfile(source / "config.json", tmp_path / "config.json")
    with np.load(source / "complete_tensors.npz") as stored:
        tensors = {name: np.ascontiguousarray(stored[name]) for name in stored.files}
    save_file(tensors, tmp_path / "model.safetensors")
    return tmp_path, tensors


def test_missing_ones_are_listed(partial, shared):
    folder, tensors = partial
    with pytest.raises(CheckpointMismatchError) as raised:
        open_hugging_face(folder)
    lines = (shared / "data" / "albert_chinese_tiny_partial" / "all_names_shapes.tsv").read_text().splitlines()
    names = {line.split("\t")[0] for line in lines if line.strip()}
    # The decoder is tied, its bias stands for that of the head, and a masked LM needs no pooler.
    assert "predictions.decoder.bias" in tensors
    tied = ("predictions.decoder", "predictions.bias", "albert.pooler")
    needed = {name for name in names - set(tensors) if not name.startswith(tied)}
    assert needed
    for name in needed:
        assert name in str(raised.value), name


def test_those_that_are_there_load_by_their_names(partial):
    folder, tensors = partial
    config = read_hugging_face_config(folder / "config.json")
    assert config.backbone["activation"] == "gelu_erf"  # its file says "gelu"
    assert (config.backbone["hidden_dim"], config.backbone["num_layers"]) == (312, 4)
    weights = SafetensorsReader(folder / "model.safetensors")
    rows = [row for row in table_for(config.backbone) if row.part in ("backbone", "masked_lm_head")]
    found = translate(weights, rows, "partial", has_projection=True)
    reader = TranslatedReader(weights, found.sources, found.spelling, found.skipped)
    by_google = {row.google: row for row in rows}
    assert {source.name for source in found.sources.values()} | set(found.skipped) == set(tensors)
    for google in found.sources:
        row = by_google[google]
        values = reader.read(google)
        assert values.shape == row.google_shape(config.backbone)
        stored = tensors[found.sources[google].name]
        np.testing.assert_array_equal(values, stored.T if row.is_turned else stored)

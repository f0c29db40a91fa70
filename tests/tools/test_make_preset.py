"""The small form of a preset that is bundled with the package."""

import sys
from pathlib import Path

import keras
import numpy as np

import keras_albert

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

from make_preset import make_preset


def test_every_task_loads_what_was_written(golden_model, tmp_path):
    archive, _ = golden_model("albert_tiny_g1")
    make_preset(str(archive), str(tmp_path / "a preset"), dtype="float16")
    assert {path.name for path in (tmp_path / "a preset").iterdir()} == {
        "albert_config.json", "google_variables.safetensors", "spiece.model"
    }  # fmt: skip
    original = keras_albert.AlbertPretrainer.from_preset(str(archive))
    written = keras_albert.AlbertPretrainer.from_preset(str(tmp_path / "a preset"))
    for ours, theirs in zip(written.get_weights(), original.get_weights(), strict=True):
        np.testing.assert_array_equal(ours, theirs.astype("float16").astype("float32"))
    assert written.backbone.get_config() | {"name": None} == original.backbone.get_config() | {"name": None}
    text = ["The Café, 2011, was good."]
    assert written.preprocessor.tokenizer(text) == original.preprocessor.tokenizer(text)
    masked_lm = keras_albert.AlbertMaskedLM.from_preset(str(tmp_path / "a preset"))
    kernels = [model.masked_lm_head.transform.kernel for model in (masked_lm, written)]
    np.testing.assert_array_equal(*map(keras.ops.convert_to_numpy, kernels))

"""Weights under Google's names, as they are written."""

import keras
import numpy as np
import pytest

import keras_albert
from keras_albert.checkpoints import google_variables
from keras_albert.presets import resolve


def test_a_golden_checkpoint_comes_back_to_the_bit(kept_golden):
    archive = kept_golden / "albert_tiny_g2.tar.gz"
    model = keras_albert.AlbertPretrainer.from_preset(str(archive))
    parts = {"backbone": model.backbone} | {name: getattr(model, name) for name in model.head_names}
    variables = google_variables(model.backbone.get_config(), parts)
    release = resolve(str(archive))
    assert sorted(variables) == release.checkpoint.names
    for name, values in variables.items():
        stored = release.checkpoint.read(name)
        assert values.dtype == stored.dtype
        np.testing.assert_array_equal(values, stored)


def test_half_precision_rounds(backbone):
    exact = google_variables(backbone.get_config(), {"backbone": backbone})
    half = google_variables(backbone.get_config(), {"backbone": backbone}, dtype="float16")
    for name, values in exact.items():
        np.testing.assert_array_equal(half[name], values.astype("float16"))


def test_what_cannot_be_written_is_named(backbone):
    config = backbone.get_config()
    with pytest.raises(ValueError, match=r"Expected parts among backbone.*Received: head"):
        google_variables(config, {"head": backbone})
    with pytest.raises(ValueError, match=r"sharing='none'"):
        google_variables(config | {"sharing": "none"}, {"backbone": backbone})
    backbone.pooler.kernel.assign(keras.ops.full(backbone.pooler.kernel.shape, 1e6))
    with pytest.raises(ValueError, match=r"bert/pooler/dense/kernel has values that float16 cannot hold"):
        google_variables(config, {"backbone": backbone}, dtype="float16")

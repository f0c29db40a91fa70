import numpy as np
import pytest

from keras_albert.checkpoints import open_release, reference_outputs

KEPT = ("albert_tiny_g2", "albert_tiny_e_eq_h")
NAMES = (*KEPT, "albert_tiny_g1", "albert_tiny_zh")
TOLERANCE = 2e-5
# Google adds -10000 to every score of a row without real tokens, which rounds the scores to about 1e-3.
ALL_MASKED_TOLERANCE = 2e-3


@pytest.fixture
def release_and_outputs(request, kept_golden, kept_release):
    def load(name, which):
        if name in KEPT:
            return open_release(kept_release(name)), np.load(kept_golden / f"{name}_{which}.npz")
        golden_model = request.getfixturevalue("golden_model")
        return open_release(golden_model / name), np.load(golden_model / f"{name}_{which}.npz")

    return load


def forward(release, outputs, dtype, with_defaults=False):
    inputs = {} if with_defaults else {"segment_ids": outputs["segment_ids"], "padding_mask": outputs["input_mask"]}
    return reference_outputs(
        release.checkpoint.read, release.backbone_config, outputs["input_ids"], dtype=dtype, **inputs
    )


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", NAMES)
def test_reference_gives_googles_outputs(release_and_outputs, name, dtype):
    release, outputs = release_and_outputs(name, "outputs")
    with outputs:
        received = forward(release, outputs, dtype)

        for key in ("embedding_output", "sequence_output", "pooled_output"):
            assert received[key].dtype == dtype
            np.testing.assert_allclose(received[key], outputs[key], rtol=0, atol=TOLERANCE)
        np.testing.assert_allclose(np.stack(received["layers"]), outputs["all_encoder_layers"], rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize("name", NAMES)
def test_reference_gives_googles_outputs_at_the_edges(release_and_outputs, name):
    release, outputs = release_and_outputs(name, "edge_outputs")
    with outputs:
        received = forward(release, outputs, "float32")
        all_masked = outputs["input_mask"].sum(1) == 0
        assert all_masked.any()

        for key in ("sequence_output", "pooled_output"):
            difference = np.abs(received[key] - outputs[key])
            assert difference[~all_masked].max() < TOLERANCE
            assert difference[all_masked].max() < ALL_MASKED_TOLERANCE


@pytest.mark.parametrize("name", NAMES)
def test_reference_without_mask_and_segments(release_and_outputs, name):
    release, outputs = release_and_outputs(name, "edge_outputs")
    with outputs:
        received = forward(release, outputs, "float32", with_defaults=True)

        for key in ("sequence_output", "pooled_output"):
            np.testing.assert_allclose(received[key], outputs[f"defaults_{key}"], rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize("name", KEPT)
def test_one_corrupt_kernel_shows(release_and_outputs, name):
    release, outputs = release_and_outputs(name, "outputs")

    def read(variable):
        values = np.array(release.checkpoint.read(variable))
        if variable.endswith("group_0/inner_group_0/attention_1/self/value/kernel"):
            values[3, 5] += 0.5
        return values

    with outputs:
        received = reference_outputs(
            read, release.backbone_config, outputs["input_ids"], outputs["segment_ids"], outputs["input_mask"]
        )
        assert np.abs(received["sequence_output"] - outputs["sequence_output"]).max() > 1e-4


def test_number_of_heads_changes_the_outputs(release_and_outputs):
    release, outputs = release_and_outputs("albert_tiny_e_eq_h", "outputs")
    assert release.backbone_config["num_heads"] == 4

    with outputs:
        received = reference_outputs(
            release.checkpoint.read,
            {**release.backbone_config, "num_heads": 2},
            outputs["input_ids"],
            outputs["segment_ids"],
            outputs["input_mask"],
        )
        assert np.abs(received["sequence_output"] - outputs["sequence_output"]).max() > 1e-2


def test_activation_changes_the_outputs(release_and_outputs):
    release, outputs = release_and_outputs("albert_tiny_zh", "outputs")
    assert release.backbone_config["activation"] == "relu"

    with outputs:
        received = reference_outputs(
            release.checkpoint.read,
            {**release.backbone_config, "activation": "gelu"},
            outputs["input_ids"],
            outputs["segment_ids"],
            outputs["input_mask"],
        )
        assert np.abs(received["sequence_output"] - outputs["sequence_output"]).max() > 1e-2

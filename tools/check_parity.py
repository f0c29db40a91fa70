"""Run a model's origin and what it was converted to on the same inputs, and print the largest differences.

    python tools/check_parity.py albert_base_v2.tar.gz my_albert

ORIGIN is computed by its own code: a directory of Hugging Face's by transformers, a preset of keras_hub's ALBERT by
keras_hub, and Google's checkpoints by the NumPy reference, which knows nothing of Keras. RESULT may be in any format,
and is computed by keras_albert. Exit code 1 above the tolerance.
"""

import argparse
import sys
from pathlib import Path

import keras
import numpy as np

import keras_albert
from keras_albert.checkpoints import Release, reference_outputs
from keras_albert.conversion.conversion import check_batch
from keras_albert.presets import resolve

OUTPUTS = ("sequence_output", "pooled_output")


def origin_outputs(origin: str, batch: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return what the origin's own code computes.

    Args:
        origin: whatever `from_preset` takes.
        batch: `token_ids`, `segment_ids` and `padding_mask`, int32 (B, S).
    """
    release = resolve(origin)
    layout = release.layout if isinstance(release, Release) else "keras_albert"
    if layout == "Hugging Face" and Path(origin).is_dir():
        return _of_transformers(origin, batch)
    if layout == "keras_hub":
        import keras_hub

        return _arrays(keras_hub.models.AlbertBackbone.from_preset(origin)(batch, training=False))
    if isinstance(release, Release) and release.has_pooler:
        return reference_outputs(release.checkpoint.read, release.backbone_config, **batch)
    return result_outputs(origin, batch)


def result_outputs(result: str, batch: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return what keras_albert computes."""
    return _arrays(keras_albert.AlbertBackbone.from_preset(result, dtype="float32")(batch, training=False))


def _of_transformers(origin: str, batch: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    import torch
    import transformers

    model = transformers.AlbertModel.from_pretrained(origin, dtype=torch.float32).eval()
    words = {"token_ids": "input_ids", "segment_ids": "token_type_ids", "padding_mask": "attention_mask"}
    with torch.no_grad():
        outputs = model(**{words[name]: torch.tensor(values.astype("int64")) for name, values in batch.items()})
    return {"sequence_output": outputs.last_hidden_state.numpy(), "pooled_output": outputs.pooler_output.numpy()}


def _arrays(outputs: dict) -> dict[str, np.ndarray]:
    return {name: keras.ops.convert_to_numpy(outputs[name]) for name in OUTPUTS}


def differences(origin: str, result: str) -> dict[str, float]:
    """Return the largest absolute difference of each output, over the tokens that are no padding."""
    with keras.device("cpu"):
        config = keras_albert.AlbertBackbone.from_preset(result).get_config()
        batch = check_batch(config)
        expected, received = origin_outputs(origin, batch), result_outputs(result, batch)
    real = batch["padding_mask"].astype(bool)
    found = {}
    for name in OUTPUTS:
        one, other = expected[name], received[name]
        one, other = (one[real], other[real]) if one.ndim == 3 else (one, other)
        found[name] = float(np.abs(one - other).max())
    return found


def main() -> int:
    """Run the script."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("origin", help="a Google release, a directory of Hugging Face's, a preset of keras_hub's")
    parser.add_argument("result", help="what it was converted to")
    parser.add_argument("--tolerance", type=float, default=1e-5, help="largest difference allowed (default: 1e-5)")
    options = parser.parse_args()
    try:
        found = differences(options.origin, options.result)
    except (ValueError, OSError, ImportError) as error:
        print(error, file=sys.stderr)
        return 2
    for name, difference in found.items():
        print(f"{name:<16} {difference:.2e}")
    # Not a number is above any tolerance.
    return 0 if all(difference <= options.tolerance for difference in found.values()) else 1


if __name__ == "__main__":
    sys.exit(main())

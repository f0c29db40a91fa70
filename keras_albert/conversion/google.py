"""Writing Google's layout: a TensorFlow 1 checkpoint, `albert_config.json` and the vocabulary."""

import json
from pathlib import Path

from keras_albert.checkpoints import to_google_config
from keras_albert.conversion.source import Source
from keras_albert.text import AlbertWordPieceTokenizer

PREFIX = "model.ckpt-best"
_EPSILON = 1e-12  # modeling.py, layer_norm: TensorFlow's default


def refusals(source: Source) -> dict[str, str]:
    """Return what Google's layout has no place for, with the reason."""
    found = {}
    if source.backbone_config["activation"] == "gelu_erf":
        found["activation"] = "Google's code knows gelu in its tanh form only"
    if source.backbone_config.get("layer_norm_epsilon", _EPSILON) != _EPSILON:
        found["layer_norm_epsilon"] = f"it is {_EPSILON} in Google's code"
    if not source.has_pooler:
        found["pooler"] = "Google's checkpoints have one, and this model has none"
    head = source.head
    if "tag_head" in source.heads:
        found["tag_head"] = "Google's code tags no tokens"
    if head is not None and head.class_names is not None:
        found["class_names"] = "a checkpoint holds none"
    if head is not None and head.layer_norm_epsilon not in (None, _EPSILON) and "masked_lm_head" in source.heads:
        found["masked_lm_head"] = f"its layer norm's epsilon is {head.layer_norm_epsilon}, that of Google's {_EPSILON}"
    return found


def write(source: Source, folder: Path, dtype: str) -> None:
    """Write the files.

    Args:
        source: the model.
        folder: an empty folder.
        dtype: "float32", which is what Google's code declares its variables as.

    Raises:
        ValueError: another dtype.
        ImportError: TensorFlow is not installed.
    """
    if dtype != "float32":
        raise ValueError(f"Google's code reads float32. Received: dtype={dtype!r}. Leave it out.")
    try:
        import tensorflow as tf
    except ImportError as error:
        raise ImportError(
            "Writing a TensorFlow checkpoint needs TensorFlow: pip install keras-albert[tensorflow]."
        ) from error
    content = to_google_config(source.backbone_config)
    if source.tokenizer is not None:
        content["do_lower_case"] = source.tokenizer.lowercase
    (folder / "albert_config.json").write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    arrays = {row.google: array for row, array in source.arrays(dtype)}
    with tf.device("CPU"):
        tensors = [tf.constant(array) for array in arrays.values()]
        tf.raw_ops.SaveV2(
            prefix=str(folder / PREFIX), tensor_names=list(arrays), shape_and_slices=[""] * len(arrays), tensors=tensors
        )
    write_vocabulary(source, folder, "30k-clean.model")


def write_vocabulary(source: Source, folder: Path, sentencepiece_name: str) -> None:
    """Write the tokenizer's file, named as its kind is usually named."""
    if source.tokenizer is None:
        return
    source.tokenizer.save_assets(str(folder))
    is_wordpiece = isinstance(source.tokenizer, AlbertWordPieceTokenizer)
    for file in folder.glob("vocabulary.*"):
        file.rename(folder / ("vocab.txt" if is_wordpiece else sentencepiece_name))

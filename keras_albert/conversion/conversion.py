"""From a model in any format to a directory in another one, checked before it gets its name.

A release's own outputs are computed by `keras_albert.checkpoints.reference_outputs`, which knows nothing of Keras.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import keras
import keras_hub
import numpy as np

from keras_albert.backbone import AlbertBackbone
from keras_albert.checkpoints import Release, ReleaseSummary, reference_outputs, variable_at
from keras_albert.conversion import google, hugging_face, keras_preset
from keras_albert.conversion import keras_hub as keras_hub_preset
from keras_albert.conversion.errors import CheckFailedError
from keras_albert.conversion.source import Source, open_source, rounded, without
from keras_albert.presets import resolve
from keras_albert.presets.output_folder import check_destination, new_folder, writing
from keras_albert.text import tokenizer_from_release

# The largest absolute difference of any output; single precision gives about a hundredth of it.
TOLERANCE = 1e-4
TARGETS = {"keras": keras_preset, "google": google, "huggingface": hugging_face, "keras_hub": keras_hub_preset}
_NAMES = {
    "google": "Google's checkpoint, TensorFlow 1",
    "huggingface": "Hugging Face's directory",
    "keras_hub": "keras_hub's preset",
}


@dataclass(frozen=True)
class Conversion:
    """What was converted, and how it compares with the origin.

    Args:
        model: the class that the preset was saved by, or a few words on the format that was written.
        parameter_count: weights of the backbone.
        summary: what became of each variable of the checkpoint; None if the origin was a Keras preset.
        compared: how many variables are equal to the origin's, bit by bit (after rounding to `dtype`).
        difference: the largest absolute difference of the backbone's outputs from the reference's; None where the
            format has no part in computing.
        dtype: what the weights are stored in.
    """

    model: str
    parameter_count: int
    summary: ReleaseSummary | None
    compared: int
    difference: float | None
    dtype: str


def convert(
    source: str | os.PathLike[str],
    destination: str | Path,
    to: str = "keras",
    dtype: str = "float32",
    overwrite: bool = False,
    drop: Sequence[str] = (),
) -> Conversion:
    """Convert a model.

    What is written is read back: each variable is compared bit by bit, and so are the ids that the tokenizer gives. To
    Keras's layout, the outputs are compared with those of a second implementation as well.

    Args:
        source: a name or whatever else `from_preset` takes: a Google release (a directory, a `.tar.gz` or a
            checkpoint's prefix), a directory of Hugging Face's, a preset of keras_hub's, or one of this package's.
        destination: the directory to write; it appears when it has passed the checks.
        to: "keras", "google" (TensorFlow 1), "huggingface" or "keras_hub".
        dtype: what to store the weights in: "float32", "float16" or "bfloat16".
        overwrite: whether a directory that is there is replaced.
        drop: what may be left out where the format has no place for it: names of heads, "class_names", "tokenizer",
            "lowercase", "attention_dropout".

    Raises:
        ValueError: the source is no model, or is damaged; or the format cannot hold all of it.
        FileExistsError: the destination is there already.
        OutputError: the destination cannot be written.
        CheckFailedError: what was written differs from the origin.
    """
    if to not in TARGETS:
        raise ValueError(f"Expected one of {', '.join(TARGETS)}. Received: to={to!r}")
    check_destination(destination, overwrite)
    # On the CPU, because accelerators multiply with fewer bits by default.
    with keras.device("cpu"):
        if to == "keras":
            return _to_keras(source, destination, dtype, overwrite, drop)
        return _to_another(without(open_source(source), drop), destination, to, dtype, overwrite)


def _to_another(source: Source, destination: str | Path, to: str, dtype: str, overwrite: bool) -> Conversion:
    target: Any = TARGETS[to]
    refused = target.refusals(source)
    if refused:
        reasons = "; ".join(f"{name} ({reason})" for name, reason in refused.items())
        raise ValueError(
            f"{_NAMES[to]} cannot hold all of {source.origin}: {reasons}. Leave out what you can do without by "
            "`--drop NAME` (heads, class_names, tokenizer, lowercase, attention_dropout; `drop=` in Python), or "
            "convert to another format."
        )
    with new_folder(destination, overwrite) as folder:
        with writing(destination):
            target.write(source, folder, dtype)
        compared = _compare_with_source(source, dtype, folder)
    parts = ["backbone", *source.heads]
    return Conversion(
        model=_NAMES[to],
        parameter_count=sum(source.read(row.google).size for row in source.rows["backbone"]),
        summary=None if source.release is None else source.release.summary(parts),
        compared=compared,
        difference=None,
        dtype=dtype,
    )


def _compare_with_source(source: Source, dtype: str, folder: Path) -> int:
    """Read what was written, and return the number of variables that are equal; all of them must be."""
    written = resolve(folder)
    if not isinstance(written, Release):
        raise CheckFailedError(f"What was written for {source.origin} is not what was asked for: nothing was kept.")
    compared = 0
    for row, expected in source.arrays(dtype):
        received = rounded(written.checkpoint.read(row.google), dtype, row.google)
        if received.tobytes() != expected.tobytes():
            raise CheckFailedError(f"The variable {row.google!r} was not written as it is in {source.origin}.")
        compared += 1
    if source.tokenizer is not None:
        texts = _texts_for(source.tokenizer)
        options = {name: getattr(source.tokenizer, name) for name in ("lowercase", "strip_accents")}
        if tokenizer_from_release(written, **options).tokenize(texts) != source.tokenizer.tokenize(texts):
            raise CheckFailedError(f"The tokenizer was not written as it is in {source.origin}: it gives other ids.")
    return compared


def _texts_for(tokenizer: Any) -> list[str]:
    pieces = [piece.replace("▁", " ").removeprefix("##") for piece in tokenizer.get_vocabulary()]
    return ["".join(pieces[start : start + 20]) for start in range(0, min(len(pieces), 2000), 20)]


def _to_keras(
    source: str | os.PathLike[str], destination: str | Path, dtype: str, overwrite: bool, drop: Sequence[str]
) -> Conversion:
    if drop:
        raise ValueError(f"Keras's layout holds everything. Received: drop={list(drop)}. Leave it out.")
    release = resolve(source)
    if not isinstance(release, Release):
        raise ValueError(
            f"Expected a model in another format. Received: {source}, which is in Keras's layout already: pass it "
            "to from_preset, or to `keras-albert finetune --preset`; or convert it `--to` another format."
        )
    with new_folder(destination, overwrite) as folder:
        task_class = keras_preset.task_class_of(release)
        keras_preset.write(release, task_class, dtype, folder, destination)
        compared, heads = _compare_variables(release, task_class, dtype, str(folder))
        difference = _largest_difference(release, dtype, str(folder))
        if not difference <= TOLERANCE:
            raise CheckFailedError(
                f"The converted model differs from {source} by {difference:.2e}, more than {TOLERANCE:.0e}: nothing "
                f"was written. Are weights too large for {dtype}?"
            )
    return Conversion(
        model=AlbertBackbone.__name__ if task_class is None else task_class.__name__,
        parameter_count=release.parameter_count(),
        summary=release.summary(["backbone", *heads]),
        compared=compared,
        difference=difference,
        dtype=dtype,
    )


def _compare_variables(
    release: Release, task_class: type[keras_hub.models.Task] | None, dtype: str, folder: str
) -> tuple[int, list[str]]:
    """Compare what was written with the checkpoint, bit by bit; return the number of variables, and the heads."""
    if task_class is None:
        roots = {"backbone": AlbertBackbone.from_preset(folder)}
    else:
        task = task_class.from_preset(folder)
        heads = keras_preset.heads_of(release, task)
        roots = {"backbone": task.backbone} | {part: getattr(task, name) for name, part in heads.items()}
    compared = 0
    for part, root in roots.items():
        for row in release.match.rows[part]:
            expected = _rounded(release.checkpoint.read(row.google), dtype)
            received = _rounded(variable_at(root, row.path), dtype)
            if (expected.T if row.transposed else expected).tobytes() != received.tobytes():
                raise CheckFailedError(f"The variable {row.google!r} was not written as it is in {release.origin}.")
            compared += 1
    return compared, [part for part in roots if part != "backbone"]


def _largest_difference(release: Release, dtype: str, folder: str) -> float:
    """Run the written backbone and the reference on one batch, both in at least single precision."""
    batch = check_batch(release.backbone_config)
    width = release.backbone_config["hidden_dim"]
    absent = {"bert/pooler/dense/kernel": np.zeros((width, width)), "bert/pooler/dense/bias": np.zeros(width)}

    def read(name: str) -> np.ndarray:
        is_absent = name in absent and not release.has_pooler
        return absent[name] if is_absent else _rounded(release.checkpoint.read(name), dtype)

    expected = reference_outputs(read, release.backbone_config, **batch)
    received = AlbertBackbone.from_preset(folder, dtype="float32")(batch, training=False)
    names = ("sequence_output", "pooled_output") if release.has_pooler else ("sequence_output",)
    return max(float(np.abs(keras.ops.convert_to_numpy(received[name]) - expected[name]).max()) for name in names)


def check_batch(backbone_config: dict[str, Any]) -> dict[str, np.ndarray]:
    """Return a fixed batch of random ids: a whole row, one that is half padding, and one with a single token.

    Args:
        backbone_config: constructor arguments of the backbone.

    Returns:
        `token_ids`, `segment_ids` and `padding_mask`, int32 (3, S).
    """
    length = min(24, backbone_config["max_sequence_length"])
    token_ids = np.random.default_rng(0).integers(backbone_config["vocabulary_size"], size=(3, length), dtype="int32")
    positions = np.arange(length, dtype="int32")
    lengths = np.array([length, (length + 1) // 2, 1], "int32")
    second_segment = (positions >= length // 3) & (backbone_config["num_segments"] > 1)
    return {
        "token_ids": token_ids,
        "segment_ids": np.broadcast_to(second_segment, token_ids.shape).astype("int32"),
        "padding_mask": (positions < lengths[:, None]).astype("int32"),
    }


def _rounded(array: Any, dtype: str) -> np.ndarray:
    """Return float32 values that are rounded to another dtype."""
    return np.asarray(keras.ops.convert_to_numpy(keras.ops.cast(keras.ops.cast(array, dtype), "float32")))

"""From a Google release to a directory in Keras's preset layout, checked before it gets its name.

The release's own outputs are computed by `keras_albert.checkpoints.reference_outputs`, which knows nothing of Keras.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import keras
import keras_hub
import numpy as np

from keras_albert.backbone import AlbertBackbone
from keras_albert.checkpoints import Release, ReleaseSummary, reference_outputs, variable_at
from keras_albert.cli.errors import CheckFailedError
from keras_albert.finetuning import check_destination, check_space, new_folder, writing
from keras_albert.presets import resolve
from keras_albert.tasks import AlbertClassifier, AlbertMaskedLM, AlbertPretrainer, AlbertQuestionAnswerer
from keras_albert.text import tokenizer_from_release

# The largest absolute difference of any output; single precision gives about a hundredth of it.
TOLERANCE = 1e-4


@dataclass(frozen=True)
class Conversion:
    """What was converted, and how it compares with the release.

    Args:
        model: the class that the preset was saved by.
        parameter_count: weights of the backbone.
        summary: what became of each variable of the checkpoint.
        compared: how many variables are equal to the checkpoint's, bit by bit (after rounding to `dtype`).
        difference: the largest absolute difference of the backbone's outputs from the reference's.
        dtype: what the weights are stored in.
    """

    model: str
    parameter_count: int
    summary: ReleaseSummary
    compared: int
    difference: float
    dtype: str


def convert_release(
    source: str | os.PathLike[str], destination: str | Path, dtype: str = "float32", overwrite: bool = False
) -> Conversion:
    """Convert a release.

    The directory holds an `AlbertClassifier` where the release has a classifier's head, else an `AlbertPretrainer`, an
    `AlbertMaskedLM` or an `AlbertQuestionAnswerer` by the heads it has, else a backbone and a tokenizer.

    Args:
        source: a name, or a Google release: a directory, a `.tar.gz` or a checkpoint's prefix.
        destination: the directory to write; it appears when it has passed the checks.
        dtype: what to store the weights in: "float32", "float16" or "bfloat16".
        overwrite: whether a directory that is there is replaced.

    Raises:
        ValueError: the source is no release, or is damaged.
        FileExistsError: the destination is there already.
        OutputError: the destination cannot be written.
        CheckFailedError: what was written differs from the release.
    """
    check_destination(destination, overwrite)
    release = resolve(source)
    if not isinstance(release, Release):
        raise ValueError(
            f"Expected a Google release or its name. Received: {source}, which is in Keras's layout already: pass it "
            "to from_preset, or to `keras-albert finetune --preset`."
        )
    # On the CPU, because accelerators multiply with fewer bits by default.
    with keras.device("cpu"), new_folder(destination, overwrite) as folder:
        task_class = _task_class(release)
        _save(release, task_class, dtype, folder, destination)
        compared = _compare_variables(release, task_class, dtype, str(folder))
        difference = _largest_difference(release, dtype, str(folder))
        if not difference <= TOLERANCE:
            raise CheckFailedError(
                f"The converted model differs from {source} by {difference:.2e}, more than {TOLERANCE:.0e}: nothing "
                f"was written. Are weights too large for {dtype}?"
            )
    parts = ["backbone", *(() if task_class is None else _heads(release, task_class))]
    return Conversion(
        model=AlbertBackbone.__name__ if task_class is None else task_class.__name__,
        parameter_count=release.parameter_count(),
        summary=release.summary(parts),
        compared=compared,
        difference=difference,
        dtype=dtype,
    )


def _task_class(release: Release) -> type[keras_hub.models.Task] | None:
    for task_class in (AlbertClassifier, AlbertPretrainer, AlbertMaskedLM):
        if release.heads.issuperset(task_class.head_names):
            return task_class
    return AlbertQuestionAnswerer if _heads(release, AlbertQuestionAnswerer) else None


def _heads(release: Release, task_class: type[keras_hub.models.Task]) -> list[str]:
    """Return the heads that the written task has; a question answerer has one of the two that its class knows."""
    return [name for name in task_class.head_names if name in release.heads]


def _options(release: Release, task_class: type[keras_hub.models.Task]) -> dict[str, Any]:
    if task_class is AlbertClassifier:
        return {"num_classes": release.num_classes}
    return {"head": "verifier"} if "verifier_head" in _heads(release, task_class) else {}


def _save(
    release: Release, task_class: type[keras_hub.models.Task] | None, dtype: str, folder: Path, destination: str | Path
) -> None:
    backbone = AlbertBackbone(**release.backbone_config, dtype=dtype)
    release.assign("backbone", backbone)
    if task_class is None:
        check_space(backbone, folder, destination)
        with writing(destination):
            backbone.save_to_preset(str(folder))
            tokenizer_from_release(release).save_to_preset(str(folder))
        return
    preprocessor = task_class.preprocessor_cls.from_release(release)
    task = task_class(backbone=backbone, preprocessor=preprocessor, **_options(release, task_class))
    for name in _heads(release, task_class):
        release.assign(name, getattr(task, name))
    check_space(task, folder, destination)
    with writing(destination):
        task.save_to_preset(str(folder))


def _compare_variables(
    release: Release, task_class: type[keras_hub.models.Task] | None, dtype: str, folder: str
) -> int:
    """Compare what was written with the checkpoint, bit by bit, and return the number of variables."""
    if task_class is None:
        roots = {"backbone": AlbertBackbone.from_preset(folder)}
    else:
        task = task_class.from_preset(folder)
        roots = {"backbone": task.backbone, **{name: getattr(task, name) for name in _heads(release, task_class)}}
    compared = 0
    for part, root in roots.items():
        for row in release.match.rows[part]:
            expected = _rounded(release.checkpoint.read(row.google), dtype)
            received = _rounded(variable_at(root, row.path), dtype)
            if (expected.T if row.transposed else expected).tobytes() != received.tobytes():
                raise CheckFailedError(f"The variable {row.google!r} was not written as it is in {release.origin}.")
            compared += 1
    return compared


def _largest_difference(release: Release, dtype: str, folder: str) -> float:
    """Run the written backbone and the reference on one batch, both in at least single precision."""
    batch = check_batch(release.backbone_config)
    expected = reference_outputs(
        lambda name: _rounded(release.checkpoint.read(name), dtype), release.backbone_config, **batch
    )
    received = AlbertBackbone.from_preset(folder, dtype="float32")(batch, training=False)
    return max(
        float(np.abs(keras.ops.convert_to_numpy(received[name]) - expected[name]).max())
        for name in ("sequence_output", "pooled_output")
    )


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

"""The model that a run trains: a preset's backbone and tokenizer under a new head, and the weights of its rows."""

from collections import Counter
from typing import Any

import keras_hub
import numpy as np

from keras_albert.backbone import AlbertBackbone
from keras_albert.finetuning.kinds.kind import Kind
from keras_albert.finetuning.readers.rows import Rows
from keras_albert.finetuning.settings import FineTuning


def build_model(settings: FineTuning, kind: Kind, train: Rows) -> keras_hub.models.Task:
    """Load the preset under a new head.

    Args:
        settings: names the preset, the lengths, the dropout rates and the dtype policy.
        kind: the kind of task.
        train: the training rows, which class names may come from.

    Raises:
        ValueError: an unknown preset, or settings that don't fit it.
    """
    lengths = {"max_sequence_length": settings.max_sequence_length, "sequence_length": settings.sequence_length}
    lengths = {name: length for name, length in lengths.items() if length is not None}
    rates = ("hidden_dropout", "attention_dropout")
    dropout: dict[str, Any] = {} if settings.dropout is None else dict.fromkeys(rates, settings.dropout)
    head: dict[str, Any] = {} if settings.head_dropout is None else {kind.dropout_option: settings.head_dropout}
    task_class = kind.task_class
    backbone = AlbertBackbone.from_preset(
        settings.preset, load_weights=not settings.random_init, dtype=settings.dtype, **dropout
    )
    options = _shortened(dict(settings.preprocessor_options), backbone) | lengths
    preprocessor = task_class.preprocessor_cls.from_preset(settings.preset, **options)
    model_options = kind.task_options(train) | dict(settings.task_options) | head
    return task_class(backbone=backbone, preprocessor=preprocessor, **model_options)


def class_weights_of(settings: FineTuning, kind: Kind, train: Rows) -> np.ndarray | None:
    """Return the weight of each training row by its class, float32 (N,); None where all weigh alike.

    "balanced" gives every class the same total: N / (classes x rows of the class).

    Raises:
        ValueError: a kind of task without one class for each row, a class that no row has, or no positive weight.
    """
    wanted = settings.class_weights
    if wanted is None:
        return None
    labels = train.columns().get("labels")
    if kind.name != "classification" or labels is None or not all(isinstance(label, str) for label in labels):
        raise ValueError(f"class_weights need one class for each row. Received: a task of the kind {kind.name!r}")
    counts = Counter(labels)
    if isinstance(wanted, str):
        if wanted != "balanced":
            raise ValueError(
                f"Expected class_weights to be 'balanced' or a weight for each class. Received: {wanted!r}"
            )
        wanted = {label: len(labels) / (len(counts) * count) for label, count in counts.items()}
    unknown = sorted(set(wanted) - set(counts))
    if unknown:
        raise ValueError(f"Expected class_weights of classes among {sorted(counts)}. Received: {unknown}")
    wrong = {label: weight for label, weight in wanted.items() if not (weight > 0 and np.isfinite(weight))}
    if wrong:
        raise ValueError(f"Expected positive class_weights. Received: {wrong}")
    return np.array([wanted.get(label, 1.0) for label in labels], "float32")


def _shortened(options: dict[str, Any], backbone: AlbertBackbone) -> dict[str, Any]:
    """Cut a recipe's length to the positions that a small model has."""
    length = options.get("max_sequence_length")
    if length is not None and length > backbone.max_sequence_length:
        return options | {"max_sequence_length": backbone.max_sequence_length}
    return options

"""Classes of texts by a classifier that was saved, and its figures on labelled ones.

The evaluation and prediction of google-research/albert run_classifier.py.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import keras
import numpy as np

from keras_albert.checkpoints import Release
from keras_albert.finetuning.examples import Examples
from keras_albert.finetuning.metrics import ClassificationMetrics, classification_metrics
from keras_albert.finetuning.predictions import Predictions, softmax
from keras_albert.presets import resolve, stored_task
from keras_albert.tasks import AlbertClassifier

DEFAULT_BATCH_SIZE = 32


def predict(
    model: str | os.PathLike[str],
    examples: Examples | Sequence[str],
    batch_size: int = DEFAULT_BATCH_SIZE,
    verbose: str | int = 0,
) -> Predictions:
    """Predict the classes of texts with a model that was saved.

    Args:
        model: as for `load_fine_tuned`.
        examples: texts or pairs; labels are not looked at.
        batch_size: rows in a batch.
        verbose: Keras's: 1 for its progress bar, 0 for nothing.

    Raises:
        ValueError: no classifier, or no text.
    """
    rows = examples if isinstance(examples, Examples) else Examples(list(examples))
    return predict_with(load_fine_tuned(model), rows.inputs, batch_size, verbose)


def evaluate(
    model: str | os.PathLike[str],
    examples: Examples,
    batch_size: int = DEFAULT_BATCH_SIZE,
    verbose: str | int = 0,
) -> ClassificationMetrics:
    """Compute the figures of a model that was saved on labelled rows.

    Args:
        model: as for `load_fine_tuned`.
        examples: texts or pairs, with labels.
        batch_size: rows in a batch.
        verbose: Keras's: 1 for its progress bar, 0 for nothing.

    Raises:
        ValueError: no classifier, no labels, or labels that are no classes of the model.
    """
    classifier = load_fine_tuned(model)
    labels = examples.label_numbers(_class_names(classifier))
    predictions = predict_with(classifier, examples.inputs, batch_size, verbose)
    return classification_metrics(labels, predictions.numbers, predictions.class_names)


def load_fine_tuned(model: str | os.PathLike[str]) -> AlbertClassifier:
    """Load a classifier that was trained.

    Args:
        model: a run's folder, its `model` folder, or another preset that holds a classifier: a Keras preset, or a
            Google release that was fine-tuned.

    Raises:
        ValueError: the preset is not there, or was not fine-tuned as a classifier.
    """
    inside = Path(model) / "model"
    preset = inside if (inside / "config.json").is_file() else model
    source = resolve(preset)
    if isinstance(source, Release):
        has_classifier = source.num_classes is not None
    else:
        task = stored_task(source)
        task_class = None if task is None else keras.saving.get_registered_object(task)
        has_classifier = task_class is not None and issubclass(task_class, AlbertClassifier)
    if not has_classifier:
        raise ValueError(
            f"Expected a classifier that was fine-tuned. Received: {model}, which holds none. "
            "Make one of it with `keras-albert finetune`."
        )
    return AlbertClassifier.from_preset(preset)


def predict_with(classifier: AlbertClassifier, inputs: Any, batch_size: int, verbose: str | int = 0) -> Predictions:
    """Predict the classes of texts, or of a pair of columns of texts, with a model in memory.

    Raises:
        ValueError: the model's outputs are no numbers.
    """
    logits = np.asarray(classifier.predict(inputs, batch_size=batch_size, verbose=verbose), "float64")
    if not np.isfinite(logits).all():
        raise ValueError(
            "The model's outputs are infinite or no numbers: its weights are damaged, or overflow their dtype "
            f"({classifier.dtype_policy.name})."
        )
    return Predictions(softmax(logits), _class_names(classifier))


def _class_names(classifier: AlbertClassifier) -> tuple[str, ...]:
    return classifier.class_names or tuple(str(number) for number in range(classifier.num_classes))

"""A fine-tuning run: from a preset and labelled texts to a folder with the model, its figures and a picture.

`main` of google-research/albert run_classifier.py; paper section 4.1.
"""

import time
import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import keras
import numpy as np

from keras_albert.backbone import AlbertBackbone
from keras_albert.finetuning.callbacks import BestWeights, CurveRecorder
from keras_albert.finetuning.examples import Examples, class_names_of
from keras_albert.finetuning.inference import predict_with
from keras_albert.finetuning.interrupts import remembering_interrupts
from keras_albert.finetuning.metrics import ClassificationMetrics, classification_metrics
from keras_albert.finetuning.result import FineTuned, write_result
from keras_albert.finetuning.settings import FineTuning
from keras_albert.presets.output_folder import check_space, new_folder
from keras_albert.tasks import AlbertClassifier, AlbertClassifierPreprocessor
from keras_albert.training import WarmupPolynomialDecay, adamw, default_learning_rate


def finetune(
    settings: FineTuning,
    train: Examples,
    dev: Examples,
    class_names: Sequence[str] | None = None,
    verbose: str | int = "auto",
) -> FineTuned:
    """Fine-tune a classifier, keep the epoch that is best on the dev rows, and write the run's folder.

    The folder holds `model/` (a Keras preset), `config.json`, `metrics.json`, `history.csv`, `predictions.tsv` (the dev
    rows) and `pictures.png`. It appears when all of that is written.

    Args:
        settings: what to start from, where to write, and how to train.
        train: training rows, with labels.
        dev: rows to choose the best epoch by, with labels.
        class_names: the classes in the order of their numbers; by default those of the training rows, sorted.
        verbose: Keras's: 1 for its progress bar, 2 for a line an epoch, 0 for nothing.

    Raises:
        ValueError: settings or labels that don't fit; a loss that is no number before the first epoch has ended.
        FileExistsError: the output folder is there already.
        OutputError: the output folder cannot be written.
    """
    names = class_names_of(train) if class_names is None else list(class_names)
    train = train.sample(settings.max_train_rows, settings.seed)
    labels = train.label_numbers(names), dev.label_numbers(names)
    if (train.pairs is None) != (dev.pairs is None):
        raise ValueError("Expected pairs in both the training and the dev rows, or in neither.")
    total_steps, warmup_steps = settings.steps(len(train))
    with new_folder(settings.output, settings.overwrite) as folder:
        keras.utils.set_random_seed(settings.seed)
        classifier = load_classifier(settings, names)
        check_space(classifier, folder, settings.output)  # before hours of training
        rate = settings.learning_rate or default_learning_rate(classifier.backbone.hidden_dim)
        used = replace(settings, learning_rate=rate, warmup_steps=warmup_steps)
        classifier.compile(optimizer=adamw(WarmupPolynomialDecay(rate, total_steps, warmup_steps)))
        recorder, best = CurveRecorder(total_steps), BestWeights()
        start = time.monotonic()
        with remembering_interrupts() as interrupts:
            classifier.fit(
                train.inputs,
                labels[0],
                batch_size=settings.batch_size,
                epochs=settings.epochs,
                validation_data=(dev.inputs, labels[1]),
                callbacks=[recorder, best, interrupts],
                verbose=verbose,
            )
        seconds = time.monotonic() - start
        best_epoch = best.restore()
        predictions = predict_with(classifier, dev.inputs, settings.batch_size)
        metrics = classification_metrics(labels[1], predictions.numbers, names)
        _warn_of_failure(best, metrics)
        result = FineTuned(classifier, used, metrics, predictions, recorder.rows, best_epoch, len(train), seconds)
        write_result(result, dev, folder)
    return result


def load_classifier(settings: FineTuning, class_names: Sequence[str]) -> AlbertClassifier:
    """Load the preset as a classifier with a new head.

    Args:
        settings: names the preset, the lengths, the dropout rates and the dtype policy.
        class_names: the classes.
    """
    lengths = {"max_sequence_length": settings.max_sequence_length, "sequence_length": settings.sequence_length}
    lengths = {name: length for name, length in lengths.items() if length is not None}
    rates = ("hidden_dropout", "attention_dropout")
    dropout: dict[str, Any] = {} if settings.dropout is None else dict.fromkeys(rates, settings.dropout)
    return AlbertClassifier(
        backbone=AlbertBackbone.from_preset(settings.preset, dtype=settings.dtype, **dropout),
        preprocessor=AlbertClassifierPreprocessor.from_preset(settings.preset, **lengths),
        class_names=list(class_names),
        classifier_dropout=settings.classifier_dropout,
    )


def _warn_of_failure(best: BestWeights, metrics: ClassificationMetrics) -> None:
    if best.diverged_step is not None:
        warnings.warn(
            f"The loss became infinite or no number at step {best.diverged_step:,}: the training ended there, and the "
            f"weights of epoch {best.epoch} were kept. Lower the learning rate.",
            stacklevel=3,
        )
    # Two standard errors: less than that is no evidence that anything was learnt.
    margin = 2 * np.sqrt(metrics.majority_baseline * (1 - metrics.majority_baseline) / metrics.rows)
    if metrics.accuracy <= metrics.majority_baseline + margin:
        warnings.warn(
            f"The model is hardly better than always answering {metrics.majority_class!r}: accuracy "
            f"{metrics.accuracy:.3f}, majority class {metrics.majority_baseline:.3f}. Train for more epochs, or at "
            "another learning rate.",
            stacklevel=3,
        )

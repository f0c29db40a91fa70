"""A classifier of texts and of pairs of texts, and its preprocessor.

`create_model` of google-research/albert classifier_utils.py; paper section 4.1 (GLUE).
"""

from collections.abc import Sequence
from typing import Any

import keras
import keras_hub

from keras_albert.backbone import AlbertBackbone
from keras_albert.layers import Dropout, class_head
from keras_albert.presets import BUILTIN_PRESETS
from keras_albert.tasks import loading, raw_text, saving
from keras_albert.tasks.class_labels import class_numbers, multi_hot
from keras_albert.tasks.class_predictions import ClassPrediction, best_classes, classes_above
from keras_albert.tasks.multi_label_metrics import MicroF1
from keras_albert.tasks.preprocessor import AlbertPreprocessor
from keras_albert.training import default_optimizer


@keras.saving.register_keras_serializable(package="keras_albert")
class AlbertClassifierPreprocessor(AlbertPreprocessor):
    """Tokenizes and packs texts or pairs for `AlbertClassifier`; see `AlbertPreprocessor`."""


@keras.saving.register_keras_serializable(package="keras_albert")
class AlbertClassifier(keras_hub.models.TextClassifier):
    """Classifies texts, or pairs of texts, from the pooled output.

    `fit`, `evaluate` and `predict` take raw text; `predict` returns logits, float32 (N, num_classes), and `classify`
    labels with probabilities. Labels are integers from 0, or names where `class_names` is given. With
    `multi_label=True` a text has any number of classes, each decided by itself: its labels are a list or set of names
    or integers, or a row of an array (N, num_classes) of zeros and ones.

    Args:
        backbone: an `AlbertBackbone`.
        num_classes: number of classes, at least 2 (1 with `multi_label`).
        preprocessor: an `AlbertClassifierPreprocessor`; None for inputs that are preprocessed already.
        classifier_dropout: share of the pooled output dropped while training, in [0, 1); its own rate, 0.1 in Google's
            code also where the encoder has none.
        class_names: a name for each class, kept with the model.
        multi_label: whether a text may have several classes, or none.

    Raises:
        ValueError: no `num_classes`, too few, or another number of names.

    Example:
        ```python
        classifier = keras_albert.AlbertClassifier.from_preset("albert_base", num_classes=2)
        classifier.fit(["a fine film", "two hours lost"], [1, 0])
        classifier.predict(["a fine film"])
        classifier.classify(["a fine film"])  # [ClassPrediction(label=1, probability=...)]
        ```
    """

    backbone_cls = AlbertBackbone
    preprocessor_cls = AlbertClassifierPreprocessor
    presets = BUILTIN_PRESETS
    # Layers that a preset may hold weights for: attribute, layer and part of a checkpoint have one name.
    head_names = ("classifier_head",)

    # The same functions serve every task.
    fit, evaluate, predict = raw_text.fit, raw_text.evaluate, raw_text.predict
    from_preset = classmethod(loading.from_preset)
    save_to_preset = saving.save_to_preset
    save_task_weights, load_task_weights = saving.save_task_weights, saving.load_task_weights
    compile_from_config, quantize = saving.compile_from_config, saving.quantize

    def __init__(
        self,
        backbone: AlbertBackbone,
        num_classes: int | None = None,
        preprocessor: AlbertClassifierPreprocessor | None = None,
        classifier_dropout: float = 0.1,
        class_names: Sequence[str] | None = None,
        multi_label: bool = False,
        **kwargs: Any,
    ) -> None:
        num_classes = _checked_num_classes(num_classes, class_names, multi_label)
        loading.check_fit(backbone, preprocessor)

        # === Layers ===
        dropout = Dropout(classifier_dropout, dtype=backbone.dtype_policy, name="classifier_dropout")
        # Logits, and the probabilities that come from them, need the digits that half precision lacks.
        dtype = keras.backend.result_type(backbone.compute_dtype, "float32")
        head = class_head(num_classes, backbone.initializer_range, dtype, name="classifier_head")

        # === Functional model ===
        inputs = backbone.input
        logits = head(dropout(backbone(inputs)["pooled_output"]))

        # === Config ===
        self.backbone = backbone
        self.preprocessor = preprocessor
        self.classifier_head = head
        self.num_classes = num_classes
        self.classifier_dropout = classifier_dropout
        self.class_names = None if class_names is None else tuple(class_names)
        self.multi_label = multi_label
        super().__init__(inputs=inputs, outputs=logits, **kwargs)

    def compile(self, optimizer: Any = "auto", loss: Any = "auto", *, metrics: Any = "auto", **kwargs: Any) -> None:
        """Configure training; arguments as of `keras.Model.compile`.

        Args:
            optimizer: "auto" is AdamW with warm-up and clipping (`keras_albert.training.default_optimizer`).
            loss: "auto" is sparse categorical cross-entropy on logits; with `multi_label` binary cross-entropy, the
                mean over texts and classes.
            metrics: "auto" is accuracy; with `multi_label` that of all single decisions, and their F1 (`MicroF1`).
            **kwargs: see `keras.Model.compile`.
        """
        if optimizer == "auto":
            optimizer = default_optimizer(self.backbone.hidden_dim)
        if loss == "auto":
            loss_class = "BinaryCrossentropy" if self.multi_label else "SparseCategoricalCrossentropy"
            loss = getattr(keras.losses, loss_class)(from_logits=True)
        if metrics == "auto" and self.multi_label:
            metrics = [keras.metrics.BinaryAccuracy(name="accuracy", threshold=0.0), MicroF1()]  # 0 is a logit
        elif metrics == "auto":
            metrics = [keras.metrics.SparseCategoricalAccuracy(name="accuracy")]
        super().compile(optimizer=optimizer, loss=loss, metrics=metrics, **kwargs)

    def classify(
        self, x: Any, batch_size: int | None = None, threshold: float = 0.5, verbose: str | int = 0
    ) -> list[ClassPrediction] | list[list[ClassPrediction]]:
        """Return labels with their probabilities.

        Args:
            x: N texts or pairs of texts, or anything else that `predict` takes.
            batch_size: rows in a batch.
            threshold: with `multi_label`, the least probability of a class that is returned, in [0, 1].
            verbose: see `keras.Model.predict`.

        Returns:
            The most probable class of each text. With `multi_label` a list for each text, most probable class first;
            it is empty where no class reaches the threshold.
        """
        logits = self.predict(x, batch_size=batch_size, verbose=verbose)
        if self.multi_label:
            return classes_above(logits, threshold, self.class_names)
        return best_classes(logits, self.class_names)

    def prepare_labels(self, y: Any) -> Any:
        """Turn names into integers, or sets of classes into zeros and ones, and check them.

        Raises:
            ValueError: labels that are no classes, or not in the form that the model takes; see
                `keras_albert.tasks.class_labels`.
        """
        prepare = multi_hot if self.multi_label else class_numbers
        return prepare(y, self.num_classes, self.class_names)

    def get_config(self) -> dict[str, Any]:
        """Return the constructor's arguments."""
        return super().get_config() | {
            "num_classes": self.num_classes,
            "classifier_dropout": self.classifier_dropout,
            "class_names": self.class_names,
            "multi_label": self.multi_label,
        }


def _checked_num_classes(num_classes: int | None, class_names: Sequence[str] | None, multi_label: bool) -> int:
    if num_classes is None and class_names is not None:
        num_classes = len(class_names)
    if num_classes is None:
        raise ValueError("Pass the number of classes: `num_classes=2`, for example. Received: num_classes=None")
    if num_classes < (1 if multi_label else 2):
        raise ValueError(
            f"Expected at least {'one class' if multi_label else 'two classes'}. Received: num_classes={num_classes}. "
            "AlbertRegressor gives a number instead of a class."
        )
    if class_names is not None and len(class_names) != num_classes:
        raise ValueError(
            f"Expected a name for each of {num_classes} classes. Received: class_names={list(class_names)}"
        )
    return num_classes

"""A classifier of texts and of pairs of texts, and its preprocessor.

`create_model` of google-research/albert classifier_utils.py; paper section 4.1 (GLUE).
"""

from collections.abc import Sequence
from typing import Any

import keras
import keras_hub
import numpy as np

from keras_albert.backbone import AlbertBackbone
from keras_albert.layers import Dropout, class_head
from keras_albert.presets import BUILTIN_PRESETS
from keras_albert.tasks import loading, raw_text, saving
from keras_albert.tasks.preprocessor import AlbertPreprocessor
from keras_albert.training import default_optimizer


@keras.saving.register_keras_serializable(package="keras_albert")
class AlbertClassifierPreprocessor(AlbertPreprocessor):
    """Tokenizes and packs texts or pairs for `AlbertClassifier`; see `AlbertPreprocessor`."""


@keras.saving.register_keras_serializable(package="keras_albert")
class AlbertClassifier(keras_hub.models.TextClassifier):
    """Classifies texts, or pairs of texts, from the pooled output.

    `fit`, `evaluate` and `predict` take raw text; `predict` returns logits, float (N, num_classes). Labels are integers
    from 0, or names where `class_names` is given.

    Args:
        backbone: an `AlbertBackbone`.
        num_classes: number of classes, at least 2.
        preprocessor: an `AlbertClassifierPreprocessor`; None for inputs that are preprocessed already.
        classifier_dropout: share of the pooled output dropped while training, in [0, 1); its own rate, 0.1 in Google's
            code also where the encoder has none.
        class_names: a name for each class, kept with the model.

    Raises:
        ValueError: no `num_classes`, or another number of names.

    Example:
        ```python
        classifier = keras_albert.AlbertClassifier.from_preset("albert_base", num_classes=2)
        classifier.fit(["a fine film", "two hours lost"], [1, 0])
        classifier.predict(["a fine film"])
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
        **kwargs: Any,
    ) -> None:
        if num_classes is None and class_names is not None:
            num_classes = len(class_names)
        if num_classes is None:
            raise ValueError("Pass the number of classes: `num_classes=2`, for example. Received: num_classes=None")
        if num_classes < 2:
            raise ValueError(f"Expected at least two classes. Received: num_classes={num_classes}")
        if class_names is not None and len(class_names) != num_classes:
            raise ValueError(
                f"Expected a name for each of {num_classes} classes. Received: class_names={list(class_names)}"
            )
        loading.check_fit(backbone, preprocessor)

        # === Layers ===
        dropout = Dropout(classifier_dropout, dtype=backbone.dtype_policy, name="classifier_dropout")
        head = class_head(num_classes, backbone.initializer_range, backbone.dtype_policy, name="classifier_head")

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
        super().__init__(inputs=inputs, outputs=logits, **kwargs)

    def compile(self, optimizer: Any = "auto", loss: Any = "auto", *, metrics: Any = "auto", **kwargs: Any) -> None:
        """Configure training; arguments as of `keras.Model.compile`.

        Args:
            optimizer: "auto" is AdamW with warm-up and clipping (`keras_albert.training.default_optimizer`).
            loss: "auto" is sparse categorical cross-entropy on logits.
            metrics: "auto" is accuracy.
            **kwargs: see `keras.Model.compile`.
        """
        if optimizer == "auto":
            optimizer = default_optimizer(self.backbone.hidden_dim)
        if loss == "auto":
            loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        if metrics == "auto":
            metrics = [keras.metrics.SparseCategoricalAccuracy(name="accuracy")]
        super().compile(optimizer=optimizer, loss=loss, metrics=metrics, **kwargs)

    def prepare_labels(self, y: Any) -> Any:
        """Turn names into integers, and check the range of integer labels.

        Raises:
            ValueError: a label that is no class, or a name where the model has no `class_names`.
        """
        labels = np.asarray(y)
        if labels.dtype.kind in "USO" and labels.size and isinstance(labels.flat[0], str):
            if self.class_names is None:
                raise ValueError(
                    f"Labels are names, and the model has none: pass class_names=. Received: {labels.flat[0]!r}"
                )
            numbers = {name: number for number, name in enumerate(self.class_names)}
            unknown = sorted(set(labels.ravel().tolist()) - numbers.keys())
            if unknown:
                raise ValueError(f"Expected labels among {list(self.class_names)}. Received: {unknown[:5]}")
            return np.array([numbers[name] for name in labels.ravel()], "int32").reshape(labels.shape)
        is_class_number = labels.ndim == 1 or labels.shape[1:] == (1,)
        if labels.dtype.kind in "iu" and is_class_number and labels.size:
            wrong = labels[(labels < 0) | (labels >= self.num_classes)]
            if wrong.size:
                raise ValueError(
                    f"Expected labels from 0 to {self.num_classes - 1} (num_classes={self.num_classes}). "
                    f"Received: {sorted(set(wrong.ravel().tolist()))[:5]} in {wrong.size:,} of {labels.size:,} rows"
                )
        return labels

    def get_config(self) -> dict[str, Any]:
        """Return the constructor's arguments."""
        return super().get_config() | {
            "num_classes": self.num_classes,
            "classifier_dropout": self.classifier_dropout,
            "class_names": self.class_names,
        }

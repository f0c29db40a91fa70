"""A model that scores texts and pairs of texts with a number, and its preprocessor.

`create_model` of google-research/albert classifier_utils.py for STS-B: the raw score, with a squared error.
"""

from typing import Any

import keras
import keras_hub
import numpy as np
from keras import ops

from keras_albert.backbone import AlbertBackbone
from keras_albert.layers import Dropout, class_head
from keras_albert.presets import BUILTIN_PRESETS
from keras_albert.tasks import loading, raw_text, saving
from keras_albert.tasks.preprocessor import AlbertPreprocessor
from keras_albert.training import default_optimizer


@keras.saving.register_keras_serializable(package="keras_albert")
class AlbertRegressorPreprocessor(AlbertPreprocessor):
    """Tokenizes and packs texts or pairs for `AlbertRegressor`; see `AlbertPreprocessor`."""


@keras.saving.register_keras_serializable(package="keras_albert")
class AlbertRegressor(keras_hub.models.Task):
    """Scores texts, or pairs of texts, with one number each, from the pooled output.

    `fit`, `evaluate` and `predict` take raw text; `predict` returns the scores, float32 (N,), on the labels' own scale
    and without bounds. Labels are finite numbers (N,), or (N, 1). Losses and metrics get labels and scores as columns
    (B, 1), since Keras's own average over the last axis.

    Args:
        backbone: an `AlbertBackbone`.
        preprocessor: an `AlbertRegressorPreprocessor`; None for inputs that are preprocessed already.
        regressor_dropout: share of the pooled output dropped while training, in [0, 1); 0.1 in Google's code.

    Raises:
        ValueError: a preprocessor that doesn't fit the backbone.

    Example:
        ```python
        regressor = keras_albert.AlbertRegressor.from_preset("albert_base")
        pairs = [("a man sings", "someone is singing"), ("a man sings", "the soup is hot")]
        regressor.fit(pairs, [4.6, 0.2])
        regressor.predict(pairs)
        ```
    """

    backbone_cls = AlbertBackbone
    preprocessor_cls = AlbertRegressorPreprocessor
    presets = BUILTIN_PRESETS
    # Layers that a preset may hold weights for: attribute, layer and part of a checkpoint have one name.
    head_names = ("regressor_head",)

    # The same functions serve every task.
    fit, evaluate, predict = raw_text.fit, raw_text.evaluate, raw_text.predict
    from_preset = classmethod(loading.from_preset)
    save_to_preset = saving.save_to_preset
    save_task_weights, load_task_weights = saving.save_task_weights, saving.load_task_weights
    compile_from_config, quantize = saving.compile_from_config, saving.quantize

    def __init__(
        self,
        backbone: AlbertBackbone,
        preprocessor: AlbertRegressorPreprocessor | None = None,
        regressor_dropout: float = 0.1,
        **kwargs: Any,
    ) -> None:
        loading.check_fit(backbone, preprocessor)

        # === Layers ===
        dropout = Dropout(regressor_dropout, dtype=backbone.dtype_policy, name="regressor_dropout")
        # A score needs the digits that half precision lacks.
        dtype = keras.backend.result_type(backbone.compute_dtype, "float32")
        head = class_head(1, backbone.initializer_range, dtype, name="regressor_head")

        # === Functional model ===
        inputs = backbone.input
        scores = head(dropout(backbone(inputs)["pooled_output"]))  # (B, 1)
        # One axis, so that no label of shape (N,) meets a column and broadcasts to (N, N).
        scores = ops.squeeze(scores, axis=-1)  # (B,)

        # === Config ===
        self.backbone = backbone
        self.preprocessor = preprocessor
        self.regressor_head = head
        self.regressor_dropout = regressor_dropout
        super().__init__(inputs=inputs, outputs=scores, **kwargs)

    def compile(self, optimizer: Any = "auto", loss: Any = "auto", *, metrics: Any = "auto", **kwargs: Any) -> None:
        """Configure training; arguments as of `keras.Model.compile`.

        Args:
            optimizer: "auto" is AdamW with warm-up and clipping (`keras_albert.training.default_optimizer`).
            loss: "auto" is the mean squared error.
            metrics: "auto" is the root mean squared error, `rmse`, on the labels' scale.
            **kwargs: see `keras.Model.compile`.
        """
        if optimizer == "auto":
            optimizer = default_optimizer(self.backbone.hidden_dim)
        if loss == "auto":
            loss = keras.losses.MeanSquaredError()
        if metrics == "auto":
            metrics = [keras.metrics.RootMeanSquaredError(name="rmse")]
        super().compile(optimizer=optimizer, loss=loss, metrics=metrics, **kwargs)

    def compute_loss(
        self, x: Any = None, y: Any = None, y_pred: Any = None, sample_weight: Any = None, training: bool = True
    ) -> Any:
        """Return the loss; Keras's losses weigh each row by itself only where labels and scores are columns."""
        return super().compute_loss(x, _column(y), _column(y_pred), sample_weight, training)

    def compute_metrics(self, x: Any, y: Any, y_pred: Any, sample_weight: Any = None) -> dict[str, Any]:
        """Return the metrics of labels and scores as columns."""
        return super().compute_metrics(x, _column(y), _column(y_pred), sample_weight)

    def prepare_labels(self, y: Any) -> np.ndarray:
        """Check labels and bring them into the shape of the scores, float32 (N,).

        Raises:
            ValueError: labels that are no finite numbers, or more than one number a row.
        """
        return score_labels(y)

    def get_config(self) -> dict[str, Any]:
        """Return the constructor's arguments."""
        return super().get_config() | {"regressor_dropout": self.regressor_dropout}


def score_labels(y: Any) -> np.ndarray:
    """Check one finite number a row, and return them as float32 (N,).

    Raises:
        ValueError: text, missing or infinite values, or more than one number a row.

    Example:
        >>> score_labels([[4], [2.5]]).tolist()
        [4.0, 2.5]
    """
    expected = "Expected one number as the label of each text."
    values = np.asarray(y)
    first = next((value for value in values.ravel().tolist() if isinstance(value, (str, bytes))), None)
    if first is not None:
        raise ValueError(f"{expected} Received: {first!r:.100}, a string; convert labels with `float` first.")
    try:
        scores = values.astype("float64")
    except (TypeError, ValueError) as error:
        raise ValueError(f"{expected} Received: y={y!r:.100}") from error
    if scores.ndim == 2 and scores.shape[1] == 1:
        scores = scores[:, 0]
    if scores.ndim != 1:
        raise ValueError(f"{expected} Received: y.shape={scores.shape}; pass y of shape (N,) or (N, 1).")
    wrong = np.flatnonzero(~np.isfinite(scores))
    if wrong.size:
        raise ValueError(
            f"{expected} Received: {scores[wrong[0]]} in row {wrong[0]}, and {wrong.size:,} such rows in all. Drop "
            "the rows without a finite label."
        )
    return scores.astype("float32")


def _column(values: Any) -> Any:
    # TensorFlow knows no rank any more once labels came in both (N,) and (N, 1).
    return None if values is None else ops.reshape(values, (-1, 1))

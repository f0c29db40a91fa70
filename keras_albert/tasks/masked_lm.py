"""Masked language modelling on raw text, and its preprocessor.

`get_masked_lm_output` of google-research/albert run_pretraining.py; paper section 3.2.
"""

from typing import Any

import keras
import keras_hub
from keras import ops

from keras_albert.backbone import AlbertBackbone
from keras_albert.layers import MaskedLMHead
from keras_albert.presets import BUILTIN_PRESETS
from keras_albert.tasks import fill_mask as filling
from keras_albert.tasks import loading, raw_text, saving, unused_pooler
from keras_albert.tasks.losses import MaskedLMLoss
from keras_albert.tasks.masking_preprocessor import MaskingPreprocessor
from keras_albert.training import default_optimizer


@keras.saving.register_keras_serializable(package="keras_albert")
class AlbertMaskedLMPreprocessor(MaskingPreprocessor):
    """Tokenizes, packs and masks texts anew at every call, for `AlbertMaskedLM`; see `MaskingPreprocessor`.

    It returns `(x, mask_ids, mask_weights)`: x has also `mask_positions`, and each of these three is (B, P).
    """

    def arrange(self, features: dict[str, Any], y: Any = None, sample_weight: Any = None) -> Any:
        """Return `(x, mask_ids, mask_weights)`; the labels are the masked tokens themselves.

        Raises:
            ValueError: labels were given.
        """
        if y is not None or sample_weight is not None:
            raise ValueError("Masked language modelling makes its own labels: pass text only, no y or sample_weight.")
        return self.without_labels(features), features["mask_ids"], features["mask_weights"]


def mask_positions_input() -> Any:
    """Return the symbolic input of the masked positions, int32 (B, P)."""
    return keras.Input(shape=(None,), dtype="int32", name="mask_positions")


def masked_lm_head(backbone: AlbertBackbone, layer_norm_epsilon: float | None = None) -> MaskedLMHead:
    """Return an MLM head on a backbone's token table, with the backbone's activation and, unless given, epsilon."""
    return MaskedLMHead(
        backbone.token_embedding,
        backbone.hidden_dim,
        activation=backbone.activation,
        initializer_range=backbone.initializer_range,
        layer_norm_epsilon=backbone.layer_norm_epsilon if layer_norm_epsilon is None else layer_norm_epsilon,
        # In mixed precision the table's transpose stays in float32 under TensorFlow, and so must the bias on it.
        dtype=backbone.variable_dtype,
        name="masked_lm_head",
    )


@keras.saving.register_keras_serializable(package="keras_albert")
class AlbertMaskedLM(keras_hub.models.MaskedLM):
    """Predicts masked tokens: logits, float32 (B, P, V), at `mask_positions` only.

    `fit` takes raw text and masks it anew in every epoch; `fill_mask` suggests pieces for `[MASK]` in a text. At other
    positions, such as `[CLS]`, the model was never trained to predict anything.

    Args:
        backbone: an `AlbertBackbone`; its token table is the output kernel.
        preprocessor: an `AlbertMaskedLMPreprocessor`; None for inputs that are masked already.
        head_layer_norm_epsilon: added to the variance in the head's layer norm; None takes the backbone's. keras_hub's
            heads have 1e-5.

    Example:
        ```python
        masked_lm = keras_albert.AlbertMaskedLM.from_preset("albert_base")
        (fills,) = masked_lm.fill_mask("the capital of france is [MASK].", top_k=3)
        fills[0].token, fills[0].probability, fills[0].text
        ```
    """

    backbone_cls = AlbertBackbone
    preprocessor_cls = AlbertMaskedLMPreprocessor
    presets = BUILTIN_PRESETS
    # Layers that a preset may hold weights for: attribute, layer and part of a checkpoint have one name.
    head_names = ("masked_lm_head",)

    # The same functions serve every task.
    fit, evaluate, predict = raw_text.fit, raw_text.evaluate, raw_text.predict
    fill_mask = filling.fill_mask
    from_preset = classmethod(loading.from_preset)
    save_to_preset = saving.save_to_preset
    save_task_weights, load_task_weights = saving.save_task_weights, saving.load_task_weights
    compile_from_config, quantize = saving.compile_from_config, saving.quantize
    trainable_variables = unused_pooler.trainable_variables
    non_trainable_variables = unused_pooler.non_trainable_variables
    trainable_weights = unused_pooler.trainable_weights
    non_trainable_weights = unused_pooler.non_trainable_weights

    def __init__(
        self,
        backbone: AlbertBackbone,
        preprocessor: AlbertMaskedLMPreprocessor | None = None,
        head_layer_norm_epsilon: float | None = None,
        **kwargs: Any,
    ) -> None:
        loading.check_fit(backbone, preprocessor)

        # === Layers ===
        head = masked_lm_head(backbone, head_layer_norm_epsilon)

        # === Functional model ===
        inputs = {**backbone.input, "mask_positions": mask_positions_input()}
        sequence_output = backbone(backbone.input)["sequence_output"]
        logits = head(sequence_output, inputs["mask_positions"])
        # Probabilities of tens of thousands of pieces need the digits that half precision lacks.
        logits = ops.cast(logits, keras.backend.result_type(backbone.compute_dtype, "float32"))

        # === Config ===
        self.backbone = backbone
        self.preprocessor = preprocessor
        self.masked_lm_head = head
        self.head_layer_norm_epsilon = head_layer_norm_epsilon
        super().__init__(inputs=inputs, outputs=logits, **kwargs)

    def compile(
        self, optimizer: Any = "auto", loss: Any = "auto", *, weighted_metrics: Any = "auto", **kwargs: Any
    ) -> None:
        """Configure training; "auto" is AdamW with warm-up and clipping, Google's MLM loss, and accuracy over masks."""
        if optimizer == "auto":
            optimizer = default_optimizer(self.backbone.hidden_dim)
        if loss == "auto":
            loss = MaskedLMLoss()
        if weighted_metrics == "auto":
            weighted_metrics = [keras.metrics.SparseCategoricalAccuracy(name="accuracy")]
        super().compile(optimizer=optimizer, loss=loss, weighted_metrics=weighted_metrics, **kwargs)

    def get_config(self) -> dict[str, Any]:
        """Return the constructor's arguments."""
        return super().get_config() | {"head_layer_norm_epsilon": self.head_layer_norm_epsilon}

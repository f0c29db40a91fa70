"""Masked language modelling on raw text, and its preprocessor.

`get_masked_lm_output` of google-research/albert run_pretraining.py; paper section 3.2.
"""

from typing import Any

import keras
import keras_hub

from keras_albert.backbone import AlbertBackbone
from keras_albert.layers import MaskedLMHead
from keras_albert.presets import BUILTIN_PRESETS
from keras_albert.tasks import loading, raw_text, saving
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


def masked_lm_head(backbone: AlbertBackbone) -> MaskedLMHead:
    """Return an MLM head on a backbone's token table, with the backbone's activation."""
    return MaskedLMHead(
        backbone.token_embedding,
        backbone.hidden_dim,
        activation=backbone.activation,
        initializer_range=backbone.initializer_range,
        dtype=backbone.dtype_policy,
        name="masked_lm_head",
    )


@keras.saving.register_keras_serializable(package="keras_albert")
class AlbertMaskedLM(keras_hub.models.MaskedLM):
    """Predicts masked tokens: logits (B, P, V) at `mask_positions` only.

    `fit` takes raw text and masks it anew in every epoch. At other positions, such as `[CLS]`, the model was never
    trained to predict anything.

    Args:
        backbone: an `AlbertBackbone`; its token table is the output kernel.
        preprocessor: an `AlbertMaskedLMPreprocessor`; None for inputs that are masked already.
    """

    backbone_cls = AlbertBackbone
    preprocessor_cls = AlbertMaskedLMPreprocessor
    presets = BUILTIN_PRESETS
    # Layers that a preset may hold weights for: attribute, layer and part of a checkpoint have one name.
    head_names = ("masked_lm_head",)

    # The same functions serve every task.
    fit, evaluate, predict = raw_text.fit, raw_text.evaluate, raw_text.predict
    from_preset = classmethod(loading.from_preset)
    save_to_preset = saving.save_to_preset
    save_task_weights, load_task_weights = saving.save_task_weights, saving.load_task_weights
    compile_from_config, quantize = saving.compile_from_config, saving.quantize

    def __init__(
        self, backbone: AlbertBackbone, preprocessor: AlbertMaskedLMPreprocessor | None = None, **kwargs: Any
    ) -> None:
        loading.check_fit(backbone, preprocessor)

        # === Layers ===
        head = masked_lm_head(backbone)

        # === Functional model ===
        inputs = {**backbone.input, "mask_positions": mask_positions_input()}
        sequence_output = backbone(backbone.input)["sequence_output"]
        logits = head(sequence_output, inputs["mask_positions"])

        # === Config ===
        self.backbone = backbone
        self.preprocessor = preprocessor
        self.masked_lm_head = head
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

    # The pooler has no part in this task. It stays trainable for the backbone's next task, and is left out here, where
    # it would have no gradient.
    @property
    def trainable_variables(self) -> list[Any]:
        """The trainable variables that the loss depends on."""
        return self._split_variables(super().trainable_variables)[0]

    @property
    def non_trainable_variables(self) -> list[Any]:
        """All other variables, the pooler's among them."""
        return [*super().non_trainable_variables, *self._split_variables(super().trainable_variables)[1]]

    @property
    def trainable_weights(self) -> list[Any]:
        """The trainable weights that the loss depends on."""
        return self._split_variables(super().trainable_weights)[0]

    @property
    def non_trainable_weights(self) -> list[Any]:
        """All other weights, the pooler's among them."""
        return [*super().non_trainable_weights, *self._split_variables(super().trainable_weights)[1]]

    def _split_variables(self, variables: list[Any]) -> tuple[list[Any], list[Any]]:
        unused = {id(variable) for variable in self.backbone.pooler.variables}
        return [v for v in variables if id(v) not in unused], [v for v in variables if id(v) in unused]

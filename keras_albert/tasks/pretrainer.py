"""ALBERT's pretraining model, with both heads, and its preprocessor.

`model_fn_builder` of google-research/albert run_pretraining.py; paper section 3.1 (sentence-order prediction).
"""

from typing import Any

import keras
import keras_hub
import numpy as np

from keras_albert.backbone import AlbertBackbone
from keras_albert.layers import class_head
from keras_albert.presets import BUILTIN_PRESETS
from keras_albert.tasks import loading, raw_text, saving
from keras_albert.tasks.losses import MaskedLMLoss
from keras_albert.tasks.masked_lm import mask_positions_input, masked_lm_head
from keras_albert.tasks.masking_preprocessor import MaskingPreprocessor
from keras_albert.tasks.sentence_order import sentence_order
from keras_albert.training import default_optimizer


@keras.saving.register_keras_serializable(package="keras_albert")
class AlbertPretrainerPreprocessor(MaskingPreprocessor):
    """Tokenizes, packs and masks pairs of segments, for `AlbertPretrainer`.

    Called on pairs and their `sentence_order_label` (B,), 0 = in order and 1 = swapped, it returns x (with
    `mask_positions`), labels and weights, the last two as dicts with "masked_lm" (B, P) and "sentence_order" (B,).
    """

    def arrange(self, features: dict[str, Any], y: Any = None, sample_weight: Any = None) -> Any:
        """Return x alone where there are no labels (prediction), else `(x, labels, weights)`."""
        x = self.without_labels(features)
        if y is None:
            return (x,)
        weight = np.ones(np.shape(y), "float32") if sample_weight is None else sample_weight
        labels = {"masked_lm": features["mask_ids"], "sentence_order": y}
        return x, labels, {"masked_lm": features["mask_weights"], "sentence_order": weight}


@keras.saving.register_keras_serializable(package="keras_albert")
class AlbertPretrainer(keras_hub.models.Task):
    """Masked language modelling and sentence-order prediction together.

    Its outputs are logits: "masked_lm" (B, P, V) at `mask_positions`, and "sentence_order" (B, 2), class 0 = in order
    and 1 = swapped. The loss is the sum of both. The sentence-order head reads the pooled output without dropout.

    Args:
        backbone: an `AlbertBackbone`; its token table is the MLM head's output kernel.
        preprocessor: an `AlbertPretrainerPreprocessor`; None for inputs that are masked already.

    Example:
        ```python
        pretrainer = keras_albert.AlbertPretrainer.from_preset("albert_base")
        pretrainer.sentence_order([("He knocked at the door.", "It was opened by a maid.")])  # in [0, 1]
        ```
    """

    backbone_cls = AlbertBackbone
    preprocessor_cls = AlbertPretrainerPreprocessor
    presets = BUILTIN_PRESETS
    # Layers that a preset may hold weights for: attribute, layer and part of a checkpoint have one name.
    head_names = ("masked_lm_head", "sentence_order_head")

    # The same functions serve every task.
    fit, evaluate, predict = raw_text.fit, raw_text.evaluate, raw_text.predict
    sentence_order = sentence_order
    from_preset = classmethod(loading.from_preset)
    save_to_preset = saving.save_to_preset
    save_task_weights, load_task_weights = saving.save_task_weights, saving.load_task_weights
    compile_from_config, quantize = saving.compile_from_config, saving.quantize

    def __init__(
        self, backbone: AlbertBackbone, preprocessor: AlbertPretrainerPreprocessor | None = None, **kwargs: Any
    ) -> None:
        loading.check_fit(backbone, preprocessor)

        # === Layers ===
        mlm_head = masked_lm_head(backbone)
        order_head = class_head(2, backbone.initializer_range, backbone.dtype_policy, name="sentence_order_head")

        # === Functional model ===
        inputs = {**backbone.input, "mask_positions": mask_positions_input()}
        encoded = backbone(backbone.input)
        outputs = {
            "masked_lm": mlm_head(encoded["sequence_output"], inputs["mask_positions"]),
            "sentence_order": order_head(encoded["pooled_output"]),
        }

        # === Config ===
        self.backbone = backbone
        self.preprocessor = preprocessor
        self.masked_lm_head = mlm_head
        self.sentence_order_head = order_head
        super().__init__(inputs=inputs, outputs=outputs, **kwargs)

    def compile(
        self, optimizer: Any = "auto", loss: Any = "auto", *, weighted_metrics: Any = "auto", **kwargs: Any
    ) -> None:
        """Configure training.

        "auto" is AdamW with warm-up and clipping, Google's two losses, and for each the accuracy and the cross-entropy
        over exact weights: Keras's own `masked_lm_loss` is a mean of the batches' means, whatever they weigh.
        """
        if optimizer == "auto":
            optimizer = default_optimizer(self.backbone.hidden_dim)
        if loss == "auto":
            loss = {
                "masked_lm": MaskedLMLoss(),
                "sentence_order": keras.losses.SparseCategoricalCrossentropy(from_logits=True),
            }
        if weighted_metrics == "auto":
            weighted_metrics = {
                name: [
                    keras.metrics.SparseCategoricalAccuracy(name="accuracy"),
                    keras.metrics.SparseCategoricalCrossentropy(name="cross_entropy", from_logits=True),
                ]
                for name in self.output
            }
        super().compile(optimizer=optimizer, loss=loss, weighted_metrics=weighted_metrics, **kwargs)

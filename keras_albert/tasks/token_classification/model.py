"""Tags for the words of a text, such as those of named entities, and its raw input and output.

`sequence_output` of google-research/albert modeling.py under a dense layer, as BERT's paper (section 5.3) does for
CoNLL-2003.
"""

import os
from collections.abc import Sequence
from typing import Any

import keras
import keras_hub
import numpy as np

from keras_albert.backbone import AlbertBackbone
from keras_albert.checkpoints import Release
from keras_albert.layers import Dropout, class_head
from keras_albert.presets import BUILTIN_PRESETS, resolve
from keras_albert.tasks import loading, raw_text, saving, unused_pooler
from keras_albert.tasks.text_batches import TextBatches
from keras_albert.tasks.token_classification.entities import Entity, entities_of
from keras_albert.tasks.token_classification.labels import tag_numbers
from keras_albert.tasks.token_classification.prediction import best_tags, word_logits
from keras_albert.tasks.token_classification.preprocessor import AlbertTokenClassifierPreprocessor
from keras_albert.training import default_optimizer


@keras.saving.register_keras_serializable(package="keras_albert")
class AlbertTokenClassifier(keras_hub.models.Task):
    """Gives every word of a text a tag, from the sequence output at the word's first piece.

    Called on `token_ids`, `segment_ids` and `padding_mask`, int32 (B, S), it returns logits, float (B, S, T). `fit` and
    `evaluate` take raw input: a list of texts, or of lists of words, of any length; and `y`, a list of tags for each,
    one for each word. `predict` returns a list with the logits of each text's words, float32 (words, T); `tag` returns
    the entities. The preprocessor says how texts are split, and long ones put together again.

    Args:
        backbone: an `AlbertBackbone`.
        tags: the T names, kept with the model: in BIO, IOB1, BIOES or BILOU, or plain labels.
        preprocessor: an `AlbertTokenClassifierPreprocessor`; None for inputs that are preprocessed already.
        tag_dropout: share of the sequence output dropped while training, in [0, 1); its own rate, 0.1 as in Google's
            classifier also where the encoder has none.

    Raises:
        ValueError: no `tags`, fewer than two, or one twice; a preprocessor that doesn't fit the backbone.

    Example:
        ```python
        tagger = keras_albert.AlbertTokenClassifier.from_preset("albert_base", tags=["O", "B-LOC", "I-LOC"])
        tagger.fit([["in", "New", "York"]], [["O", "B-LOC", "I-LOC"]])
        tagger.tag(["We met in New York."])  # [[Entity(label='LOC', start=10, end=18, text='New York', ...)]]
        ```
    """

    backbone_cls = AlbertBackbone
    preprocessor_cls = AlbertTokenClassifierPreprocessor
    presets = BUILTIN_PRESETS
    # Layers that a preset may hold weights for: attribute, layer and part of a checkpoint have one name.
    head_names = ("tag_head",)

    # The same functions serve every task.
    fit, evaluate = raw_text.fit, raw_text.evaluate
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
        tags: Sequence[str] | None = None,
        preprocessor: AlbertTokenClassifierPreprocessor | None = None,
        tag_dropout: float = 0.1,
        **kwargs: Any,
    ) -> None:
        names = _checked(tags)
        loading.check_fit(backbone, preprocessor)

        # === Layers ===
        dropout = Dropout(tag_dropout, dtype=backbone.dtype_policy, name="tag_dropout")
        head = class_head(len(names), backbone.initializer_range, backbone.dtype_policy, name="tag_head")

        # === Functional model ===
        inputs = backbone.input
        logits = head(dropout(backbone(inputs)["sequence_output"]))  # (B, S, T)

        # === Config ===
        self.backbone = backbone
        self.preprocessor = preprocessor
        self.tag_head = head
        self.tags = names
        self.tag_dropout = tag_dropout
        super().__init__(inputs=inputs, outputs=logits, **kwargs)

    def compile(
        self, optimizer: Any = "auto", loss: Any = "auto", *, weighted_metrics: Any = "auto", **kwargs: Any
    ) -> None:
        """Configure training; arguments as of `keras.Model.compile`.

        Args:
            optimizer: "auto" is AdamW with warm-up and clipping (`keras_albert.training.default_optimizer`).
            loss: "auto" is the mean cross-entropy of a batch's words, sum(weight * entropy) / sum(weight).
            weighted_metrics: "auto" is accuracy over words.
            **kwargs: see `keras.Model.compile`.
        """
        if optimizer == "auto":
            optimizer = default_optimizer(self.backbone.hidden_dim)
        if loss == "auto":
            loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="mean_with_sample_weight")
        if weighted_metrics == "auto":
            weighted_metrics = [keras.metrics.SparseCategoricalAccuracy(name="accuracy")]
        super().compile(optimizer=optimizer, loss=loss, weighted_metrics=weighted_metrics, **kwargs)

    def prepare_labels(self, y: Any) -> list[np.ndarray]:
        """Turn the tags of texts into numbers, int32 (words,) each; names and numbers are checked."""
        return tag_numbers(y, self.tags)

    def predict(
        self, x: Any, batch_size: int | None = None, verbose: str | int = "auto", callbacks: Any = None, **kwargs: Any
    ) -> Any:
        """Return the logits of every word of raw input, or the model's own outputs for preprocessed arrays.

        Args:
            x: N texts or lists of words.
            batch_size: rows in a batch, 32 by default.
            verbose: 0 for nothing, 1 for a progress bar.
            callbacks: Keras's callbacks.
            **kwargs: for preprocessed arrays, see `keras.Model.predict`.

        Returns:
            A list of N arrays, float32 (words, T), in the order of the texts.
        """
        if self.preprocessor is None or not self.preprocessor.takes(x):
            return raw_text.predict(self, x, batch_size, verbose=verbose, callbacks=callbacks, **kwargs)
        batches = self._batches(x, batch_size)
        return word_logits(self, batches, verbose, callbacks)

    def tag(self, x: Any, batch_size: int | None = None, verbose: str | int = 0) -> list[list[Entity]]:
        """Return the entities of each text, in order, with their places.

        Args:
            x: N texts; or N lists of words, whose entities have their places in `" ".join(words)`.
            batch_size: rows in a batch, 32 by default.
            verbose: 0 for nothing, 1 for a progress bar.

        Raises:
            ValueError: there is no preprocessor, or `x` is no raw text.
        """
        if self.preprocessor is None:
            raise ValueError("Tagging takes raw text: give the model a preprocessor. Received: preprocessor=None")
        batches = self._batches(x, batch_size)
        texts = batches.encoded.texts
        found = []
        for logits, spans, text in zip(word_logits(self, batches, verbose), texts.spans, texts.texts, strict=True):
            found.append(entities_of(*best_tags(logits, self.tags), spans, text))
        return found

    def _batches(self, x: Any, batch_size: int | None) -> TextBatches:
        preprocessor: Any = self.preprocessor
        size = batch_size or raw_text.DEFAULT_BATCH_SIZE
        return TextBatches(preprocessor, x, batch_size=size, keep_batch_size=True)

    @classmethod
    def from_preset(
        cls, preset: str | os.PathLike[str], load_weights: bool = True, **kwargs: Any
    ) -> "AlbertTokenClassifier":
        """Load a tagger from a preset; see `keras_albert.tasks.loading.from_preset`.

        Args:
            preset: anything that `AlbertBackbone.from_preset` takes.
            load_weights: False keeps random initial weights.
            **kwargs: the constructor's arguments; `tags` for a new head, also where the preset holds one.
        """
        if "tags" in kwargs and not isinstance(resolve(preset), Release):
            dtype = kwargs.pop("dtype", None)
            if "backbone" not in kwargs:
                kwargs["backbone"] = AlbertBackbone.from_preset(preset, load_weights=load_weights, dtype=dtype)
            if "preprocessor" not in kwargs:
                kwargs["preprocessor"] = AlbertTokenClassifierPreprocessor.from_preset(preset)
            return cls(**kwargs)
        return loading.from_preset(cls, preset, load_weights, **kwargs)

    def get_config(self) -> dict[str, Any]:
        """Return the constructor's arguments."""
        return super().get_config() | {"tags": list(self.tags), "tag_dropout": self.tag_dropout}


def _checked(tags: Sequence[str] | None) -> tuple[str, ...]:
    if tags is None:
        raise ValueError("Pass the names of the tags: `tags=['O', 'B-LOC', 'I-LOC']`, for example. Received: tags=None")
    names = () if isinstance(tags, str) else tuple(tags)
    if len(names) < 2 or len(set(names)) < len(names) or not all(isinstance(name, str) and name for name in names):
        raise ValueError(f"Expected at least two names of tags, each once. Received: tags={tags!r:.200}")
    return names

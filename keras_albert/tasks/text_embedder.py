"""Vectors of texts, and how similar they are.

Mean pooling as in Sentence-BERT (arXiv 1908.10084, section 3), or the `[CLS]` vector.
"""

from typing import Any

import keras
import keras_hub
import numpy as np
from keras import ops

from keras_albert.backbone import AlbertBackbone
from keras_albert.presets import BUILTIN_PRESETS
from keras_albert.tasks import loading, raw_text, saving, unused_pooler
from keras_albert.tasks.preprocessor import AlbertPreprocessor
from keras_albert.text.segments import is_text
from keras_albert.training import default_optimizer

POOLINGS = ("mean", "cls")
SHORTEST_NORM = 1e-12  # a zero vector stays zero


@keras.saving.register_keras_serializable(package="keras_albert")
class AlbertTextEmbedderPreprocessor(AlbertPreprocessor):
    """Tokenizes and packs texts or pairs for `AlbertTextEmbedder`; see `AlbertPreprocessor`."""


@keras.saving.register_keras_serializable(package="keras_albert")
class AlbertTextEmbedder(keras_hub.models.TextEmbedder):
    """Turns texts into vectors, float32 (N, H), from the sequence output.

    A vector does not depend on the other texts of its batch, nor on padding. Where a row is all padding it is zero.

    A model that was only pretrained gives vectors that are all much alike; compare similarities with each other rather
    than with a fixed threshold, or take the backbone of a fine-tuned model.

    Args:
        backbone: an `AlbertBackbone`.
        preprocessor: an `AlbertTextEmbedderPreprocessor`; None for inputs that are preprocessed already.
        pooling: "mean" over all tokens that are not padding, `[CLS]` and `[SEP]` included, as sentence-transformers
            does; or "cls", the vector of `[CLS]` (not the pooler's output).
        normalize: whether vectors get unit length.

    Raises:
        ValueError: an unknown pooling.

    Example:
        ```python
        embedder = keras_albert.AlbertTextEmbedder.from_preset("albert_base", normalize=True)
        embedder.embed(["a fine film", "a good movie"])  # (2, 768)
        embedder.similarity(["a fine film"], ["a good movie", "the soup is hot"])  # (1, 2)
        ```
    """

    backbone_cls = AlbertBackbone
    preprocessor_cls = AlbertTextEmbedderPreprocessor
    presets = BUILTIN_PRESETS
    # It has no layers of its own whose weights a preset might hold.
    head_names = ()

    # The same functions serve every task.
    evaluate, predict = raw_text.evaluate, raw_text.predict
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
        preprocessor: AlbertTextEmbedderPreprocessor | None = None,
        pooling: str = "mean",
        normalize: bool = False,
        **kwargs: Any,
    ) -> None:
        if pooling not in POOLINGS:
            raise ValueError(f"Expected pooling to be one of {POOLINGS}. Received: pooling={pooling!r}")
        loading.check_fit(backbone, preprocessor)

        # === Functional model ===
        inputs = backbone.input
        # Sums over hundreds of tokens need the digits that half precision lacks.
        dtype = keras.backend.result_type(backbone.compute_dtype, "float32")
        states = ops.cast(backbone(inputs)["sequence_output"], dtype)  # (B, S, H)
        is_token = ops.expand_dims(ops.cast(inputs["padding_mask"], dtype), -1)  # (B, S, 1)
        if pooling == "mean":
            vectors = ops.sum(states * is_token, axis=1) / ops.maximum(ops.sum(is_token, axis=1), 1.0)
        else:
            vectors = states[:, 0] * is_token[:, 0]
        if normalize:
            # The smaller bound lies inside of the root, whose slope at 0 is infinite.
            squared_norm = ops.sum(ops.square(vectors), axis=-1, keepdims=True)
            vectors = vectors * ops.rsqrt(ops.maximum(squared_norm, SHORTEST_NORM**2))

        # === Config ===
        self.backbone = backbone
        self.preprocessor = preprocessor
        self.pooling = pooling
        self.normalize = normalize
        super().__init__(inputs=inputs, outputs=vectors, **kwargs)

    def compile(self, optimizer: Any = "auto", loss: Any = None, *, metrics: Any = None, **kwargs: Any) -> None:
        """Configure training; arguments as of `keras.Model.compile`. Without a loss there is nothing to configure.

        Args:
            optimizer: "auto" is AdamW with warm-up and clipping (`keras_albert.training.default_optimizer`).
            loss: a loss between target vectors and the model's; there is none by default.
            metrics: none by default.
            **kwargs: see `keras.Model.compile`.
        """
        if loss is None:  # an optimizer that never trains would only be stored, and missed at loading
            return
        if optimizer == "auto":
            optimizer = default_optimizer(self.backbone.hidden_dim)
        super().compile(optimizer=optimizer, loss=loss, metrics=metrics, **kwargs)

    def fit(self, x: Any = None, y: Any = None, **kwargs: Any) -> keras.callbacks.History:
        """Train towards target vectors y, float (N, H), such as a larger model's; arguments as of `keras.Model.fit`.

        Raises:
            ValueError: the model was compiled without a loss.
        """
        if not self.compiled:
            raise ValueError(
                "AlbertTextEmbedder has no loss of its own. Call `compile(loss=...)` and pass target vectors as y, or "
                "train an AlbertClassifier or AlbertRegressor and embed with its backbone: "
                "`AlbertTextEmbedder(task.backbone, preprocessor)`. Received: loss=None"
            )
        return raw_text.fit(self, x, y, **kwargs)

    def embed(self, texts: Any, batch_size: int | None = None, verbose: str | int = 0) -> np.ndarray:
        """Return the vectors of texts.

        Args:
            texts: N texts or pairs of texts; or one text.
            batch_size: rows in a batch.
            verbose: see `keras.Model.predict`.

        Returns:
            float32 (N, H), in the order of the texts; (H,) for one text.
        """
        if isinstance(texts, (str, bytes)):
            return self.predict([texts], batch_size=batch_size, verbose=verbose)[0]
        return self.predict(texts, batch_size=batch_size, verbose=verbose)

    def similarity(self, a: Any, b: Any, batch_size: int | None = None) -> np.ndarray:
        """Return the cosine of the angle between each vector of `a` and each of `b`, whatever `normalize` says.

        Args:
            a: N texts, or vectors (N, H) that `embed` returned.
            b: M texts or vectors.
            batch_size: rows in a batch.

        Returns:
            float32 (N, M), in [-1, 1]; 0 where a vector is zero.
        """
        first, second = (
            np.asarray(self.embed(side, batch_size) if is_text(side) else side, "float64") for side in (a, b)
        )
        if first.ndim != 2 or second.ndim != 2 or first.shape[1] != second.shape[1]:
            raise ValueError(
                "Expected two lists of texts, or vectors (N, H) and (M, H); put a single text in a list. "
                f"Received: vectors of shapes {first.shape} and {second.shape}"
            )
        return np.clip(_unit_length(first) @ _unit_length(second).T, -1.0, 1.0).astype("float32")

    def get_config(self) -> dict[str, Any]:
        """Return the constructor's arguments."""
        return super().get_config() | {"pooling": self.pooling, "normalize": self.normalize}


def _unit_length(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), SHORTEST_NORM)

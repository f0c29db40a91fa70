"""The factorized embedding: tables of a small width E, then one projection to the hidden width H.

Paper section 3.1; `embedding_lookup` and `embedding_postprocessor` of google-research/albert modeling.py.
"""

from typing import Any

import keras
from keras import ops

from keras_albert.layers.dropout import Dropout
from keras_albert.layers.initializer import LAYER_NORM_EPSILON, kernel_initializer


@keras.saving.register_keras_serializable(package="keras_albert")
class FactorizedEmbedding(keras.layers.Layer):
    """Token + position + segment embeddings of width E, layer norm, dropout, projection to H.

    BERT keeps all three tables at width H; here they have width E, and where E equals H there is no projection
    (then this is BERT's embedding).

    Args:
        vocabulary_size: number of token ids V.
        embedding_dim: width E of the tables.
        hidden_dim: width H of the output.
        max_sequence_length: number of positions.
        num_segments: number of segment ids.
        dropout: share of units dropped after the layer norm, in [0, 1).
        initializer_range: standard deviation of the initial values.
        layer_norm_epsilon: added to the variance in the layer norm.
    """

    def __init__(
        self,
        vocabulary_size: int,
        embedding_dim: int,
        hidden_dim: int,
        max_sequence_length: int = 512,
        num_segments: int = 2,
        dropout: float = 0.0,
        initializer_range: float = 0.02,
        layer_norm_epsilon: float = LAYER_NORM_EPSILON,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.vocabulary_size = vocabulary_size
        self.embedding_dim = embedding_dim
        self.hidden_dim = hidden_dim
        self.max_sequence_length = max_sequence_length
        self.num_segments = num_segments
        self.dropout_rate = dropout
        self.initializer_range = initializer_range
        self.layer_norm_epsilon = layer_norm_epsilon
        initializer = kernel_initializer(initializer_range)
        self.token_embedding = keras.layers.ReversibleEmbedding(
            vocabulary_size,
            embedding_dim,
            embeddings_initializer=initializer,
            dtype=self.dtype_policy,
            name="token_embedding",
        )
        self.segment_embedding = keras.layers.Embedding(
            num_segments,
            embedding_dim,
            embeddings_initializer=initializer,
            dtype=self.dtype_policy,
            name="segment_embedding",
        )
        self.layer_norm = keras.layers.LayerNormalization(
            epsilon=layer_norm_epsilon, dtype=self.dtype_policy, name="layer_norm"
        )
        self.dropout = Dropout(dropout, dtype=self.dtype_policy, name="dropout")
        self.projection = None
        if embedding_dim != hidden_dim:
            self.projection = keras.layers.Dense(
                hidden_dim, kernel_initializer=initializer, dtype=self.dtype_policy, name="projection"
            )

    def build(self, token_ids_shape: tuple[int | None, ...]) -> None:
        """Create the tables for token ids of shape (B, S)."""
        table_shape = (*token_ids_shape, self.embedding_dim)
        self.token_embedding.build(token_ids_shape)
        self.segment_embedding.build(token_ids_shape)
        self.position_embedding = self.add_weight(
            name="position_embedding",
            shape=(self.max_sequence_length, self.embedding_dim),
            initializer=kernel_initializer(self.initializer_range),
        )
        self.layer_norm.build(table_shape)
        if self.projection is not None:
            self.projection.build(table_shape)

    def embed(self, token_ids: Any, segment_ids: Any = None, training: bool | None = None) -> Any:
        """Return the embeddings before the projection, (B, S, E): sum of the tables, layer norm, dropout."""
        length = token_ids.shape[1]
        if length is not None and length > self.max_sequence_length:
            raise ValueError(
                f"Expected sequences of at most {self.max_sequence_length} tokens, the positions of this model. "
                f"Received: token_ids.shape={tuple(token_ids.shape)}. Truncate the text (a preprocessor does it)."
            )
        x = self.token_embedding(token_ids)
        if segment_ids is None:
            segment_ids = ops.zeros_like(token_ids)
        x = x + self.segment_embedding(segment_ids)
        positions = ops.cast(self.position_embedding, self.compute_dtype)
        x = x + positions[: ops.shape(token_ids)[1]]
        return self.dropout(self.layer_norm(x), training=training)

    def call(self, token_ids: Any, segment_ids: Any = None, training: bool | None = None) -> Any:
        """Embed token ids.

        Args:
            token_ids: int (B, S), S at most `max_sequence_length`.
            segment_ids: int (B, S); zeros where it is left out.
            training: whether dropout is on.

        Returns:
            float (B, S, H).

        Raises:
            ValueError: S is longer than the number of positions.
        """
        x = self.embed(token_ids, segment_ids, training=training)
        return x if self.projection is None else self.projection(x)

    def compute_output_shape(self, token_ids_shape: tuple[int | None, ...]) -> tuple[int | None, ...]:
        """Return (B, S, H)."""
        return (*token_ids_shape, self.hidden_dim)

    def get_config(self) -> dict[str, Any]:
        """Return the constructor's arguments."""
        return super().get_config() | {
            "vocabulary_size": self.vocabulary_size,
            "embedding_dim": self.embedding_dim,
            "hidden_dim": self.hidden_dim,
            "max_sequence_length": self.max_sequence_length,
            "num_segments": self.num_segments,
            "dropout": self.dropout_rate,
            "initializer_range": self.initializer_range,
            "layer_norm_epsilon": self.layer_norm_epsilon,
        }

"""The two heads of pretraining and the head of a classifier.

`get_masked_lm_output` and `get_sentence_order_output` of google-research/albert run_pretraining.py, `create_model` of
classifier_utils.py.
"""

from typing import Any

import keras
from keras import ops

from keras_albert.layers.activations import activation_function
from keras_albert.layers.initializer import LAYER_NORM_EPSILON, kernel_initializer


@keras.saving.register_keras_serializable(package="keras_albert")
class MaskedLMHead(keras.layers.Layer):
    """Scores every vocabulary entry at the masked positions, with the token table as output kernel.

    Only the masked positions are scored: gather, dense H -> E, activation, layer norm, times the transposed token
    table, plus one bias for each vocabulary entry. The table stays where it is: this layer owns five weights, none of
    them (V, E).

    Args:
        token_embedding: the embedding layer of the backbone (V, E), called with `reverse=True`.
        hidden_dim: width H of the input.
        activation: name of the activation, the backbone's own in Google's code.
        initializer_range: standard deviation of the initial kernel.
        layer_norm_epsilon: added to the variance in the layer norm.
    """

    def __init__(
        self,
        token_embedding: keras.layers.ReversibleEmbedding,
        hidden_dim: int,
        activation: str = "gelu",
        initializer_range: float = 0.02,
        layer_norm_epsilon: float = LAYER_NORM_EPSILON,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.token_embedding = token_embedding
        self.hidden_dim = hidden_dim
        self.activation = activation
        self.initializer_range = initializer_range
        self.layer_norm_epsilon = layer_norm_epsilon
        self.transform = keras.layers.Dense(
            token_embedding.output_dim,
            activation=activation_function(activation),
            kernel_initializer=kernel_initializer(initializer_range),
            dtype=self.dtype_policy,
            name="transform",
        )
        self.layer_norm = keras.layers.LayerNormalization(
            epsilon=layer_norm_epsilon, dtype=self.dtype_policy, name="layer_norm"
        )

    def build(self, sequence_output_shape: tuple[int | None, ...]) -> None:
        """Create the weights for a sequence output of shape (B, S, H)."""
        self.transform.build(sequence_output_shape)
        self.layer_norm.build((*sequence_output_shape[:-1], self.token_embedding.output_dim))
        if not self.token_embedding.built:
            self.token_embedding.build(sequence_output_shape[:2])
        self.output_bias = self.add_weight(
            name="output_bias", shape=(self.token_embedding.input_dim,), initializer="zeros"
        )

    def call(self, sequence_output: Any, mask_positions: Any) -> Any:
        """Score the vocabulary at each masked position.

        Args:
            sequence_output: float (B, S, H).
            mask_positions: int (B, P), indices into S; padded slots read position 0.

        Returns:
            float (B, P, V), logits.
        """
        x = ops.take_along_axis(sequence_output, ops.expand_dims(mask_positions, -1), axis=1)  # (B, P, H)
        x = self.layer_norm(self.transform(x))  # (B, P, E)
        return self.token_embedding(x, reverse=True) + ops.cast(self.output_bias, self.compute_dtype)

    def compute_output_shape(
        self, sequence_output_shape: tuple[int | None, ...], mask_positions_shape: tuple[int | None, ...]
    ) -> tuple[int | None, ...]:
        """Return (B, P, V)."""
        return (*mask_positions_shape, self.token_embedding.input_dim)

    def get_config(self) -> dict[str, Any]:
        """Return the constructor's arguments."""
        return super().get_config() | {
            "token_embedding": keras.saving.serialize_keras_object(self.token_embedding),
            "hidden_dim": self.hidden_dim,
            "activation": self.activation,
            "initializer_range": self.initializer_range,
            "layer_norm_epsilon": self.layer_norm_epsilon,
        }

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> "MaskedLMHead":
        """Rebuild a layer from `get_config`; its token table is a new one."""
        table = keras.saving.deserialize_keras_object(config["token_embedding"])
        return cls(**(config | {"token_embedding": table}))


def class_head(num_classes: int, initializer_range: float, dtype: Any, name: str) -> keras.layers.Dense:
    """Return the dense layer from the pooled output (B, H) to logits (B, num_classes)."""
    return keras.layers.Dense(
        num_classes, kernel_initializer=kernel_initializer(initializer_range), dtype=dtype, name=name
    )

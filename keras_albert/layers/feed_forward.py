"""The feed-forward block: two dense layers, residual sum, layer norm.

The second half of `attention_ffn_block` of google-research/albert modeling.py.
"""

from typing import Any

import keras

from keras_albert.layers.activations import activation_function
from keras_albert.layers.dropout import Dropout
from keras_albert.layers.initializer import LAYER_NORM_EPSILON, kernel_initializer


@keras.saving.register_keras_serializable(package="keras_albert")
class FeedForward(keras.layers.Layer):
    """H -> intermediate, activation, -> H, dropout, residual sum, layer norm.

    Args:
        hidden_dim: width H of input and output.
        intermediate_dim: width between the two dense layers.
        activation: name of the activation between them; see `activation_function`.
        hidden_dropout: share of the output dropped, in [0, 1).
        initializer_range: standard deviation of the initial kernels.
        layer_norm_epsilon: added to the variance in the layer norm.

    Raises:
        ValueError: the activation is unknown.
    """

    def __init__(
        self,
        hidden_dim: int,
        intermediate_dim: int,
        activation: str = "gelu",
        hidden_dropout: float = 0.0,
        initializer_range: float = 0.02,
        layer_norm_epsilon: float = LAYER_NORM_EPSILON,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.hidden_dim = hidden_dim
        self.intermediate_dim = intermediate_dim
        self.activation = activation
        self.hidden_dropout_rate = hidden_dropout
        self.initializer_range = initializer_range
        self.layer_norm_epsilon = layer_norm_epsilon
        self.intermediate = keras.layers.Dense(
            intermediate_dim,
            activation=activation_function(activation),
            kernel_initializer=kernel_initializer(initializer_range),
            dtype=self.dtype_policy,
            name="intermediate",
        )
        self.output_projection = keras.layers.Dense(
            hidden_dim,
            kernel_initializer=kernel_initializer(initializer_range),
            dtype=self.dtype_policy,
            name="output_projection",
        )
        self.hidden_dropout = Dropout(hidden_dropout, dtype=self.dtype_policy, name="hidden_dropout")
        self.layer_norm = keras.layers.LayerNormalization(
            epsilon=layer_norm_epsilon, dtype=self.dtype_policy, name="layer_norm"
        )

    def build(self, x_shape: tuple[int | None, ...]) -> None:
        """Create the kernels for an input of shape (B, S, H)."""
        self.intermediate.build(x_shape)
        self.output_projection.build((*x_shape[:-1], self.intermediate_dim))
        self.layer_norm.build(x_shape)

    @property
    def dropouts(self) -> list[Dropout]:
        """The dropout layers, in the order in which `call` takes their seeds."""
        return [self.hidden_dropout]

    def call(self, x: Any, training: bool | None = None, seeds: tuple[Any] = (None,)) -> Any:
        """Transform every position by itself.

        Args:
            x: float (B, S, H).
            training: whether dropout is on.
            seeds: drawn seeds of the `dropouts`; they draw their own where it is None.

        Returns:
            float (B, S, H).
        """
        (seed,) = seeds
        output = self.output_projection(self.intermediate(x))
        return self.layer_norm(x + self.hidden_dropout(output, training=training, seed=seed))

    def compute_output_shape(self, x_shape: tuple[int | None, ...]) -> tuple[int | None, ...]:
        """Return (B, S, H)."""
        return x_shape

    def get_config(self) -> dict[str, Any]:
        """Return the constructor's arguments."""
        return super().get_config() | {
            "hidden_dim": self.hidden_dim,
            "intermediate_dim": self.intermediate_dim,
            "activation": self.activation,
            "hidden_dropout": self.hidden_dropout_rate,
            "initializer_range": self.initializer_range,
            "layer_norm_epsilon": self.layer_norm_epsilon,
        }

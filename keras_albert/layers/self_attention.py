"""The self-attention block: multi-head attention, output projection, residual sum, layer norm.

`attention_layer` and the attention half of `attention_ffn_block` of google-research/albert modeling.py.
"""

from typing import Any

import keras
from keras import ops

from keras_albert.layers.dropout import Dropout
from keras_albert.layers.initializer import LAYER_NORM_EPSILON, kernel_initializer

# Added to the score of a masked key. Google's value: large enough that a masked key gets no weight, and finite, so
# that a row whose keys are all masked is an ordinary softmax instead of NaN. It fits in float16.
MASKED_SCORE = -10000.0


@keras.saving.register_keras_serializable(package="keras_albert")
class SelfAttention(keras.layers.Layer):
    """Multi-head self-attention with its residual sum and layer norm (post-norm, as BERT's).

    Keys are masked, queries never are. Scores, mask and softmax are float32 whatever the compute dtype is.

    Args:
        hidden_dim: width H of input and output.
        num_heads: number of heads; divides `hidden_dim`.
        hidden_dropout: share of the projected output dropped, in [0, 1).
        attention_dropout: share of the attention probabilities dropped, in [0, 1).
        initializer_range: standard deviation of the initial kernels.
        layer_norm_epsilon: added to the variance in the layer norm.

    Raises:
        ValueError: `num_heads` does not divide `hidden_dim`.
    """

    def __init__(
        self,
        hidden_dim: int,
        num_heads: int,
        hidden_dropout: float = 0.0,
        attention_dropout: float = 0.0,
        initializer_range: float = 0.02,
        layer_norm_epsilon: float = LAYER_NORM_EPSILON,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if num_heads < 1 or hidden_dim % num_heads:
            raise ValueError(
                f"Expected num_heads to divide hidden_dim. Received: num_heads={num_heads}, hidden_dim={hidden_dim}"
            )
        self.hidden_dim = hidden_dim
        self.num_heads = num_heads
        self.head_dim = hidden_dim // num_heads
        self.hidden_dropout_rate = hidden_dropout
        self.attention_dropout_rate = attention_dropout
        self.initializer_range = initializer_range
        self.layer_norm_epsilon = layer_norm_epsilon
        self.query = self._dense("query")
        self.key = self._dense("key")
        self.value = self._dense("value")
        self.output_projection = self._dense("output_projection")
        self.attention_dropout = Dropout(attention_dropout, dtype=self.dtype_policy, name="attention_dropout")
        self.hidden_dropout = Dropout(hidden_dropout, dtype=self.dtype_policy, name="hidden_dropout")
        self.layer_norm = keras.layers.LayerNormalization(
            epsilon=layer_norm_epsilon, dtype=self.dtype_policy, name="layer_norm"
        )

    def _dense(self, name: str) -> keras.layers.Dense:
        return keras.layers.Dense(
            self.hidden_dim,
            kernel_initializer=kernel_initializer(self.initializer_range),
            dtype=self.dtype_policy,
            name=name,
        )

    def build(self, x_shape: tuple[int | None, ...]) -> None:
        """Create the kernels for an input of shape (B, S, H)."""
        for layer in (self.query, self.key, self.value, self.output_projection, self.layer_norm):
            layer.build(x_shape)

    @property
    def dropouts(self) -> list[Dropout]:
        """The dropout layers, in the order in which `call` takes their seeds."""
        return [self.attention_dropout, self.hidden_dropout]

    def call(
        self, x: Any, padding_mask: Any = None, training: bool | None = None, seeds: tuple[Any, Any] = (None, None)
    ) -> Any:
        """Let every position attend to the unmasked ones.

        Args:
            x: float (B, S, H).
            padding_mask: bool, int or float of zeros and ones; (B, S) for keys, or (B, 1, S) or (B, S, S).
            training: whether dropout is on.
            seeds: drawn seeds of the `dropouts`; they draw their own where it is None.

        Returns:
            float (B, S, H).
        """
        attention_seed, hidden_seed = seeds
        query, key, value = (self._split_heads(layer(x)) for layer in (self.query, self.key, self.value))
        scores = ops.matmul(query, ops.transpose(key, (0, 1, 3, 2)))  # (B, heads, S, S)
        scores = ops.cast(scores, "float32") * (self.head_dim**-0.5)
        if padding_mask is not None:
            scores = scores + attention_bias(padding_mask)
        probabilities = ops.cast(ops.softmax(scores, axis=-1), self.compute_dtype)
        probabilities = self.attention_dropout(probabilities, training=training, seed=attention_seed)
        context = ops.transpose(ops.matmul(probabilities, value), (0, 2, 1, 3))  # (B, S, heads, H / heads)
        context = ops.reshape(context, ops.shape(x))  # (B, S, H)
        context = self.hidden_dropout(self.output_projection(context), training=training, seed=hidden_seed)
        return self.layer_norm(x + context)

    def _split_heads(self, x: Any) -> Any:
        batch, length = ops.shape(x)[0], ops.shape(x)[1]
        x = ops.reshape(x, (batch, length, self.num_heads, self.head_dim))
        return ops.transpose(x, (0, 2, 1, 3))  # (B, heads, S, H / heads)

    def compute_output_shape(self, x_shape: tuple[int | None, ...]) -> tuple[int | None, ...]:
        """Return (B, S, H)."""
        return x_shape

    def get_config(self) -> dict[str, Any]:
        """Return the constructor's arguments."""
        return super().get_config() | {
            "hidden_dim": self.hidden_dim,
            "num_heads": self.num_heads,
            "hidden_dropout": self.hidden_dropout_rate,
            "attention_dropout": self.attention_dropout_rate,
            "initializer_range": self.initializer_range,
            "layer_norm_epsilon": self.layer_norm_epsilon,
        }


def attention_bias(padding_mask: Any) -> Any:
    """Turn a mask of ones and zeros into what is added to the attention scores.

    Args:
        padding_mask: bool, int or float; (B, S), or (B, 1, S) or (B, S, S).

    Returns:
        float32 (B, 1, 1 or S, S): 0 where a key may be attended to, -10000 elsewhere.

    Raises:
        ValueError: the mask has another number of axes.
    """
    rank = len(padding_mask.shape)
    if rank not in (2, 3):
        raise ValueError(
            "Expected a padding_mask of shape (batch, keys) or (batch, 1 or queries, keys). "
            f"Received: padding_mask.shape={tuple(padding_mask.shape)}"
        )
    mask = ops.expand_dims(ops.cast(padding_mask, "float32"), 1)  # (B, 1, S) or (B, 1, S, S)
    if rank == 2:
        mask = ops.expand_dims(mask, 1)  # (B, 1, 1, S)
    return (1.0 - mask) * MASKED_SCORE

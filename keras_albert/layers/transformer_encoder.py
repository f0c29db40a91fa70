"""One Transformer layer: a self-attention block, then a feed-forward block.

`attention_ffn_block` of google-research/albert modeling.py; paper section 3.1, "cross-layer parameter sharing".
"""

from typing import Any

import keras

from keras_albert.layers.feed_forward import FeedForward
from keras_albert.layers.self_attention import SelfAttention


@keras.saving.register_keras_serializable(package="keras_albert")
class TransformerEncoder(keras.layers.Layer):
    """A self-attention block followed by a feed-forward block; one instance is invoked at many depths.

    The blocks are arguments, so that two encoders can share one of them (the paper's "shared-attention" and
    "shared-FFN"). Output equals the blocks called one after the other.

    Args:
        attention: the `SelfAttention` block.
        feed_forward: the `FeedForward` block.
        remat: whether activations inside the layer are computed again for the gradient instead of kept, so that the
            memory of training grows by one (B, S, H) tensor a layer only.
    """

    def __init__(self, attention: SelfAttention, feed_forward: FeedForward, remat: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.attention = attention
        self.feed_forward = feed_forward
        self.remat = remat

    def build(self, x_shape: tuple[int | None, ...]) -> None:
        """Build the blocks for an input of shape (B, S, H)."""
        # The larger first: in this order a release's arrays are read, with little else in memory yet.
        for block in (self.feed_forward, self.attention):
            if not block.built:  # a shared block was built by the encoder that met it first
                block.build(x_shape)

    def call(self, x: Any, padding_mask: Any = None, training: bool | None = None) -> Any:
        """Transform a sequence.

        Args:
            x: float (B, S, H).
            padding_mask: ones for tokens, zeros for padding; see `SelfAttention`.
            training: whether dropout is on.

        Returns:
            float (B, S, H).
        """
        if not (self.remat and training):
            x = self.attention(x, padding_mask, training=training)
            return self.feed_forward(x, training=training)

        def run_blocks(x: Any, *seeds: Any) -> Any:
            drawn = iter(seeds)
            per_layer = [next(drawn) if layer.rate > 0 else None for layer in dropouts]
            x = self.attention(x, padding_mask, training=True, seeds=tuple(per_layer[:2]))
            return self.feed_forward(x, training=True, seeds=tuple(per_layer[2:]))

        # The seeds are drawn outside, so that the second run drops what the first one dropped.
        dropouts = [*self.attention.dropouts, *self.feed_forward.dropouts]
        return keras.remat(run_blocks)(x, *[layer.draw_seed() for layer in dropouts if layer.rate > 0])

    def compute_output_shape(self, x_shape: tuple[int | None, ...]) -> tuple[int | None, ...]:
        """Return (B, S, H)."""
        return x_shape

    def get_config(self) -> dict[str, Any]:
        """Return the constructor's arguments."""
        return super().get_config() | {
            "attention": keras.saving.serialize_keras_object(self.attention),
            "feed_forward": keras.saving.serialize_keras_object(self.feed_forward),
            "remat": self.remat,
        }

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> "TransformerEncoder":
        """Rebuild a layer from `get_config`."""
        blocks = {key: keras.saving.deserialize_keras_object(config[key]) for key in ("attention", "feed_forward")}
        return cls(**(config | blocks))

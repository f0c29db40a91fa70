"""The ALBERT encoder as a functional Keras model.

`AlbertModel` of google-research/albert modeling.py; paper section 3.1.
"""

import os
import warnings
from typing import Any

import keras
import keras_hub
import numpy as np
from keras import ops

from keras_albert.checkpoints import Release
from keras_albert.layers import FactorizedEmbedding, FeedForward, SelfAttention, TransformerEncoder, kernel_initializer
from keras_albert.layers.token_ids import check_token_ids
from keras_albert.presets import BUILTIN_PRESETS, is_mixed_precision, resolve
from keras_albert.presets.building import initialized_from
from keras_albert.presets.output_folder import filled_folder
from keras_albert.sharing import Sharing, sharing_plan


@keras.saving.register_keras_serializable(package="keras_albert")
class AlbertBackbone(keras_hub.models.Backbone):
    """The ALBERT encoder: factorized embedding, then one Transformer layer reused at every depth, then the pooler.

    Called on `{"token_ids", "segment_ids", "padding_mask"}`, each int (B, S) (the last two may be left out: segment 0,
    nothing padded), it returns `{"sequence_output": (B, S, H), "pooled_output": (B, H)}`.

    With `sharing="none"` and `embedding_dim == hidden_dim` it is BERT.

    Args:
        vocabulary_size: number of token ids V.
        num_layers: number of layers (visits to a group).
        num_heads: attention heads; divides `hidden_dim`.
        hidden_dim: width H of the encoder.
        intermediate_dim: width inside the feed-forward block.
        embedding_dim: width E of the embedding tables.
        sharing, num_groups, num_inner_repetitions: the sharing plan; see `keras_albert.sharing.sharing_plan`.
        max_sequence_length: number of positions.
        num_segments: number of segment ids.
        hidden_dropout: dropout after the embeddings and after each block, in [0, 1). Google's v2 models have 0.
        attention_dropout: dropout on the attention probabilities, in [0, 1).
        activation: "gelu" (Google's tanh form), "gelu_erf", "relu", "tanh" or "linear".
        initializer_range: standard deviation of the initial kernels (truncated normal).
        layer_norm_epsilon: added to the variance in every layer norm; 1e-12 in Google's code.
        remat: whether training recomputes a layer's activations instead of keeping them: memory grows little with
            depth, for the time of a second forward pass.
        dtype: dtype policy of computation and weights, such as "mixed_bfloat16".

    Attributes:
        layer_outputs: symbolic (B, S, H) of each depth; see `feature_extractor`.

    Raises:
        ValueError: sizes that don't fit together, an unknown activation or sharing.

    Example:
        >>> backbone = keras_albert.AlbertBackbone(
        ...     vocabulary_size=100, num_layers=4, num_heads=2, hidden_dim=16, intermediate_dim=32, embedding_dim=8)
        >>> tuple(backbone({"token_ids": np.ones((1, 5), "int32")})["pooled_output"].shape)
        (1, 16)
    """

    presets = BUILTIN_PRESETS

    def __init__(
        self,
        vocabulary_size: int,
        num_layers: int,
        num_heads: int,
        hidden_dim: int,
        intermediate_dim: int,
        embedding_dim: int = 128,
        sharing: Sharing = "all",
        num_groups: int = 1,
        num_inner_repetitions: int = 1,
        max_sequence_length: int = 512,
        num_segments: int = 2,
        hidden_dropout: float = 0.0,
        attention_dropout: float = 0.0,
        activation: str = "gelu",
        initializer_range: float = 0.02,
        layer_norm_epsilon: float = 1e-12,
        remat: bool = False,
        dtype: Any = None,
        **kwargs: Any,
    ) -> None:
        plan = sharing_plan(num_layers, sharing, num_groups, num_inner_repetitions)

        # === Layers ===
        embedding = FactorizedEmbedding(
            vocabulary_size,
            embedding_dim,
            hidden_dim,
            max_sequence_length=max_sequence_length,
            num_segments=num_segments,
            dropout=hidden_dropout,
            initializer_range=initializer_range,
            layer_norm_epsilon=layer_norm_epsilon,
            dtype=dtype,
            name="embedding",
        )
        attention_blocks = [
            SelfAttention(
                hidden_dim,
                num_heads,
                hidden_dropout=hidden_dropout,
                attention_dropout=attention_dropout,
                initializer_range=initializer_range,
                layer_norm_epsilon=layer_norm_epsilon,
                dtype=dtype,
                name=f"attention_block_{index}",
            )
            for index in sorted({attention for attention, _ in plan})
        ]
        feed_forward_blocks = [
            FeedForward(
                hidden_dim,
                intermediate_dim,
                activation=activation,
                hidden_dropout=hidden_dropout,
                initializer_range=initializer_range,
                layer_norm_epsilon=layer_norm_epsilon,
                dtype=dtype,
                name=f"feed_forward_block_{index}",
            )
            for index in sorted({feed_forward for _, feed_forward in plan})
        ]
        encoders = {
            pair: TransformerEncoder(
                attention_blocks[pair[0]],
                feed_forward_blocks[pair[1]],
                remat=remat,
                dtype=dtype,
                name=f"transformer_encoder_{index}",
            )
            for index, pair in enumerate(dict.fromkeys(plan))
        }
        pooler = keras.layers.Dense(
            hidden_dim,
            activation="tanh",
            kernel_initializer=kernel_initializer(initializer_range),
            dtype=dtype,
            name="pooler",
        )

        # === Functional model ===
        token_ids = keras.Input(shape=(None,), dtype="int32", name="token_ids")
        segment_ids = keras.Input(shape=(None,), dtype="int32", name="segment_ids")
        padding_mask = keras.Input(shape=(None,), dtype="int32", name="padding_mask")
        x = embedding(token_ids, segment_ids)
        layer_outputs = []
        for pair in plan:
            x = encoders[pair](x, padding_mask)
            layer_outputs.append(x)
        super().__init__(
            inputs={"token_ids": token_ids, "segment_ids": segment_ids, "padding_mask": padding_mask},
            outputs={"sequence_output": x, "pooled_output": pooler(x[:, 0, :])},
            dtype=dtype,
            **kwargs,
        )

        # === Config ===
        self.embedding = embedding
        self.attention_blocks = attention_blocks
        self.feed_forward_blocks = feed_forward_blocks
        self.pooler = pooler
        self.token_embedding = embedding.token_embedding
        self.layer_outputs = layer_outputs
        self.vocabulary_size = vocabulary_size
        self.num_layers = num_layers
        self.num_heads = num_heads
        self.hidden_dim = hidden_dim
        self.intermediate_dim = intermediate_dim
        self.embedding_dim = embedding_dim
        self.sharing = sharing
        self.num_groups = num_groups
        self.num_inner_repetitions = num_inner_repetitions
        self.max_sequence_length = max_sequence_length
        self.num_segments = num_segments
        self.hidden_dropout = hidden_dropout
        self.attention_dropout = attention_dropout
        self.activation = activation
        self.initializer_range = initializer_range
        self.layer_norm_epsilon = layer_norm_epsilon
        self.remat = remat

    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """Run the encoder; left-out `segment_ids` are zeros and a left-out `padding_mask` is ones.

        Raises:
            ValueError: token ids outside of the vocabulary (checked where the ids are a NumPy array or a list).
        """
        if isinstance(inputs, dict) and "token_ids" in inputs:
            if isinstance(inputs["token_ids"], list | np.ndarray):
                inputs = {**inputs, "token_ids": check_token_ids(inputs["token_ids"], self.vocabulary_size)}
            given = {name: ops.convert_to_tensor(value) for name, value in inputs.items() if value is not None}
            defaults = {"segment_ids": ops.zeros_like, "padding_mask": ops.ones_like}
            missing = {name: fill(given["token_ids"]) for name, fill in defaults.items() if name not in given}
            inputs = given | missing
        return super().__call__(inputs, *args, **kwargs)

    def feature_extractor(self) -> keras.Model:
        """Return a model on the same layers whose output `layer_outputs` lists every depth's (B, S, H)."""
        outputs = {**self.output, "layer_outputs": self.layer_outputs}
        return keras.Model(self.input, outputs, name="feature_extractor")

    def quantize(self, mode: str, **kwargs: Any) -> None:
        """Quantize kernels and tables, each shared one once; layer norms and positions stay in float.

        Args:
            mode: "int8", or another mode of `keras.Model.quantize`.
            **kwargs: see `keras.Model.quantize`.
        """
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".*does not have a `quantize` method", category=UserWarning)
            super().quantize(mode, **kwargs)

    def get_config(self) -> dict[str, Any]:
        """Return the constructor's arguments."""
        return super().get_config() | {
            "vocabulary_size": self.vocabulary_size,
            "num_layers": self.num_layers,
            "num_heads": self.num_heads,
            "hidden_dim": self.hidden_dim,
            "intermediate_dim": self.intermediate_dim,
            "embedding_dim": self.embedding_dim,
            "sharing": self.sharing,
            "num_groups": self.num_groups,
            "num_inner_repetitions": self.num_inner_repetitions,
            "max_sequence_length": self.max_sequence_length,
            "num_segments": self.num_segments,
            "hidden_dropout": self.hidden_dropout,
            "attention_dropout": self.attention_dropout,
            "activation": self.activation,
            "initializer_range": self.initializer_range,
            "layer_norm_epsilon": self.layer_norm_epsilon,
            "remat": self.remat,
        }

    def save_to_preset(self, preset_dir: str | os.PathLike[str], max_shard_size: float | None = 10) -> None:
        """Save configuration and weights in Keras's preset layout; `from_preset` loads them.

        Args:
            preset_dir: the folder; files of the same names in it are replaced, all at the end.
            max_shard_size: gigabytes of the largest weight file.

        Raises:
            OutputError: the disk is full, or nothing may be written there; then the folder is as it was.
        """
        with filled_folder(preset_dir, self) as folder:
            super().save_to_preset(str(folder), max_shard_size=max_shard_size)

    @classmethod
    def from_preset(cls, preset: str | os.PathLike[str], load_weights: bool = True, **kwargs: Any) -> "AlbertBackbone":
        """Load a backbone.

        Args:
            preset: a name (`AlbertBackbone.presets`), a directory in Keras's preset layout or in Hugging Face's, a
                Google release (directory, `.tar.gz` or checkpoint prefix), or a `hf://` or `kaggle://` handle.
            load_weights: False keeps the random initial weights.
            **kwargs: constructor arguments that replace the stored ones, such as `dtype`, `remat` or `hidden_dropout`.

        Raises:
            ValueError: an unknown preset, or a checkpoint that doesn't fit its configuration.
        """
        source = resolve(preset)
        if isinstance(source, str):
            if kwargs.get("dtype") is None and is_mixed_precision(source):
                kwargs["dtype"] = keras.config.dtype_policy()
            return super().from_preset(source, load_weights=load_weights, **kwargs)
        if load_weights and not source.has_pooler:
            warnings.warn(f"{preset} holds no weights for the pooler: random until trained.", stacklevel=2)
        return cls.from_release(source, load_weights, **kwargs)

    @classmethod
    def from_release(cls, release: Release, load_weights: bool = True, **kwargs: Any) -> "AlbertBackbone":
        """Load a backbone from a release that is open already; otherwise as `from_preset`."""
        config = release.backbone_config | kwargs
        if not load_weights:
            return cls(**config)
        with initialized_from(release) as read_into:
            backbone = cls(**config)
            read_into("backbone", backbone)
        return backbone

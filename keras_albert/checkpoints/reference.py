"""ALBERT's encoder in plain NumPy, straight from Google's variables, to check a converted model against.

Written from google-research/albert `modeling.py`, and apart from the package's layers: the two share no code.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

_LAYER_NORM_EPSILON = 1e-12  # tf.contrib.layers.layer_norm in float32; other origins may have another
_MASKED = -10000.0  # modeling.py, attention_mask adder


def _gelu(x: np.ndarray) -> np.ndarray:
    return 0.5 * x * (1.0 + np.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * x**3)))


def _gelu_erf(x: np.ndarray) -> np.ndarray:
    from scipy.special import erf  # here, since few models need it

    return 0.5 * x * (1.0 + erf(x / math.sqrt(2.0)))


_ACTIVATIONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "linear": lambda x: x,
    "relu": lambda x: np.maximum(x, 0.0),
    "gelu": _gelu,
    "gelu_erf": _gelu_erf,
    "tanh": np.tanh,
}


class _Scope:
    """The variables below one name, with the two layers that are built from them."""

    def __init__(
        self,
        read: Callable[[str], np.ndarray],
        name: str,
        dtype: DTypeLike,
        epsilon: float = _LAYER_NORM_EPSILON,
    ) -> None:
        self._read, self._name, self._dtype, self._epsilon = read, name, dtype, epsilon
        self._kept: dict[str, np.ndarray] = {}

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._kept:
            self._kept[name] = self._read(f"{self._name}/{name}").astype(self._dtype)
        return self._kept[name]

    def dense(self, name: str, x: np.ndarray) -> np.ndarray:
        return x @ self[f"{name}/kernel"] + self[f"{name}/bias"]

    def layer_norm(self, name: str, x: np.ndarray) -> np.ndarray:
        centered = x - x.mean(-1, keepdims=True)
        deviation = np.sqrt((centered**2).mean(-1, keepdims=True) + self._epsilon)
        return centered / deviation * self[f"{name}/gamma"] + self[f"{name}/beta"]


def reference_outputs(
    read: Callable[[str], np.ndarray],
    backbone_config: Mapping[str, Any],
    token_ids: np.ndarray,
    segment_ids: np.ndarray | None = None,
    padding_mask: np.ndarray | None = None,
    dtype: DTypeLike = "float64",
) -> dict[str, Any]:
    """Computes what the encoder gives at inference, dropout off.

    Args:
        read: Returns the array of one of Google's names, e.g. `GoogleCheckpoint.read`.
        backbone_config: Constructor arguments of the backbone.
        token_ids: int (B, S).
        segment_ids: int (B, S); zeros if left out.
        padding_mask: (B, S), 1 for a real token and 0 for padding; ones if left out.
        dtype: What to compute in, float32 or float64.

    Returns:
        `embedding_output` (B, S, E), before the projection; `layers`, one (B, S, H) for every block in order;
        `sequence_output` (B, S, H); `pooled_output` (B, H).
    """
    epsilon = backbone_config.get("layer_norm_epsilon", _LAYER_NORM_EPSILON)
    x = embedding = _embed(_Scope(read, "bert/embeddings", dtype, epsilon), token_ids, segment_ids)
    if backbone_config["embedding_dim"] != backbone_config["hidden_dim"]:
        x = _Scope(read, "bert/encoder", dtype).dense("embedding_hidden_mapping_in", x)
    mask = np.ones(token_ids.shape) if padding_mask is None else np.asarray(padding_mask)
    adder = ((1.0 - mask.astype(dtype)) * _MASKED).astype(dtype)[:, None, None, :]  # (B, 1, 1, S)
    num_layers, num_groups = backbone_config["num_layers"], backbone_config["num_groups"]
    layers: list[np.ndarray] = []
    blocks: list[_Scope] = []
    entered = None
    for layer in range(num_layers):
        group = layer * num_groups // num_layers
        if group != entered:  # only one group's arrays are held at a time
            names = [f"inner_group_{inner}" for inner in range(backbone_config["num_inner_repetitions"])]
            scopes = [f"bert/encoder/transformer/group_{group}/{name}" for name in names]
            blocks = [_Scope(read, scope, dtype, epsilon) for scope in scopes]
            entered = group
        for block in blocks:
            x = _block(block, x, adder, backbone_config)
            layers.append(x)
    pooled = np.tanh(_Scope(read, "bert/pooler", dtype).dense("dense", x[:, 0]))
    return {"embedding_output": embedding, "layers": layers, "sequence_output": x, "pooled_output": pooled}


def _embed(scope: _Scope, token_ids: np.ndarray, segment_ids: np.ndarray | None) -> np.ndarray:
    segments = np.zeros_like(token_ids) if segment_ids is None else segment_ids
    positions = scope["position_embeddings"][: token_ids.shape[1]]  # (S, E)
    summed = scope["word_embeddings"][token_ids] + scope["token_type_embeddings"][segments] + positions
    return scope.layer_norm("LayerNorm", summed)


def _block(scope: _Scope, x: np.ndarray, adder: np.ndarray, backbone_config: Mapping[str, Any]) -> np.ndarray:
    """Attention and feed-forward, each added to its input and then normalized."""
    batch, length, hidden_dim = x.shape
    num_heads = backbone_config["num_heads"]

    def heads(name: str) -> np.ndarray:
        projected = scope.dense(f"attention_1/self/{name}", x)
        return projected.reshape(batch, length, num_heads, hidden_dim // num_heads).transpose(0, 2, 1, 3)

    scores = heads("query") @ heads("key").transpose(0, 1, 3, 2) / math.sqrt(hidden_dim // num_heads) + adder
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    context = (weights @ heads("value")).transpose(0, 2, 1, 3).reshape(batch, length, hidden_dim)
    attended = scope.layer_norm("LayerNorm", x + scope.dense("attention_1/output/dense", context))
    activation = _ACTIVATIONS[backbone_config["activation"]]
    intermediate = activation(scope.dense("ffn_1/intermediate/dense", attended))
    return scope.layer_norm("LayerNorm_1", attended + scope.dense("ffn_1/intermediate/output/dense", intermediate))

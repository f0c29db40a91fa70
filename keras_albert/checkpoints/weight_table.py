"""The one table of ALBERT's weights: where each lies in the model, what Google's checkpoints call it, its shape.

Names follow the variable scopes of google-research/albert `modeling.py`, `run_pretraining.py`, `classifier_utils.py`.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

PARTS = ("backbone", "masked_lm_head", "sentence_order_head", "classifier_head")


@dataclass(frozen=True)
class WeightRow:
    """One weight of the model, in every notation.

    Args:
        part: The object that owns the weight, one of `PARTS`.
        path: Attributes and list indexes from that object to its variable, joined by slashes.
        google: The variable's name in Google's TF1 checkpoints.
        shape: The variable's shape; a word stands for the configuration's value of that name.
        transposed: Whether Google's array is the transpose of the variable.
    """

    part: str
    path: str
    google: str
    shape: tuple[str | int, ...]
    transposed: bool = False

    def variable_shape(self, sizes: Mapping[str, Any]) -> tuple[int, ...]:
        """The shape in the model, with every word of `shape` looked up in `sizes`."""
        return tuple(word if isinstance(word, int) else int(sizes[word]) for word in self.shape)

    def google_shape(self, sizes: Mapping[str, Any]) -> tuple[int, ...]:
        """The shape in Google's checkpoint, with every word of `shape` looked up in `sizes`."""
        shape = self.variable_shape(sizes)
        return shape[::-1] if self.transposed else shape

    @property
    def google_words(self) -> tuple[str | int, ...]:
        """`shape` in the order of Google's axes."""
        return self.shape[::-1] if self.transposed else self.shape


def weight_table(num_groups: int, num_inner_repetitions: int, has_projection: bool) -> list[WeightRow]:
    """Lists every weight of the backbone and of the heads.

    Args:
        num_groups: How many groups of layers share weights, at least 1.
        num_inner_repetitions: How many blocks a group holds, at least 1.
        has_projection: Whether the embedding is projected, that is whether `embedding_dim != hidden_dim`.

    Returns:
        The rows in the order of computation: backbone, masked LM head, sentence-order head, classifier head.

    Example:

    >>> [row.path for row in weight_table(1, 1, has_projection=False)[-2:]]
    ['kernel', 'bias']
    """
    rows = _embedding_rows(has_projection)
    for group, inner in product(range(num_groups), range(num_inner_repetitions)):
        rows += _block_rows(group * num_inner_repetitions + inner, group, inner)
    rows += _dense_rows("backbone", "pooler", "bert/pooler/dense", "hidden_dim", "hidden_dim")
    return rows + _masked_lm_rows() + _sentence_order_rows() + _classifier_rows()


def table_for(backbone_config: Mapping[str, Any]) -> list[WeightRow]:
    """The weight table of a configuration.

    Args:
        backbone_config: Constructor arguments of the backbone.

    Returns:
        The rows of `weight_table`.

    Raises:
        ValueError: If the configuration shares weights in a way that Google's checkpoints cannot hold.
    """
    sharing = backbone_config.get("sharing", "all")
    if sharing != "all":
        raise ValueError(
            "Google's checkpoint layout holds one attention and one feed-forward block per group: it needs "
            f"`sharing='all'`. Received: sharing={sharing!r}"
        )
    return weight_table(
        backbone_config["num_groups"],
        backbone_config["num_inner_repetitions"],
        has_projection=backbone_config["embedding_dim"] != backbone_config["hidden_dim"],
    )


def parameter_count(backbone_config: Mapping[str, Any], part: str = "backbone", num_classes: int = 2) -> int:
    """Counts the parameters of a part from the configuration alone.

    Args:
        backbone_config: Constructor arguments of the backbone.
        part: One of `PARTS`. The masked LM head is counted without the token table, which belongs to the backbone.
        num_classes: Width of the classifier head.

    Returns:
        The number of single weights.
    """
    sizes = {**backbone_config, "num_classes": num_classes}
    return sum(math.prod(row.variable_shape(sizes)) for row in table_for(backbone_config) if row.part == part)


def _dense_rows(part: str, path: str, google: str, width_in: str, width_out: str) -> list[WeightRow]:
    return [
        WeightRow(part, f"{path}/kernel", f"{google}/kernel", (width_in, width_out)),
        WeightRow(part, f"{path}/bias", f"{google}/bias", (width_out,)),
    ]


def _layer_norm_rows(part: str, path: str, google: str, width: str) -> list[WeightRow]:
    return [WeightRow(part, f"{path}/{name}", f"{google}/{name}", (width,)) for name in ("gamma", "beta")]


def _embedding_rows(has_projection: bool) -> list[WeightRow]:
    google = "bert/embeddings"
    tables = [
        ("token_embedding/embeddings", "word_embeddings", "vocabulary_size"),
        ("segment_embedding/embeddings", "token_type_embeddings", "num_segments"),
        ("position_embedding", "position_embeddings", "max_sequence_length"),
    ]
    rows = [
        WeightRow("backbone", f"embedding/{path}", f"{google}/{name}", (size, "embedding_dim"))
        for path, name, size in tables
    ]
    rows += _layer_norm_rows("backbone", "embedding/layer_norm", f"{google}/LayerNorm", "embedding_dim")
    if has_projection:
        mapping = "bert/encoder/embedding_hidden_mapping_in"
        rows += _dense_rows("backbone", "embedding/projection", mapping, "embedding_dim", "hidden_dim")
    return rows


def _block_rows(index: int, group: int, inner: int) -> list[WeightRow]:
    google = f"bert/encoder/transformer/group_{group}/inner_group_{inner}"
    attention, feed_forward = f"attention_blocks/{index}", f"feed_forward_blocks/{index}"
    denses = [
        (f"{attention}/query", "attention_1/self/query", "hidden_dim", "hidden_dim"),
        (f"{attention}/key", "attention_1/self/key", "hidden_dim", "hidden_dim"),
        (f"{attention}/value", "attention_1/self/value", "hidden_dim", "hidden_dim"),
        (f"{attention}/output_projection", "attention_1/output/dense", "hidden_dim", "hidden_dim"),
        (f"{feed_forward}/intermediate", "ffn_1/intermediate/dense", "hidden_dim", "intermediate_dim"),
        (f"{feed_forward}/output_projection", "ffn_1/intermediate/output/dense", "intermediate_dim", "hidden_dim"),
    ]
    rows: list[WeightRow] = []
    for path, name, width_in, width_out in denses:
        rows += _dense_rows("backbone", path, f"{google}/{name}", width_in, width_out)
    rows += _layer_norm_rows("backbone", f"{attention}/layer_norm", f"{google}/LayerNorm", "hidden_dim")
    rows += _layer_norm_rows("backbone", f"{feed_forward}/layer_norm", f"{google}/LayerNorm_1", "hidden_dim")
    return rows


def _masked_lm_rows() -> list[WeightRow]:
    part, google = "masked_lm_head", "cls/predictions"
    rows = _dense_rows(part, "transform", f"{google}/transform/dense", "hidden_dim", "embedding_dim")
    rows += _layer_norm_rows(part, "layer_norm", f"{google}/transform/LayerNorm", "embedding_dim")
    return [*rows, WeightRow(part, "output_bias", f"{google}/output_bias", ("vocabulary_size",))]


def _sentence_order_rows() -> list[WeightRow]:
    part, google = "sentence_order_head", "cls/seq_relationship"
    return [
        WeightRow(part, "kernel", f"{google}/output_weights", ("hidden_dim", 2), transposed=True),
        WeightRow(part, "bias", f"{google}/output_bias", (2,)),
    ]


def _classifier_rows() -> list[WeightRow]:
    part = "classifier_head"
    return [
        WeightRow(part, "kernel", "output_weights", ("hidden_dim", "num_classes"), transposed=True),
        WeightRow(part, "bias", "output_bias", ("num_classes",)),
    ]

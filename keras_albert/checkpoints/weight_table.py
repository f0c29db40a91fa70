"""The one table of ALBERT's weights: where each lies in the model, what checkpoints call it, its shape.

Names follow the variable scopes of google-research/albert `modeling.py` and the modules of transformers'
`modeling_albert.py`.
"""

import math
from collections.abc import Mapping
from itertools import product
from typing import Any

from keras_albert.checkpoints.head_rows import head_rows
from keras_albert.checkpoints.weight_row import WeightRow, dense_rows, layer_norm_rows

PARTS = (
    "backbone",
    "masked_lm_head",
    "sentence_order_head",
    "classifier_head",
    "tag_head",
    "span_head",
    "verifier_head",
)


def weight_table(num_groups: int, num_inner_repetitions: int, has_projection: bool) -> list[WeightRow]:
    """Lists every weight of the backbone and of the heads.

    Args:
        num_groups: How many groups of layers share weights, at least 1.
        num_inner_repetitions: How many blocks a group holds, at least 1.
        has_projection: Whether the embedding is projected, that is whether `embedding_dim != hidden_dim`.

    Returns:
        The rows in the order of computation: the backbone's, then the heads' in the order of `PARTS`.

    Example:

    >>> [row.path for row in weight_table(1, 1, has_projection=False)][:2]
    ['embedding/token_embedding/embeddings', 'embedding/segment_embedding/embeddings']
    """
    rows = _embedding_rows(has_projection)
    for group, inner in product(range(num_groups), range(num_inner_repetitions)):
        rows += _block_rows(group * num_inner_repetitions + inner, group, inner)
    rows += dense_rows("backbone", "pooler", "bert/pooler/dense", "albert.pooler", "hidden_dim", "hidden_dim")
    return rows + head_rows()


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


def _embedding_rows(has_projection: bool) -> list[WeightRow]:
    part, google, hugging_face = "backbone", "bert/embeddings", "albert.embeddings"
    tables = [
        ("token_embedding/embeddings", "word_embeddings", "vocabulary_size"),
        ("segment_embedding/embeddings", "token_type_embeddings", "num_segments"),
        ("position_embedding", "position_embeddings", "max_sequence_length"),
    ]
    rows = [
        WeightRow(
            part, f"embedding/{path}", f"{google}/{name}", f"{hugging_face}.{name}.weight", (size, "embedding_dim")
        )
        for path, name, size in tables
    ]
    rows += layer_norm_rows(
        part, "embedding/layer_norm", f"{google}/LayerNorm", f"{hugging_face}.LayerNorm", "embedding_dim"
    )
    if has_projection:
        mapping = "embedding_hidden_mapping_in"
        rows += dense_rows(
            part,
            "embedding/projection",
            f"bert/encoder/{mapping}",
            f"albert.encoder.{mapping}",
            "embedding_dim",
            "hidden_dim",
        )
    return rows


def _block_rows(index: int, group: int, inner: int) -> list[WeightRow]:
    google = f"bert/encoder/transformer/group_{group}/inner_group_{inner}"
    hugging_face = f"albert.encoder.albert_layer_groups.{group}.albert_layers.{inner}"
    attention, feed_forward = f"attention_blocks/{index}", f"feed_forward_blocks/{index}"
    output, intermediate, width = "output_projection", "intermediate_dim", "hidden_dim"
    denses = [
        (f"{attention}/query", "attention_1/self/query", "attention.query", width, width),
        (f"{attention}/key", "attention_1/self/key", "attention.key", width, width),
        (f"{attention}/value", "attention_1/self/value", "attention.value", width, width),
        (f"{attention}/{output}", "attention_1/output/dense", "attention.dense", width, width),
        (f"{feed_forward}/intermediate", "ffn_1/intermediate/dense", "ffn", width, intermediate),
        (f"{feed_forward}/{output}", "ffn_1/intermediate/output/dense", "ffn_output", intermediate, width),
    ]
    layer_norms = [
        (attention, "LayerNorm", "attention.LayerNorm"),
        (feed_forward, "LayerNorm_1", "full_layer_layer_norm"),
    ]
    rows: list[WeightRow] = []
    for path, name, theirs, width_in, width_out in denses:
        rows += dense_rows("backbone", path, f"{google}/{name}", f"{hugging_face}.{theirs}", width_in, width_out)
    for path, name, theirs in layer_norms:
        rows += layer_norm_rows("backbone", f"{path}/layer_norm", f"{google}/{name}", f"{hugging_face}.{theirs}", width)
    return rows

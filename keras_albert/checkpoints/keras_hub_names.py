"""What keras_hub's ALBERT calls the weights of the table: `AlbertBackbone`, `AlbertMaskedLM`, `AlbertTextClassifier`.

Its arrays have the axes of ours, with heads as an axis of their own in attention: a reshape leads from one to the
other.
"""

import re

from keras_albert.checkpoints.weight_row import WeightRow

_PLACES = {
    "backbone": {
        "embedding/token_embedding/": "token_embedding/",
        "embedding/segment_embedding/": "segment_embedding/",
        "embedding/position_embedding": "position_embedding/embeddings",
        "embedding/layer_norm/": "embeddings_layer_norm/",
        "embedding/projection/": "embedding_projection/",
        "pooler/": "pooled_dense/",
    },
    "masked_lm_head": {
        "transform/": "mlm_head/intermediate_dense/",
        "layer_norm/": "mlm_head/intermediate_layer_norm/",
        "output_bias": "mlm_head/output_bias",
    },
    "classifier_head": {"": "logits/"},
}
_BLOCKS = {
    "attention_blocks/query/": "self_attention_layer/query/",
    "attention_blocks/key/": "self_attention_layer/key/",
    "attention_blocks/value/": "self_attention_layer/value/",
    "attention_blocks/output_projection/": "self_attention_layer/attention_output/",
    "attention_blocks/layer_norm/": "self_attention_layer_norm/",
    "feed_forward_blocks/intermediate/": "feedforward_intermediate_dense/",
    "feed_forward_blocks/output_projection/": "feedforward_output_dense/",
    "feed_forward_blocks/layer_norm/": "feedforward_layer_norm/",
}
_BLOCK = re.compile(r"(attention_blocks|feed_forward_blocks)/\d+/")
_GROUP = re.compile(r"/group_(\d+)/inner_group_(\d+)/")


def keras_hub_path(row: WeightRow) -> str | None:
    """The path of a weight in keras_hub's models; `None` if they have none.

    Args:
        row: A row of the weight table.

    Returns:
        The path of the Keras variable.

    Example:

    >>> from keras_albert.checkpoints.weight_table import weight_table
    >>> keras_hub_path(weight_table(1, 1, has_projection=True)[7])
    'group_0_inner_layer_0/self_attention_layer/query/kernel'
    """
    path, places, scope = row.path, _PLACES.get(row.part, {}), ""
    block = _BLOCK.match(path)
    if row.part == "backbone" and block:
        group = _GROUP.search(row.google)
        scope = f"group_{group[1]}_inner_layer_{group[2]}/" if group else ""
        path, places = _BLOCK.sub(r"\1/", path), _BLOCKS
    for ours, theirs in places.items():
        if path.startswith(ours):
            return scope + theirs + path.removeprefix(ours)
    return None

"""Writing a preset of keras_hub's own ALBERT, by keras_hub itself."""

from pathlib import Path
from typing import Any

import keras_hub
import numpy as np

from keras_albert.checkpoints import keras_hub_path
from keras_albert.conversion.source import Source
from keras_albert.text import AlbertTokenizer

_EPSILON, _HEAD_EPSILON = 1e-12, 1e-5  # of its encoder's layer norms, of its masked LM head's
_SIZES = (
    "vocabulary_size",
    "num_layers",
    "num_heads",
    "embedding_dim",
    "hidden_dim",
    "intermediate_dim",
    "num_groups",
    "num_inner_repetitions",
    "max_sequence_length",
    "num_segments",
)


def refusals(source: Source) -> dict[str, str]:
    """Return what keras_hub's ALBERT has no place for, with the reason."""
    found: dict[str, str] = {}
    config, head = source.backbone_config, source.head
    if config["activation"] != "gelu":
        found["activation"] = f"it is {config['activation']}, and keras_hub's ALBERT knows gelu in its tanh form only"
    if config.get("layer_norm_epsilon", _EPSILON) != _EPSILON:
        found["layer_norm_epsilon"] = f"it is {_EPSILON} in keras_hub's ALBERT"
    if config["attention_dropout"] != config["hidden_dropout"]:
        found["attention_dropout"] = "keras_hub's ALBERT has one rate for both dropouts"
    if not source.has_pooler:
        found["pooler"] = "keras_hub's ALBERT has one, and this model has none"
    found |= dict.fromkeys(
        sorted(source.heads - {"classifier_head", "masked_lm_head"}), "keras_hub's ALBERT has no such head"
    )
    if "masked_lm_head" in source.heads and (head is None or head.layer_norm_epsilon != _HEAD_EPSILON):
        found["masked_lm_head"] = f"the epsilon of its layer norm is {_HEAD_EPSILON} in keras_hub's"
    if head is not None and head.name in ("regressor_head", "choice_head"):
        found["classifier_head"] = f"it is a {head.name}, and keras_hub's ALBERT only classifies"
    if head is not None and head.class_names is not None:
        found["class_names"] = "keras_hub's classifier gives numbers"
    if head is not None and head.is_multi_label:
        found["multi_label"] = "keras_hub's classifier is for one class a text"
    if source.tokenizer is not None and not isinstance(source.tokenizer, AlbertTokenizer):
        found["tokenizer"] = "keras_hub's ALBERT has no WordPiece"
    elif source.tokenizer is not None and source.tokenizer.lowercase:
        found["lowercase"] = "keras_hub's tokenizer takes texts as they are: they have to be lower-cased before"
    return found


def write(source: Source, folder: Path, dtype: str) -> None:
    """Write the preset.

    Args:
        source: the model.
        folder: an empty folder.
        dtype: what to store the weights in.
    """
    config, head = source.backbone_config, source.head
    sizes = {word: config[word] for word in _SIZES}
    backbone = keras_hub.models.AlbertBackbone(**sizes, dropout=config["hidden_dropout"], dtype=dtype)
    tokenizer: Any = None
    if source.tokenizer is not None:
        tokenizer = keras_hub.models.AlbertTokenizer(proto=source.tokenizer._vocabulary_source())
    model: Any = backbone
    if "classifier_head" in source.heads:
        preprocessor = tokenizer and keras_hub.models.AlbertTextClassifierPreprocessor(
            tokenizer, sequence_length=config["max_sequence_length"]
        )
        rate = 0.1 if head is None or head.dropout is None else head.dropout
        model = keras_hub.models.AlbertTextClassifier(backbone, source.num_classes, preprocessor, dropout=rate)
    elif "masked_lm_head" in source.heads:
        preprocessor = tokenizer and keras_hub.models.AlbertMaskedLMPreprocessor(
            tokenizer, sequence_length=config["max_sequence_length"]
        )
        model = keras_hub.models.AlbertMaskedLM(backbone, preprocessor)
    variables = {variable.path: variable for variable in model.variables}
    for row, array in source.arrays(dtype):
        path = keras_hub_path(row)
        assert path is not None, row
        array = array.T if row.transposed else array
        variables[path].assign(array.astype("float32").reshape(variables[path].shape))
    if config["embedding_dim"] == config["hidden_dim"]:
        # There is a projection there whatever the sizes: one that changes nothing.
        variables["embedding_projection/kernel"].assign(np.eye(config["hidden_dim"], dtype="float32"))
        variables["embedding_projection/bias"].assign(np.zeros(config["hidden_dim"], "float32"))
    model.save_to_preset(str(folder))
    if model is backbone and tokenizer is not None:
        tokenizer.save_to_preset(str(folder))

"""Reading and writing Hugging Face's `config.json` of an ALBERT, in the package's own words.

Keys and defaults follow `AlbertConfig` in transformers' `configuration_albert.py`; `gelu` there is the erf form and
`gelu_new` Google's.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from keras_albert.checkpoints.google_config import parse_google_config, to_google_config
from keras_albert.checkpoints.task_head import TaskHead

# Hugging Face's name -> the package's.
_ACTIVATIONS = {
    "gelu_new": "gelu",
    "gelu_pytorch_tanh": "gelu",
    "gelu": "gelu_erf",
    "gelu_python": "gelu_erf",
    "relu": "relu",
    "tanh": "tanh",
    "linear": "linear",
}
_DEFAULTS = {"vocab_size": 30000, "hidden_act": "gelu_new"}
_EPSILON, _HEAD_DROPOUT = 1e-12, 0.1
# Classes of transformers' modeling_albert.py -> the head that each is for; None is the bare encoder.
ARCHITECTURES = {
    "AlbertModel": None,
    "AlbertForPreTraining": "sentence_order_head",
    "AlbertForMaskedLM": "masked_lm_head",
    "AlbertForSequenceClassification": "classifier_head",
    "AlbertForTokenClassification": "tag_head",
    "AlbertForQuestionAnswering": "span_head",
    "AlbertForMultipleChoice": "choice_head",
}
_NAMED_HEADS = ("classifier_head", "regressor_head", "tag_head")
# Keys that say nothing of the encoder: how the file was written, generation, and what the head is.
_SET_ASIDE = {
    "model_type",
    "architectures",
    "layer_norm_eps",
    "classifier_dropout_prob",
    "id2label",
    "label2id",
    "num_labels",
    "problem_type",
    "pad_token_id",
    "bos_token_id",
    "eos_token_id",
    "torch_dtype",
    "dtype",
    "transformers_version",
    "tie_word_embeddings",
    "_name_or_path",
}


@dataclass(frozen=True)
class HuggingFaceConfig:
    """A `config.json`.

    Args:
        backbone: Constructor arguments of the backbone.
        head: The task that the model was saved for; `None` for a bare encoder, or if the file does not say.
        names_architecture: Whether the file says which class of transformers the model is.
        unknown: Keys that the model does not obey, with their values, as they stood in the file.
        defaulted: Names of the keys that the file lacked; they hold the defaults of transformers, those of xxlarge.
        notes: What was decided, and why.
    """

    backbone: dict[str, Any]
    head: TaskHead | None
    names_architecture: bool
    unknown: dict[str, Any]
    defaulted: tuple[str, ...]
    notes: tuple[str, ...]


def read_hugging_face_config(path: str | Path) -> HuggingFaceConfig:
    """Reads a `config.json`.

    Args:
        path: The file.

    Returns:
        The configuration in the package's words.

    Raises:
        ValueError: If the file is not a JSON object or not an ALBERT's, or if a value has the wrong type, is out of its
            range or does not go with the others. The message names the file and the key.
    """
    path = Path(path)
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"Expected a JSON file with a model's configuration in {path}, but {error}.") from error
    return parse_hugging_face_config(content, str(path))


def parse_hugging_face_config(content: Any, origin: str = "the configuration") -> HuggingFaceConfig:
    """Translates the content of a `config.json`.

    Args:
        content: The decoded JSON.
        origin: Where it came from, for error messages.

    Returns:
        The configuration in the package's words.

    Raises:
        ValueError: As `read_hugging_face_config`.

    Example:

    >>> config = parse_hugging_face_config({"model_type": "albert", "hidden_act": "gelu", "vocab_size": 100})
    >>> config.backbone["activation"], config.backbone["vocabulary_size"], config.notes[0]
    ('gelu_erf', 100, "activation gelu_erf: Hugging Face's 'gelu' is the erf form")
    """
    if not isinstance(content, dict):
        raise ValueError(f"Expected a JSON object in {origin}. Received: {type(content).__name__}")
    if content.get("model_type", "albert") != "albert":
        raise ValueError(
            f"Expected the configuration of an ALBERT in {origin}. Received: model_type={content['model_type']!r}, "
            "another architecture, whose weights do not fit."
        )
    encoder = {key: value for key, value in content.items() if key not in _SET_ASIDE}
    theirs = encoder.get("hidden_act", _DEFAULTS["hidden_act"])
    if theirs not in _ACTIVATIONS:
        raise ValueError(
            f"Expected one of {list(_ACTIVATIONS)} for 'hidden_act' in {origin}. Received: hidden_act={theirs!r}"
        )
    # The form of gelu is set below: Google's configuration knows one.
    config = parse_google_config({**_DEFAULTS, **encoder, "hidden_act": _ACTIVATIONS[theirs].split("_")[0]}, origin)
    backbone = config.backbone | {
        "activation": _ACTIVATIONS[theirs],
        "layer_norm_epsilon": _epsilon(content.get("layer_norm_eps", _EPSILON), origin),
    }
    check_groups(backbone, origin)
    notes = []
    if _ACTIVATIONS[theirs].startswith("gelu"):
        form = "the erf form" if _ACTIVATIONS[theirs] == "gelu_erf" else "the tanh form, which is Google's 'gelu'"
        notes.append(f"activation {_ACTIVATIONS[theirs]}: Hugging Face's {theirs!r} is {form}")
    if backbone["layer_norm_epsilon"] != _EPSILON:
        notes.append(f"layer_norm_epsilon {backbone['layer_norm_epsilon']}: from 'layer_norm_eps'")
    head, names_architecture = _head(content, origin)
    defaulted = (*config.defaulted, *(key for key in _DEFAULTS if key not in content))
    return HuggingFaceConfig(backbone, head, names_architecture, config.unknown, defaulted, tuple(notes))


def to_hugging_face_config(
    backbone_config: Mapping[str, Any], head: TaskHead | None, num_classes: int | None = None
) -> dict[str, Any]:
    """Translates a backbone's configuration and a head to the content of a `config.json`.

    Args:
        backbone_config: Constructor arguments of the backbone.
        head: The head that is written with it; `None` for a bare encoder.
        num_classes: Width of a classifier's, regressor's or tag head.

    Returns:
        A dictionary of Hugging Face's keys, ready for `json.dump`.

    Raises:
        ValueError: If transformers' ALBERT computes something else for the configuration, or knows no such head.
    """
    theirs = {ours: theirs for theirs, ours in reversed(_ACTIVATIONS.items())}[backbone_config["activation"]]
    plain = {**backbone_config, "activation": "gelu" if "gelu" in theirs else backbone_config["activation"]}
    check_groups(backbone_config, "the backbone's configuration")
    content = to_google_config(plain) | {
        "hidden_act": theirs,
        "layer_norm_eps": backbone_config.get("layer_norm_epsilon", _EPSILON),
        "model_type": "albert",
        "architectures": [_architecture(head)],
    }
    if head is None:
        return content
    if head.dropout is not None:
        content["classifier_dropout_prob"] = head.dropout
    if head.name in _NAMED_HEADS:
        names = head.class_names or _default_names(num_classes or 1)
        content["id2label"] = {str(number): name for number, name in enumerate(names)}
        content["label2id"] = {name: number for number, name in enumerate(names)}
    if head.name == "regressor_head":
        content["problem_type"] = "regression"
    elif head.name == "classifier_head":
        content["problem_type"] = f"{'multi' if head.is_multi_label else 'single'}_label_classification"
    return content


def check_groups(backbone: Mapping[str, Any], origin: str) -> None:
    """Checks that transformers' code, which divides in floating point, visits the groups as Google's does.

    Raises:
        ValueError: If a layer belongs to another group there.
    """
    num_layers, num_groups = backbone["num_layers"], backbone["num_groups"]
    for layer in range(num_layers):
        theirs, ours = int(layer / (num_layers / num_groups)), layer * num_groups // num_layers
        if theirs != ours:
            raise ValueError(
                f"transformers computes layer {layer} of {num_layers} with group {theirs} of {num_groups}, Google's "
                f"code with group {ours}: no conversion keeps the outputs. Received: num_hidden_layers={num_layers}, "
                f"num_hidden_groups={num_groups} in {origin}"
            )


def _architecture(head: TaskHead | None) -> str:
    name = None if head is None else head.name
    name = "classifier_head" if name == "regressor_head" else name
    for architecture, known in ARCHITECTURES.items():
        if known == name:
            return architecture
    raise ValueError(f"transformers' ALBERT has no such head. Received: {name!r}")


def _head(content: Mapping[str, Any], origin: str) -> tuple[TaskHead | None, bool]:
    architectures = content.get("architectures") or []
    known = [name for name in architectures if name in ARCHITECTURES] if isinstance(architectures, list) else []
    name = ARCHITECTURES[known[0]] if known else None
    if name is None and not known:
        name = "classifier_head"  # what its weights are for is found out from the pooler; the labels are the same
    if name is None:
        return None, True
    names = _class_names(content, origin)
    problem = content.get("problem_type")
    count = len(names) if names else content.get("num_labels", 2)
    if name == "classifier_head" and problem != "multi_label_classification":
        name = "regressor_head" if problem == "regression" or count == 1 else name
    dropout = content.get("classifier_dropout_prob", _HEAD_DROPOUT)
    if dropout is None:
        dropout = content.get("hidden_dropout_prob", 0.0)
    has_names = name in _NAMED_HEADS and names != _default_names(count)
    return (
        TaskHead(
            name,
            class_names=names if has_names else None,
            dropout=dropout if isinstance(dropout, int | float) and 0 <= dropout < 1 else None,
            is_multi_label=problem == "multi_label_classification",
        ),
        bool(known),
    )


def _class_names(content: Mapping[str, Any], origin: str) -> tuple[str, ...] | None:
    labels = content.get("id2label")
    if not labels:
        return None
    try:
        numbered = {int(number): str(name) for number, name in labels.items()}
    except (AttributeError, ValueError) as error:
        raise ValueError(
            f"Expected a name for each class number in 'id2label' in {origin}. Received: id2label={labels!r:.200}"
        ) from error
    if sorted(numbered) != list(range(len(numbered))):
        raise ValueError(f"Expected class numbers from 0 in 'id2label' in {origin}. Received: {sorted(numbered)}")
    return tuple(numbered[number] for number in range(len(numbered)))


def _default_names(count: int) -> tuple[str, ...]:
    return tuple(f"LABEL_{number}" for number in range(count))


def _epsilon(value: Any, origin: str) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value < 1:
        raise ValueError(f"Expected a small number as 'layer_norm_eps' in {origin}. Received: layer_norm_eps={value!r}")
    return float(value)

"""Reading and writing `albert_config.json`, in the package's own words.

Keys and defaults follow `AlbertConfig` in google-research/albert `modeling.py`.
"""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# Google's names (modeling.py, get_activation). Its gelu is the tanh form; an empty name means no activation.
ACTIVATIONS = ("linear", "relu", "gelu", "tanh")


@dataclass(frozen=True)
class GoogleConfig:
    """A configuration as Google ships it.

    Args:
        backbone: Constructor arguments of the backbone.
        unknown: Keys that the model does not obey, with their values, as they stood in the file.
        defaulted: Google's names of the keys that the file lacked; they hold Google's defaults, those of xxlarge.
    """

    backbone: dict[str, Any]
    unknown: dict[str, Any]
    defaulted: tuple[str, ...]


def read_google_config(path: str | Path) -> GoogleConfig:
    """Reads an `albert_config.json`.

    Args:
        path: The file.

    Returns:
        The configuration in the package's words.

    Raises:
        ValueError: If the file is not a JSON object, or if a value has the wrong type, is out of its range or does not
            go with the others. The message names the file and the key.
    """
    path = Path(path)
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"Expected a JSON file with a model's configuration in {path}, but {error}.") from error
    return parse_google_config(content, str(path))


def parse_google_config(content: Any, origin: str = "the configuration") -> GoogleConfig:
    """Translates the content of an `albert_config.json`.

    Args:
        content: The decoded JSON.
        origin: Where it came from, for error messages.

    Returns:
        The configuration in the package's words.

    Raises:
        ValueError: As `read_google_config`.

    Example:

    >>> config = parse_google_config({"vocab_size": 1000, "hidden_act": "relu", "gap_size": 0})
    >>> config.backbone["activation"], config.backbone["hidden_dim"], config.unknown
    ('relu', 4096, {'gap_size': 0})
    """
    if not isinstance(content, dict):
        raise ValueError(f"Expected a JSON object in {origin}. Received: {type(content).__name__}")
    if "vocab_size" not in content:
        raise ValueError(f"Expected the key 'vocab_size' in {origin}: it has no default. Received: {sorted(content)}")
    backbone: dict[str, Any] = {}
    defaulted = []
    for key, (word, check, default) in _KEYS.items():
        if key not in content:
            defaulted.append(key)
        backbone[word] = check(key, content.get(key, default), origin)
    _check_together(backbone, origin)
    backbone["sharing"] = "all"
    unknown = {key: value for key, value in content.items() if key not in _KEYS}
    return GoogleConfig(backbone, unknown, tuple(defaulted))


def to_google_config(backbone_config: Mapping[str, Any], unknown: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Translates a backbone's configuration to the content of an `albert_config.json`.

    Args:
        backbone_config: Constructor arguments of the backbone; others beside them (`name`, `dtype`) are left out.
        unknown: Further keys to write as they are, e.g. `GoogleConfig.unknown`.

    Returns:
        A dictionary of Google's keys, ready for `json.dump`.

    Raises:
        ValueError: If an argument is missing, or if Google's code has no word for its value.

    Example:

    >>> to_google_config(parse_google_config({"vocab_size": 1000}).backbone)["hidden_act"]
    'gelu'
    """
    missing = [word for word, _, _ in _KEYS.values() if word not in backbone_config]
    if missing:
        raise ValueError(f"Expected every argument of the backbone. Missing: {missing}")
    sharing = backbone_config.get("sharing", "all")
    if sharing != "all":
        raise ValueError(f"Google's configuration knows only `sharing='all'`. Received: sharing={sharing!r}")
    content = {key: backbone_config[word] for key, (word, _, _) in _KEYS.items()}
    parse_google_config(content, "the backbone's configuration")
    return {**content, **(unknown or {})}


def _size(key: str, value: Any, origin: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ValueError(f"Expected a positive whole number for {key!r} in {origin}. Received: {key}={value!r}")
    return value


def _number(key: str, value: Any, origin: str) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
        raise ValueError(f"Expected a number for {key!r} in {origin}. Received: {key}={value!r}")
    return float(value)


def _rate(key: str, value: Any, origin: str) -> float:
    if not 0 <= _number(key, value, origin) < 1:
        raise ValueError(f"Expected a rate in [0, 1) for {key!r} in {origin}. Received: {key}={value!r}")
    return float(value)


def _deviation(key: str, value: Any, origin: str) -> float:
    if _number(key, value, origin) <= 0:
        raise ValueError(f"Expected a positive number for {key!r} in {origin}. Received: {key}={value!r}")
    return float(value)


def _activation(key: str, value: Any, origin: str) -> str:
    name = "linear" if value is None or value == "" else value
    if not isinstance(name, str) or name.lower() not in ACTIVATIONS:
        raise ValueError(f"Expected one of {list(ACTIVATIONS)} for {key!r} in {origin}. Received: {key}={value!r}")
    return name.lower()


def _check_together(backbone: dict[str, Any], origin: str) -> None:
    hidden_dim, num_heads = backbone["hidden_dim"], backbone["num_heads"]
    if hidden_dim % num_heads:
        raise ValueError(
            f"Expected 'hidden_size' to be a multiple of 'num_attention_heads' in {origin}. "
            f"Received: hidden_size={hidden_dim}, num_attention_heads={num_heads}"
        )
    num_groups, num_layers = backbone["num_groups"], backbone["num_layers"]
    if num_groups > num_layers:
        raise ValueError(
            f"Expected 'num_hidden_groups' to be at most 'num_hidden_layers' in {origin}. "
            f"Received: num_hidden_groups={num_groups}, num_hidden_layers={num_layers}"
        )


# Google's key -> the package's word, the check of the value, Google's default (AlbertConfig.__init__: xxlarge).
_KEYS: dict[str, tuple[str, Callable[[str, Any, str], Any], Any]] = {
    "attention_probs_dropout_prob": ("attention_dropout", _rate, 0.0),
    "hidden_act": ("activation", _activation, "gelu"),
    "hidden_dropout_prob": ("hidden_dropout", _rate, 0.0),
    "embedding_size": ("embedding_dim", _size, 128),
    "hidden_size": ("hidden_dim", _size, 4096),
    "initializer_range": ("initializer_range", _deviation, 0.02),
    "intermediate_size": ("intermediate_dim", _size, 16384),
    "max_position_embeddings": ("max_sequence_length", _size, 512),
    "num_attention_heads": ("num_heads", _size, 64),
    "num_hidden_layers": ("num_layers", _size, 12),
    "num_hidden_groups": ("num_groups", _size, 1),
    "inner_group_num": ("num_inner_repetitions", _size, 1),
    "type_vocab_size": ("num_segments", _size, 2),
    "vocab_size": ("vocabulary_size", _size, None),
}
GOOGLE_KEYS = {word: key for key, (word, _, _) in _KEYS.items()}

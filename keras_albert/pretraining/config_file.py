"""Settings of a run from a file, TOML or YAML, with others laid over them."""

import tomllib
from collections.abc import Mapping
from dataclasses import fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any, get_type_hints

from keras_albert.pretraining.settings import Pretraining

ENDINGS = (".toml", ".yaml", ".yml")


def settings_from(path: str | None, given: Mapping[str, Any]) -> Pretraining:
    """Return settings from a file, those that are given otherwise laid over them.

    Args:
        path: a TOML or YAML file; None for no file. Keys may stand in tables (sections) of any name.
        given: more settings, which win.

    Raises:
        FileNotFoundError: no such file.
        ValueError: a file that is no TOML or YAML, a key that doesn't exist, a value of another type.
    """
    stored = {} if path is None else read_config(Path(path))
    return Pretraining(**{**stored, **given})


def read_config(path: Path) -> dict[str, Any]:
    """Return the settings in a file, checked for their names and types."""
    if not path.is_file():
        raise FileNotFoundError(f"Expected a configuration file. Received: {path}, which is not there.")
    if path.suffix.lower() not in ENDINGS:
        raise ValueError(f"Expected a configuration ending in {', '.join(ENDINGS)}. Received: {path}")
    text = path.read_text(encoding="utf-8")
    content = _parse_toml(path, text) if path.suffix.lower() == ".toml" else _parse_yaml(path, text)
    if not isinstance(content, dict):
        raise ValueError(f"Expected keys and values in {path}. Received: {type(content).__name__}")
    flat: dict[str, Any] = {}
    for name, value in content.items():
        flat |= value if isinstance(value, dict) else {name: value}
    return {name: _checked(path, name, value) for name, value in flat.items() if value is not None}


def _parse_toml(path: Path, text: str) -> Any:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path} is no TOML: {error}") from error


def _parse_yaml(path: Path, text: str) -> Any:
    import yaml

    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ValueError(f"{path} is no YAML: {' '.join(str(error).split())}") from error


def _checked(path: Path, name: str, value: Any) -> Any:
    known = {item.name for item in fields(Pretraining)}
    if name not in known:
        near = get_close_matches(name, known, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else " `keras-albert pretrain --help` lists the keys."
        raise ValueError(f"{path} has a key that doesn't exist. Received: {name} = {value!r}.{hint}")
    wanted = type_of(name)
    if wanted is float and isinstance(value, str):
        # YAML reads 1e-4, without a point, as text.
        try:
            return float(value)
        except ValueError:
            pass
    if wanted is float and type(value) is int:
        return float(value)
    if type(value) is not wanted:
        raise ValueError(f"Expected {name} in {path} to be {wanted.__name__}. Received: {name} = {value!r}")
    return value


def type_of(name: str) -> type:
    """Return the type of a setting that is not None.

    Example:
        >>> type_of("max_masks"), type_of("optimizer")
        (<class 'int'>, <class 'str'>)
    """
    hint = get_type_hints(Pretraining)[name]
    (kind,) = [part for part in getattr(hint, "__args__", (hint,)) if part is not type(None)]
    return kind

"""Reading of Hugging Face's `tokenizer.json` and of the JSON files beside it, written by others and maybe damaged."""

import json
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["AddedToken", "added_tokens", "is_id", "read_json", "steps"]


class AddedToken(NamedTuple):
    """A token that is found in a text before it is encoded.

    Attributes:
        id: its id.
        text: its characters.
        special: whether it is left out of decoded texts, such as `[SEP]`.
    """

    id: int
    text: str
    special: bool


def read_json(path: Path) -> dict[str, Any]:
    """Return the content of a file that holds a JSON object.

    Raises:
        ValueError: there is no such file, or it holds something else.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(f"Expected a JSON object in UTF-8. Received: {type(error).__name__} ({error}).") from error
    if not isinstance(content, dict):
        raise ValueError(f"Expected a JSON object. Received: a {type(content).__name__}.")
    return content


def steps(tokenizer_json: dict[str, Any], part: str) -> list[dict[str, Any]]:
    """Return the steps of a `normalizer` or `pre_tokenizer` in order, those of sequences one by one.

    Raises:
        ValueError: something is no step.
    """
    waiting = [tokenizer_json.get(part)]
    found: list[dict[str, Any]] = []
    while waiting:
        step = waiting.pop(0)
        if step is None:
            continue
        if not isinstance(step, dict) or not isinstance(step.get("type"), str):
            raise ValueError(f"Expected steps with a 'type' in '{part}'. Received: {step!r:.100}.")
        if step["type"] != "Sequence":
            found.append(step)
            continue
        inner = step.get("normalizers", step.get("pretokenizers"))
        if not isinstance(inner, list):
            raise ValueError(f"Expected a list of steps in a Sequence of '{part}'. Received: {inner!r:.100}.")
        waiting = [*inner, *waiting]
    return found


def added_tokens(entries: Any) -> list[AddedToken]:
    """Return the tokens of a list `added_tokens`.

    Args:
        entries: objects with `id`, `content` and `special`; None for none.

    Raises:
        ValueError: something is no such token.
    """
    if entries is None:
        return []
    if not isinstance(entries, list):
        raise ValueError(f"Expected a list of added tokens. Received: {entries!r:.100}.")
    tokens = []
    for entry in entries:
        content = entry.get("content") if isinstance(entry, dict) else None
        if not isinstance(content, str) or not content or not is_id(entry.get("id")):
            raise ValueError(f"Expected added tokens with 'id' and 'content'. Received: {entry!r:.100}.")
        tokens.append(AddedToken(entry["id"], content, bool(entry.get("special"))))
    return tokens


def is_id(value: Any) -> bool:
    """Say whether something from a JSON file can be an id."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0

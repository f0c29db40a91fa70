"""Reading the JSON files of a preset in Keras's layout, without building anything."""

import json
from pathlib import Path
from typing import Any


def read_part(folder: Path, name: str) -> dict[str, Any]:
    """Reads one of a preset's JSON files.

    Args:
        folder: Any directory.
        name: The file's name without its ending: config, task, preprocessor, tokenizer or metadata.

    Returns:
        Its content; empty if there is no such file or if it is no JSON object.

    Raises:
        ValueError: If there is such a file but it is not JSON.
    """
    path = folder / f"{name}.json"
    return parse_part(path.read_bytes(), str(path)) if path.is_file() else {}


def parse_part(text: str | bytes, origin: str) -> dict[str, Any]:
    """Decodes the content of one of a preset's JSON files.

    Args:
        text: The content.
        origin: Where it came from, for the error.

    Returns:
        The object; empty if it is JSON of another kind.

    Raises:
        ValueError: If it is not JSON.
    """
    try:
        content = json.loads(text)
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"Expected a JSON file in {origin}, but {error}. Copy or save the preset again.") from error
    return content if isinstance(content, dict) else {}

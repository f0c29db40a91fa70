"""Google's tokenizer outputs as the tests of this folder use them."""

import base64
import json
from pathlib import Path
from typing import Any

OWN_GOLDEN = Path(__file__).parents[1] / "golden" / "tokenizer"


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def on_this_python(record: dict[str, Any]) -> dict[str, Any]:
    """The record's `normalized` and `ids` under the Unicode version of Python 3.11 and later."""
    return record.get("unicode14", {"normalized": record["normalized"], "ids": record["ids_py3"]})


def tiny_proto() -> bytes:
    """A hand-made SentencePiece model of 124 pieces that has fused digit+comma pieces."""
    return base64.b64decode(json.loads((OWN_GOLDEN / "tiny_digit_comma_model.json").read_text())["model_proto_base64"])

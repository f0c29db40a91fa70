"""`keras-albert presets`: the names that can be passed instead of a path."""

from typing import Annotated, Any

import typer

from keras_albert.cli.loading import loading
from keras_albert.cli.report import print_json, print_table

NAME = "presets"
EXAMPLE = "Example: keras-albert presets"


def run(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List the named presets: sizes, where they come from, and which are here: in the package, or in the cache.

    Any other is downloaded from Google and converted at its first use.
    KERAS_ALBERT_CACHE names another folder for it, KERAS_ALBERT_MIRROR
    another host.
    """
    facts = preset_facts()
    if as_json:
        print_json(facts)
        return
    columns = ("name", "weights", "layers", "width", "embedding", "tokenizer", "here", "address")
    words = ("name", "parameter_count", "num_layers", "hidden_dim", "embedding_dim", "tokenizer", "is_here")
    rows = [[*(_cell(preset[word]) for word in words), preset["address"] or "in the package"] for preset in facts]
    print_table(columns, rows, numeric=("weights", "layers", "width", "embedding"))


def preset_facts() -> list[dict[str, Any]]:
    """Return what is known of each preset without a download."""
    with loading():
        from keras_albert.presets import PRESETS
        from keras_albert.presets.store import is_here

    return [
        {
            "name": preset.name,
            "description": preset.description,
            "parameter_count": preset.parameter_count,
            **preset.config,
            "tokenizer": preset.tokenizer,
            "address": None if preset.is_bundled else preset.address,
            "is_here": is_here(preset),
        }
        for preset in PRESETS.values()
    ]


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else str(value)

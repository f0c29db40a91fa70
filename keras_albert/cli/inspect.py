"""`keras-albert inspect`: what a preset or checkpoint holds, from its files alone."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Annotated, Any

import typer

from keras_albert.cli.loading import loading
from keras_albert.cli.report import print_facts, print_json

NAME = "inspect"
EXAMPLE = "Example: keras-albert inspect albert_base_v2.tar.gz"


def run(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE",
            help="A directory in Keras's preset layout; a Google release (its directory, its .tar.gz, or its "
            "checkpoint's prefix); a directory of Hugging Face's; or a preset's name, which is downloaded at its first "
            "use.",
        ),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show what a model is: kind, sizes, weights, heads, tokenizer, and what is unknown in it. Nothing is built."""
    with loading():
        from keras_albert.presets import describe

    description = describe(source)
    if as_json:
        print_json(asdict(description))
        return
    count = "not stored" if description.parameter_count is None else f"{description.parameter_count:,}"
    print_facts(
        {
            "Source": description.origin,
            "Kind": description.kind,
            "Weights": f"{count} in the backbone",
            "Heads": _listed(description.heads) or "none",
            "Tokenizer": description.tokenizer or "none",
            **({"Classes": _listed(description.classes)} if description.classes else {}),
            **({"Decided": "; ".join(description.decided)} if description.decided else {}),
            "Skipped": _counted(description.skipped.values()) or "nothing",
            "Unknown variables": ", ".join(description.unmapped) or "none",
            "Unknown configuration": _listed(description.unknown_configuration) or "none",
            "Missing in configuration": ", ".join(description.defaulted_configuration) or "nothing",
            "Configuration": "",
            **{f"  {word}": value for word, value in description.configuration.items() if not isinstance(value, dict)},
        }
    )


def _counted(reasons: Iterable[str]) -> str:
    return ", ".join(f"{count} x {reason}" for reason, count in Counter(reasons).items())


def _listed(facts: Mapping[str, Any]) -> str:
    return "; ".join(f"{name}: {value}" for name, value in facts.items())

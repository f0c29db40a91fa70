"""Benchmarks, one subject each: `python tools/bench.py SUBJECT --help`.

A subject is a module of tools/benchmarks with `DESCRIPTION`, `add_arguments(parser)` and `run(arguments) -> dict`. The
dict has `rows`, a list of dicts of the same keys, which is printed as a table; all of it is written as JSON.
"""

import argparse
import json
import platform
import sys
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
SUBJECTS = ("data",)


def main() -> None:
    """Run the subject that the command line names."""
    parser = argparse.ArgumentParser(description="Measure the speed of keras_albert.")
    subparsers = parser.add_subparsers(dest="subject", required=True)
    for subject in SUBJECTS:
        module = import_module(f"benchmarks.{subject}")
        subparser = subparsers.add_parser(subject, help=module.DESCRIPTION, description=module.DESCRIPTION)
        module.add_arguments(subparser)
        subparser.add_argument("--output", type=Path, help="where to write the figures as JSON")
    arguments = parser.parse_args()
    result = import_module(f"benchmarks.{arguments.subject}").run(arguments)
    result |= {"machine": platform.platform(), "python": platform.python_version(), "versions": _versions()}
    _print_table(result["rows"])
    if arguments.output:
        arguments.output.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


def _versions() -> dict[str, str]:
    return {name: metadata.version(name) for name in ("keras", "numpy", "sentencepiece")}


def _print_table(rows: list[dict[str, Any]]) -> None:
    cells = [list(rows[0]), *([_text_of(value) for value in row.values()] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _text_of(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.3f}" if value < 100 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


if __name__ == "__main__":
    main()

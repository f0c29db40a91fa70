"""Options of the commands that read a corpus, and what they say of it."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Mapping

_CORPUS = "Corpus"


class Lines(StrEnum):
    """What a line of a text is."""

    paragraph = "paragraph"
    sentence = "sentence"
    wrapped = "wrapped"


Files = Annotated[
    list[str],
    typer.Argument(
        metavar="FILES",
        help="Files, patterns or folders: .txt, .jsonl (both also .gz), .parquet. A file named twice is read twice.",
    ),
]
LineKind = Annotated[
    Lines,
    typer.Option(
        help="What a line is: a paragraph, to be split into sentences; one sentence; or a part of a paragraph, which "
        "goes on until a blank line (wrapped). A blank line ends a document, except where lines are wrapped.",
        rich_help_panel=_CORPUS,
    ),
]
TextColumn = Annotated[
    str,
    typer.Option(
        "--text", metavar="COLUMN", help="The column of texts in tables; a row is a document.", rich_help_panel=_CORPUS
    ),
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace what is there, and drop what is unfinished.")]


def notes(counts: "Mapping[str, int]") -> dict[str, str]:
    """Return what a user should know of a corpus, where there is something."""
    shown = {
        "Not UTF-8": ("replaced_characters", "characters replaced by U+FFFD"),
        "Long lines": ("split_lines", "cuts of lines of more than 1 MiB"),
        "Long documents": ("split_documents", "cuts; what follows is another document"),
        "Without text": ("rows_without_text", "rows left out"),
    }
    return {title: f"{counts[name]:,} {text}" for title, (name, text) in shown.items() if counts[name]}

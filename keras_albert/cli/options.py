"""Options that several subcommands have, and where the rows that they name come from."""

from typing import TYPE_CHECKING, Annotated

import typer

from keras_albert.cli.loading import loading

if TYPE_CHECKING:
    from keras_albert.finetuning import Source

_DATA = "Data"

Task = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="A data set in its official files, with --data: sst-2, squad-2.0, race, …",
        rich_help_panel=_DATA,
    ),
]
Data = Annotated[
    str | None,
    typer.Option(metavar="FOLDER", help="The folder with the files of --task.", rich_help_panel=_DATA),
]
TextColumn = Annotated[
    str, typer.Option("--text", metavar="COLUMN", help="The column of the texts.", rich_help_panel=_DATA)
]
PairColumn = Annotated[
    str | None,
    typer.Option("--text-pair", metavar="COLUMN", help="The column of the second texts.", rich_help_panel=_DATA),
]
LabelColumn = Annotated[
    str, typer.Option("--label", metavar="COLUMN", help="The column of the labels.", rich_help_panel=_DATA)
]
KindOfFiles = Annotated[
    str,
    typer.Option(
        "--kind",
        metavar="KIND",
        help="What your files hold: classification, multi-label, regression (tables), tagging (CoNLL or JSON lines), "
        "span, verifier (SQuAD's JSON) or multiple-choice (JSON lines).",
        rich_help_panel=_DATA,
    ),
]
Model = Annotated[
    str,
    typer.Option(
        metavar="MODEL",
        help="A folder that `keras-albert finetune` wrote, or another preset with a trained head.",
    ),
]
BatchSize = Annotated[int, typer.Option(help="Rows in a batch.", min=1)]


def source_of(
    task: str | None,
    data: str | None,
    files: dict[str, tuple[str, str | None]],
    kind: str,
    columns: tuple[str, str | None, str],
) -> "Source | None":
    """Return where the rows come from, once that is clear; None where nothing is named.

    Args:
        task: `--task`.
        data: `--data`.
        files: for each split the option that names a file instead, and its value.
        kind: `--kind`, what the files hold.
        columns: the names of the columns of texts, second texts and labels.

    Raises:
        typer.BadParameter: a task without its folder, some of the files, or both.
    """
    with loading():
        from keras_albert.finetuning import KINDS_OF_FILES, Source, named_task

    given = {split: file for split, (_, file) in files.items() if file is not None}
    options = " and ".join(option for option, _ in files.values())
    if task is None and data is None:
        if not given:
            return None
        if len(given) < len(files):
            raise typer.BadParameter(f"Name the rows: by {options}, or by --task and --data.")
        if kind not in KINDS_OF_FILES:
            raise typer.BadParameter(f"Expected --kind among {', '.join(KINDS_OF_FILES)}. Received: {kind!r}")
        text, text_pair, label = columns
        return Source(files=given, kind_name=kind, text=text, text_pair=text_pair, label=label)
    if given:
        raise typer.BadParameter(f"Name the rows once: by {options}, or by --task and --data.")
    if task is None or data is None:
        raise typer.BadParameter("--task and --data belong together: --task sst-2 --data FOLDER.")
    return Source(task=named_task(task).name, data=data)

"""Options that several subcommands have, and reading the texts that they name."""

from typing import TYPE_CHECKING, Annotated

import typer

from keras_albert.cli.loading import loading

if TYPE_CHECKING:
    from keras_albert.finetuning import Examples, GlueTask

_DATA = "Data"

Task = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="A GLUE task in its own layout, with --data: sst-2.", rich_help_panel=_DATA),
]
Data = Annotated[
    str | None,
    typer.Option(metavar="FOLDER", help="The folder with train.tsv and dev.tsv of --task.", rich_help_panel=_DATA),
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
Model = Annotated[
    str,
    typer.Option(
        metavar="MODEL",
        help="A folder that `keras-albert finetune` wrote, or another preset with a classifier.",
    ),
]
BatchSize = Annotated[int, typer.Option(help="Rows in a batch.", min=1)]


def named_task(task: str | None, data: str | None, files: dict[str, str | None]) -> "GlueTask | None":
    """Return the GLUE task where one is asked for, once it is clear where the rows come from.

    Args:
        task: `--task`.
        data: `--data`.
        files: the options that name a file instead, with their values.

    Raises:
        typer.BadParameter: neither a task with its folder nor every file is named, or both are.
    """
    with loading():
        from keras_albert.finetuning import glue_task

    given = [name for name, value in files.items() if value is not None]
    both = " and ".join(files)
    if task is None and data is None:
        if len(given) < len(files):
            raise typer.BadParameter(f"Name the rows: by {both}, or by --task and --data.")
        return None
    if given:
        raise typer.BadParameter(f"Name the rows once: by {both}, or by --task and --data.")
    if task is None or data is None:
        raise typer.BadParameter("--task and --data belong together: --task sst-2 --data FOLDER.")
    return glue_task(task)


def labelled_rows(
    task: "GlueTask | None", data: str | None, split: str, file: str | None, columns: tuple[str, str | None, str]
) -> "Examples":
    """Read the rows of a split of a task, or those of a file.

    Args:
        task: the task; None for a file.
        data: the task's folder.
        split: "train" or "dev".
        file: the file.
        columns: the names of its text, second text and label.
    """
    with loading():
        from keras_albert.finetuning import read_examples, read_glue

    if task is not None:
        return read_glue(task, str(data), "train" if split == "train" else "dev")
    return read_examples(str(file), *columns)

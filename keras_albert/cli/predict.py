"""`keras-albert predict`: the answers of a fine-tuned model."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from keras_albert.cli import options
from keras_albert.cli.loading import loading
from keras_albert.cli.report import progress_on_stderr

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "predict"
EXAMPLE = 'Example: keras-albert predict --model my_run "a fine film" "two hours lost"'
_STDIN = "-"


def run(
    model: options.Model,
    texts: Annotated[
        list[str] | None,
        typer.Argument(metavar="[TEXT]...", help="The texts; - reads them from the standard input, one a line."),
    ] = None,
    file: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Rows: a table of texts, or what the model's kind of task takes.",
            rich_help_panel="Data",
        ),
    ] = None,
    text: options.TextColumn = "text",
    text_pair: options.PairColumn = None,
    output: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write a table (.tsv, .csv, .jsonl; for questions SQuAD's .json too)."),
    ] = None,
    task: options.Task = None,
    data: options.Data = None,
    batch_size: options.BatchSize = 32,
) -> None:
    """Print the answer for each row, with tabs between the columns.

    Single texts may be arguments; all else comes in a file as `finetune` takes it.
    With --task, --data and --output the test rows' answers are written as that task's server takes them.
    """
    with loading():
        from keras_albert.finetuning import (
            ENDINGS,
            Trained,
            check_ending,
            stream_file,
            write_file,
            write_table_in_parts,
        )

    if task is not None or data is not None:
        _write_submission(model, task, data, file, output, batch_size)
        return
    if output is not None:
        check_ending(output, (*ENDINGS, ".json"))
    _check_words(texts or [], file, text_pair)
    trained = Trained.load(model)
    if file is not None:
        parts = stream_file(file, trained.kind, text, text_pair)
    elif texts == [_STDIN]:
        parts = iter([trained.kind.rows_of_texts(_lines_of_stdin(), "the standard input")])
    else:
        parts = iter([trained.kind.rows_of_texts(texts or [], "the arguments")])

    def tables() -> "Iterator[dict[str, list[Any]]]":
        for rows in parts:
            with progress_on_stderr() as verbose:
                answers = trained.answer(rows, batch_size, verbose if verbose == 1 and len(rows) > 1000 else 0)
            yield trained.kind.table(rows, answers)

    if output is not None and Path(output).suffix.lower() == ".json":
        rows = next(iter(parts))
        write_file(Path(output), trained.kind.official_file(rows, trained.answer(rows, batch_size)))
        print(f"Wrote {len(rows):,} answers to {output}.")
        return
    if output is not None:
        print(f"Wrote {write_table_in_parts(output, tables()):,} rows to {output}.")
        return
    for table in tables():
        _print(table)


def _write_submission(
    model: str, task: str | None, data: str | None, file: str | None, output: str | None, batch_size: int
) -> None:
    with loading():
        from keras_albert.finetuning import Trained, submission_text, write_file

    source = options.source_of(task, data, {"test": ("--file", file)}, "classification", ("text", None, "label"))
    submission = None if source is None or source.named is None else source.named.submission
    if source is None or output is None or submission is None:
        raise typer.BadParameter(
            "--task writes what its server takes: it needs --output, and a task that has a server."
        )
    rows = source.read("test")
    trained = Trained.load(model)
    labels = trained.kind.table(rows, trained.answer(rows, batch_size))["prediction"]
    write_file(Path(output), submission_text(submission, getattr(rows, "ids", None), labels))
    print(f"Wrote {len(rows):,} rows to {output}.")


def _print(table: dict[str, list[Any]]) -> None:
    """Print answers first, then what they are answers to."""
    first = [name for name in ("prediction", "probability", "score") if name in table]
    names = first + [name for name in table if name not in first]
    for row in zip(*(table[name] for name in names), strict=True):
        print(*(f"{cell:.4f}" if isinstance(cell, float) else " ".join(str(cell).split()) for cell in row), sep="\t")


def _check_words(texts: list[str], file: str | None, text_pair: str | None) -> None:
    if file is not None and texts:
        raise typer.BadParameter("Name the texts once: as arguments, or by --file.")
    if file is None and text_pair is not None:
        raise typer.BadParameter("--text-pair names a column: pass the file by --file.")
    if file is None and not texts:
        raise typer.BadParameter("Name the texts: as arguments, by --file, or - for the standard input.")


def _lines_of_stdin() -> list[str]:
    texts = []
    for number, line in enumerate(sys.stdin.buffer, start=1):
        try:
            texts.append(line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n"))
        except UnicodeDecodeError as error:
            raise ValueError(f"The standard input, line {number}: expected UTF-8. Received: {error.reason}") from error
    return texts

"""`keras-albert predict`: the classes of texts by a fine-tuned classifier."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from keras_albert.cli import options
from keras_albert.cli.loading import loading
from keras_albert.cli.report import progress_on_stderr

if TYPE_CHECKING:
    from collections.abc import Iterator

    from keras_albert.finetuning import Examples, Rows, Source

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
        typer.Option(metavar="FILE", help="Rows of texts: .tsv, .csv or .jsonl, .gz too.", rich_help_panel="Data"),
    ] = None,
    text: options.TextColumn = "text",
    text_pair: options.PairColumn = None,
    output: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write a table (.tsv, .csv or .jsonl) instead of printing.")
    ] = None,
    task: options.Task = None,
    data: options.Data = None,
    batch_size: options.BatchSize = 32,
) -> None:
    """Print the answer for each row, with tabs between the columns.

    For anything but single texts, name a file; for a file that a task's server takes, name --task, --data and --output.
    """
    with loading():
        from keras_albert.finetuning import Source, Trained, check_ending, submission_text, table_text, write_file

    ending = None if output is None else check_ending(output)
    trained = None
    if task is not None:
        source = options.source_of(task, data, {"test": ("--file", file)}, "classification", (text, text_pair, ""))
        assert source is not None and source.named is not None
        if output is None or source.named.submission is None:
            raise typer.BadParameter("--task writes a submission: it needs --output, and a task that has a server.")
        rows = source.read("test")
        trained = Trained.load(model)
        answers = trained.answer(rows, batch_size)
        labels = trained.kind.table(rows, answers)["prediction"]
        write_file(Path(output), submission_text(source.named.submission, getattr(rows, "ids", None), labels))
        print(f"Wrote {len(rows):,} rows to {output}.")
        return
    parts = _parts(texts or [], file, Source(text=text, text_pair=text_pair), model)
    tables = []
    for rows in parts:
        trained = trained or Trained.load(model)
        with progress_on_stderr() as verbose:
            answers = trained.answer(rows, batch_size, verbose if verbose == 1 and len(rows) > 1000 else 0)
        table = trained.kind.table(rows, answers)
        if output is None:
            _print(table)
        else:
            tables.append(table)
    if output is not None and ending is not None:
        columns = {name: [value for table in tables for value in table[name]] for name in tables[0]}
        write_file(Path(output), table_text(columns, ending))
        print(f"Wrote {len(columns['prediction']):,} rows to {output}.")


def _print(table: dict[str, list[Any]]) -> None:
    """Print answers first, then what they are answers to."""
    first = [name for name in ("prediction", "probability", "score") if name in table]
    names = first + [name for name in table if name not in first]
    for row in zip(*(table[name] for name in names), strict=True):
        print(*(f"{cell:.4f}" if isinstance(cell, float) else " ".join(str(cell).split()) for cell in row), sep="\t")


def _parts(texts: list[str], file: str | None, source: "Source", model: str) -> "Iterator[Rows]":
    with loading():
        from keras_albert.finetuning import Source, run_configuration, stream_file

    if file is not None and not texts:
        stored = run_configuration(model).get("source")
        if stored:
            columns = {"text": source.text, "text_pair": source.text_pair}
            source = Source.from_dict({**stored, "files": {}, **columns})
        yield from stream_file(file, source)
    else:
        yield _examples(texts, file, source.text, source.text_pair)


def _examples(texts: list[str], file: str | None, text: str, text_pair: str | None) -> "Examples":
    with loading():
        from keras_albert.finetuning import Examples

    if file is not None:
        raise typer.BadParameter("Name the texts once: as arguments, or by --file.")
    if text_pair is not None:
        raise typer.BadParameter("--text-pair names a column: pass the file by --file.")
    if not texts:
        raise typer.BadParameter("Name the texts: as arguments, by --file, or - for the standard input.")
    if texts == [_STDIN]:
        return Examples(_lines_of_stdin(), source="the standard input")
    return Examples(texts, source="the arguments")


def _lines_of_stdin() -> list[str]:
    texts = []
    for number, line in enumerate(sys.stdin.buffer, start=1):
        try:
            texts.append(line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n"))
        except UnicodeDecodeError as error:
            raise ValueError(f"The standard input, line {number}: expected UTF-8. Received: {error.reason}") from error
    return texts

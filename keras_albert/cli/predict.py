"""`keras-albert predict`: the classes of texts by a fine-tuned classifier."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from keras_albert.cli import options
from keras_albert.cli.loading import loading
from keras_albert.cli.report import progress_on_stderr

if TYPE_CHECKING:
    from keras_albert.finetuning import Examples

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
    batch_size: options.BatchSize = 32,
) -> None:
    """Print the class, its probability and the text, for each text, with tabs between.

    For pairs of texts, name a file and its two columns.
    """
    with loading():
        from keras_albert.finetuning import check_ending, predict, prediction_table, write_file

    ending = None if output is None else check_ending(output)
    examples = _examples(texts or [], file, text, text_pair)
    with progress_on_stderr() as verbose:
        predictions = predict(model, examples, batch_size, verbose if verbose == 1 and len(examples) > 1000 else 0)
    if output is not None and ending is not None:
        write_file(Path(output), prediction_table(examples, predictions, ending))
        print(f"Wrote {len(examples):,} rows to {output}.")
        return
    pairs = [()] * len(examples) if examples.pairs is None else [(second,) for second in examples.pairs]
    for name, confidence, first, second in zip(
        predictions.labels, predictions.confidences, examples.texts, pairs, strict=True
    ):
        shown = [" ".join(cell.split()) for cell in (first, *second)]
        print(name, f"{confidence:.4f}", *shown, sep="\t")


def _examples(texts: list[str], file: str | None, text: str, text_pair: str | None) -> "Examples":
    with loading():
        from keras_albert.finetuning import Examples, read_examples

    if file is not None:
        if texts:
            raise typer.BadParameter("Name the texts once: as arguments, or by --file.")
        return read_examples(file, text, text_pair)
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

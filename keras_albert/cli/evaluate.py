"""`keras-albert evaluate`: the figures of a fine-tuned classifier on labelled texts."""

from typing import Annotated

import typer

from keras_albert.cli import options
from keras_albert.cli.loading import loading
from keras_albert.cli.report import print_facts, print_json, print_table, progress_on_stderr

NAME = "evaluate"
EXAMPLE = "Example: keras-albert evaluate --model my_run --file test.tsv --text sentence --label label"


def run(
    model: options.Model,
    task: options.Task = None,
    data: options.Data = None,
    file: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Labelled rows: .tsv, .csv or .jsonl, .gz too.", rich_help_panel="Data"),
    ] = None,
    text: options.TextColumn = "text",
    text_pair: options.PairColumn = None,
    label: options.LabelColumn = "label",
    batch_size: options.BatchSize = 32,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Compare a classifier's answers with the labels of a file, or of a task's dev part.

    Prints the accuracy, that of always answering the most frequent class,
    and the confusion matrix.
    """
    with loading():
        from keras_albert.finetuning import evaluate

    glue = options.named_task(task, data, {"--file": file})
    rows = options.labelled_rows(glue, data, "dev", file, (text, text_pair, label))
    with progress_on_stderr() as verbose:
        metrics = evaluate(model, rows, batch_size, verbose if verbose == 1 else 0)
    if as_json:
        print_json(metrics.as_dict())
        return
    print_facts(
        {
            "Accuracy": f"{metrics.accuracy:.4f} ({metrics.rows:,} rows)",
            "Majority class": f"{metrics.majority_baseline:.4f} ({metrics.majority_class!r})",
        }
    )
    predicted = [f"predicted {name}" for name in metrics.class_names]
    counts = [[name, *row] for name, row in zip(metrics.class_names, metrics.confusion.tolist(), strict=True)]
    print_table(["true class", *predicted], counts, numeric=predicted)

"""`keras-albert evaluate`: the official figures of a fine-tuned model on labelled rows."""

from dataclasses import replace
from typing import Annotated, Any

import typer

from keras_albert.cli import options
from keras_albert.cli.loading import loading
from keras_albert.cli.report import capitalized, print_facts, print_json, print_table, progress_on_stderr

NAME = "evaluate"
EXAMPLE = "Example: keras-albert evaluate --model my_run --file test.tsv --text sentence --label label"


def run(
    model: options.Model,
    task: options.Task = None,
    data: options.Data = None,
    file: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Labelled rows.", rich_help_panel="Data"),
    ] = None,
    text: options.TextColumn = "text",
    text_pair: options.PairColumn = None,
    label: options.LabelColumn = "label",
    split: Annotated[
        str, typer.Option(help="The split of --task: dev, train or test.", rich_help_panel="Data")
    ] = "dev",
    batch_size: options.BatchSize = 32,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Compare a model's answers with the labels of a file, of a task, or of the run's own dev rows.

    Prints the task's official figures and that of an answer that looks at nothing.
    """
    with loading():
        from keras_albert.finetuning import Source, Trained, file_kind_of, run_configuration

    source = options.source_of(task, data, {split: ("--file", file)}, "classification", (text, text_pair, label))
    stored: dict[str, Any] = run_configuration(model).get("source") or {}
    if source is None and not stored:
        raise typer.BadParameter("Name the rows: by --file, or by --task and --data.")
    trained = Trained.load(model)
    if source is None:
        source = Source.from_dict(stored)
    elif source.task is None:
        source = replace(source, kind_name=file_kind_of(trained.kind))
    rows = source.read(split)
    with progress_on_stderr() as verbose:
        metrics = trained.evaluate(rows, batch_size, verbose if verbose == 1 else 0)
    if as_json:
        print_json(metrics.as_dict())
        return
    figures = {capitalized(name): f"{value:.4f}" for name, value in metrics.figures.items()}
    figures[capitalized(metrics.main)] += f" ({metrics.rows:,} rows)"
    print_facts(figures | {capitalized(metrics.baseline_name): f"{metrics.baseline:.4f} ({metrics.main})"})
    if metrics.confusion is not None:
        predicted = [f"predicted {name}" for name in metrics.class_names]
        counts = [[name, *row] for name, row in zip(metrics.class_names, metrics.confusion.tolist(), strict=True)]
        print_table(["true class", *predicted], counts, numeric=predicted)

"""`keras-albert finetune`: a classifier from a preset and labelled texts."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from keras_albert.cli import options
from keras_albert.cli.loading import loading
from keras_albert.cli.report import print_facts, progress_on_stderr

NAME = "finetune"
EXAMPLE = (
    "Example: keras-albert finetune --preset albert_base --train train.tsv --dev dev.tsv --text sentence --label label "
    "--output my_run"
)
_TRAINING = "Training"


class Policy(StrEnum):
    """What training may compute in."""

    float32 = "float32"
    mixed_bfloat16 = "mixed_bfloat16"
    mixed_float16 = "mixed_float16"


def _training(text: str, **limits: Any) -> Any:
    return typer.Option(help=text, rich_help_panel=_TRAINING, **limits)


def run(
    preset: Annotated[
        str, typer.Option(help="What to start from: a preset's name, a converted directory, a Google release.")
    ],
    output: Annotated[str, typer.Option(metavar="RUN", help="The folder to write.")],
    task: options.Task = None,
    data: options.Data = None,
    train: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Training rows: .tsv, .csv or .jsonl, .gz too.", rich_help_panel="Data"),
    ] = None,
    dev: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Rows to choose the best epoch by.", rich_help_panel="Data"),
    ] = None,
    text: options.TextColumn = "text",
    text_pair: options.PairColumn = None,
    label: options.LabelColumn = "label",
    max_train_rows: Annotated[int | None, _training("Train on that many rows, drawn at random.", min=1)] = None,
    epochs: Annotated[int, _training("Passes over the training rows.", min=1)] = 3,
    batch_size: Annotated[int, _training("Rows in a batch.", min=1)] = 32,
    learning_rate: Annotated[
        float | None, _training("Highest learning rate. By default it follows the model's width: 2e-5 for 768.")
    ] = None,
    warmup_steps: Annotated[
        int | None, _training("Steps until the highest rate. By default a tenth of all steps.", min=0)
    ] = None,
    max_sequence_length: Annotated[
        int | None,
        _training("Tokens after which a text is cut. By default the model's number of positions.", min=5),
    ] = None,
    sequence_length: Annotated[
        int | None,
        _training("Pad every batch to that many tokens (for TPUs). By default each has its own.", min=5),
    ] = None,
    dropout: Annotated[float | None, _training("Dropout in the encoder. By default the preset's own.")] = None,
    classifier_dropout: Annotated[float, _training("Dropout before the classifier's head.")] = 0.1,
    seed: Annotated[int, _training("Seed of everything that is random.", min=0)] = 0,
    dtype: Annotated[Policy, _training("What to compute in; the mixed ones are for accelerators.")] = Policy.float32,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a folder that is there.")] = False,
) -> None:
    """Fine-tune a classifier of texts or of pairs of texts, and keep the epoch that is best on the dev rows.

    RUN gets model/ (for from_preset, `evaluate` and `predict`), metrics.json,
    config.json, history.csv, predictions.tsv and pictures.png.
    """
    with loading():
        from keras_albert.finetuning import FineTuning, finetune

    settings = FineTuning(
        preset=preset,
        output=output,
        epochs=epochs,
        batch_size=batch_size,
        learning_rate=learning_rate,
        warmup_steps=warmup_steps,
        max_sequence_length=max_sequence_length,
        sequence_length=sequence_length,
        max_train_rows=max_train_rows,
        seed=seed,
        dropout=dropout,
        classifier_dropout=classifier_dropout,
        dtype=dtype.value,
        overwrite=overwrite,
    )
    glue = options.named_task(task, data, {"--train": train, "--dev": dev})
    columns = (text, text_pair, label)
    train_rows = options.labelled_rows(glue, data, "train", train, columns)
    dev_rows = options.labelled_rows(glue, data, "dev", dev, columns)
    with progress_on_stderr() as verbose:
        result = finetune(settings, train_rows, dev_rows, None if glue is None else glue.class_names, verbose)
    metrics = result.metrics
    print_facts(
        {
            "Dev accuracy": f"{metrics.accuracy:.4f} ({metrics.rows:,} rows, epoch {result.best_epoch} of {epochs})",
            "Majority class": f"{metrics.majority_baseline:.4f} ({metrics.majority_class!r})",
            "Training": f"{result.train_rows:,} rows, {result.seconds:,.0f} s, "
            f"learning rate {result.settings.learning_rate:.2g}",
            "Model": Path(output) / "model",
            "Picture": Path(output) / "pictures.png",
        }
    )

"""`keras-albert finetune`: a model for a task from a preset and labelled rows."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from keras_albert.cli import options
from keras_albert.cli.loading import loading
from keras_albert.cli.report import capitalized, print_facts

if TYPE_CHECKING:
    from keras_albert.finetuning import NamedTask

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
        typer.Option(metavar="FILE", help="Training rows.", rich_help_panel="Data"),
    ] = None,
    dev: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Rows to choose the best epoch by.", rich_help_panel="Data"),
    ] = None,
    text: options.TextColumn = "text",
    text_pair: options.PairColumn = None,
    label: options.LabelColumn = "label",
    kind: options.KindOfFiles = "classification",
    max_train_rows: Annotated[int | None, _training("Train on that many rows, drawn at random.", min=1)] = None,
    epochs: Annotated[int | None, _training("Passes over the training rows.", min=1)] = None,
    train_steps: Annotated[int | None, _training("Steps of the training, instead of --epochs.", min=1)] = None,
    eval_steps: Annotated[
        int | None, _training("Score the dev rows after so many steps. By default after an epoch.", min=1)
    ] = None,
    batch_size: Annotated[int | None, _training("Rows in a batch.", min=1)] = None,
    learning_rate: Annotated[
        float | None, _training("Highest learning rate. By default it follows the model's width: 2e-5 for 768.")
    ] = None,
    warmup_steps: Annotated[
        int | None, _training("Steps until the highest rate. By default a tenth of all steps.", min=0)
    ] = None,
    patience: Annotated[int | None, _training("End after so many evaluations without a better one.", min=1)] = None,
    class_weights: Annotated[str | None, _training("balanced, or the weight of each class: yes=2,no=1.")] = None,
    max_sequence_length: Annotated[
        int | None,
        _training("Tokens after which a text is cut. By default the model's number of positions.", min=5),
    ] = None,
    sequence_length: Annotated[
        int | None,
        _training("Pad every batch to that many tokens (for TPUs). By default each has its own.", min=5),
    ] = None,
    dropout: Annotated[float | None, _training("Dropout in the encoder. By default the preset's own.")] = None,
    head_dropout: Annotated[float | None, _training("Dropout before the head. By default the task's own.")] = None,
    seed: Annotated[int, _training("Seed of everything that is random.", min=0)] = 0,
    seeds: Annotated[int, _training("Repeat with so many seeds, for mean and spread.", min=1)] = 1,
    dtype: Annotated[Policy, _training("What to compute in; the mixed ones are for accelerators.")] = Policy.float32,
    random_init: Annotated[bool, typer.Option("--random-init", help="Start from random weights.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a folder that is there.")] = False,
) -> None:
    """Fine-tune a model on labelled rows, and keep the weights that are best on the dev rows.

    A task of a name starts from Google's settings for it; every flag overrides its own.
    RUN gets README.md, model/ (for from_preset, `evaluate` and `predict`), figures,
    predictions, the worst errors and pictures. After a kill the same command goes on.
    """
    with loading():
        from keras_albert.finetuning import FineTuning, finetune, finetune_with_seeds

    flags: dict[str, Any] = {
        "epochs": epochs,
        "train_steps": train_steps,
        "eval_steps": eval_steps,
        "batch_size": batch_size,
        "learning_rate": learning_rate,
        "warmup_steps": warmup_steps,
    }
    flags = {name: value for name, value in flags.items() if value is not None}
    FineTuning(preset, output, **flags)  # their ranges, before anything is read
    files = {"train": ("--train", train), "dev": ("--dev", dev)}
    source = options.source_of(task, data, files, kind, (text, text_pair, label))
    if source is None:
        raise typer.BadParameter("Name the rows: by --train and --dev, or by --task and --data.")
    train_rows, dev_rows = source.read("train"), source.read("dev")
    rows = len(train_rows) if max_train_rows is None else min(max_train_rows, len(train_rows))
    settings = FineTuning(
        preset=preset,
        output=output,
        **_over_recipe(source.named, rows, flags),
        patience=patience,
        class_weights=_class_weights(class_weights),
        max_sequence_length=max_sequence_length,
        sequence_length=sequence_length,
        max_train_rows=max_train_rows,
        seed=seed,
        dropout=dropout,
        head_dropout=head_dropout,
        dtype=dtype.value,
        random_init=random_init,
        overwrite=overwrite,
    )
    if seeds > 1:
        spread = finetune_with_seeds(settings, seeds, source.kind, train_rows, dev_rows, source.as_dict())
        print_facts(
            {
                f"Dev {spread.main}": f"{spread.mean:.4f} ± {spread.spread:.4f} ({seeds} seeds, {spread.rows:,} rows)",
                "Best seed": f"{spread.best_seed} ({spread.values[spread.best_seed]:.4f})",
                "Model": Path(output) / "model",
            }
        )
        return
    result = finetune(settings, source.kind, train_rows, dev_rows, source.as_dict())
    metrics = result.metrics
    step = f"step {result.best_step:,} of {result.steps.total:,}"
    print_facts(
        {
            f"Dev {metrics.main}": f"{metrics.value:.4f} ({metrics.rows:,} rows, {step})",
            capitalized(metrics.baseline_name): f"{metrics.baseline:.4f}",
            "Training": f"{result.train_rows:,} rows, {result.progress.seconds:,.0f} s, "
            f"learning rate {result.settings.learning_rate:.2g}",
            "Model": Path(output) / "model",
            "Picture": Path(output) / "pictures.png",
        }
    )


def _over_recipe(task: "NamedTask | None", train_rows: int, flags: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of a task's recipe, where it has one, under those that the user gave."""
    if task is None or task.recipe is None:
        return flags
    recipe = task.recipe.settings(train_rows)
    length = {"max_sequence_length": recipe.pop("max_sequence_length")}  # gives way to a small model's positions
    recipe["preprocessor_options"] = length | recipe["preprocessor_options"]
    recipe["recipe_learning_rate"] = recipe.pop("learning_rate")
    if flags.keys() & {"epochs", "train_steps", "batch_size"}:
        # The recipe's steps are for its own length of training.
        for name in ("epochs", "train_steps", "warmup_steps", "eval_steps"):
            recipe.pop(name, None)
    return recipe | flags


def _class_weights(text: str | None) -> Any:
    if text is None or "=" not in text:
        return text
    try:
        return {name: float(weight) for name, weight in (part.rsplit("=", 1) for part in text.split(","))}
    except ValueError:
        raise typer.BadParameter(f"Expected --class-weights as yes=2,no=1. Received: {text!r}") from None

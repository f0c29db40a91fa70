"""`keras-albert pretrain`: a model from token documents, as a configuration file or flags say."""

import inspect
from collections.abc import Callable
from dataclasses import Field, fields
from pathlib import Path
from typing import Annotated, Any

import typer

from keras_albert.cli.loading import loading
from keras_albert.cli.report import print_facts
from keras_albert.pretraining.config_file import settings_from, type_of
from keras_albert.pretraining.settings import BASE_SIZES, HELD_OUT, Pretraining

NAME = "pretrain"
EXAMPLE = "Example: keras-albert pretrain --config albert_base.toml --data my_documents --output my_run"


def _flag(item: Field[Any]) -> inspect.Parameter:
    """Return a flag for a setting; None, where it is not given, leaves the file's value or the default."""
    name = f"--{item.name.replace('_', '-')}"
    kind = type_of(item.name)
    names = (f"{name}/--no-{name[2:]}",) if kind is bool else (name,)
    default = BASE_SIZES.get(item.name, item.default)
    shown = "" if default in (None, "") or kind is bool else f" By default {default}."
    option = typer.Option(*names, help=item.metadata["help"] + shown, rich_help_panel=item.metadata["group"])
    return inspect.Parameter(
        item.name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind | None, option]
    )


def _with_flags(function: Callable[..., None]) -> Callable[..., None]:
    """Give the command a flag for every setting: the settings are written down once."""
    own = [item for item in inspect.signature(function).parameters.values() if item.kind is not item.VAR_KEYWORD]
    parameters = [*own, *map(_flag, fields(Pretraining))]
    function.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    function.__annotations__ = {item.name: item.annotation for item in parameters}
    return function


@_with_flags
def run(
    *,
    config: Annotated[
        str | None, typer.Option(metavar="FILE", help="TOML or YAML with settings; flags win over it.")
    ] = None,
    **flags: Any,
) -> None:
    """Pretrain a model: masked tokens and the order of sentences.

    RUN gets model/ (a preset for every task), README.md, metrics.json, curves and checkpoints/.
    Killed at any moment, the same command goes on from the last checkpoint, with the same result.
    """
    settings = settings_from(config, {name: value for name, value in flags.items() if value is not None})
    with loading():
        from keras_albert.pretraining import pretrain
    figures = pretrain(settings).figures
    facts = {
        "MLM accuracy": _shown(figures, "masked_lm_accuracy"),
        "SOP accuracy": _shown(figures, "sentence_order_accuracy"),
        "Training": f"{figures['steps']:,} steps, {figures['tokens_seen']:,} tokens, {figures['seconds']:,.0f} s",
        "Waited for data": f"{figures['waited_for_data']:.1%} of the time",
        "Model": Path(settings.output) / "model",
        "Picture": Path(settings.output) / "curves.png",
    }
    print_facts({name: value for name, value in facts.items() if value is not None})


def _shown(figures: dict[str, Any], name: str) -> str | None:
    value, guess = figures.get(HELD_OUT + name), figures["baselines"].get(name)
    return (
        None if value is None else f"{value:.4f} on {figures['held_out_rows']:,} held-out rows (guessing: {guess:.4f})"
    )

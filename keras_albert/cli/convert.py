"""`keras-albert convert`: a model in any format becomes a directory in another."""

from enum import StrEnum
from typing import Annotated

import typer

from keras_albert.cli.loading import loading
from keras_albert.cli.report import print_facts

NAME = "convert"
EXAMPLE = "Example: keras-albert convert albert_base_v2.tar.gz my_albert"


class StoredDtype(StrEnum):
    """What weights may be stored in."""

    float32 = "float32"
    float16 = "float16"
    bfloat16 = "bfloat16"


class Format(StrEnum):
    """What may be written."""

    keras = "keras"
    google = "google"
    huggingface = "huggingface"
    keras_hub = "keras_hub"


def run(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE",
            help="A preset's name (see `keras-albert presets`); a Google release: its directory, its .tar.gz, or its "
            "checkpoint's prefix; a directory of Hugging Face's or an hf:// handle; or a Keras preset.",
        ),
    ],
    destination: Annotated[str, typer.Argument(metavar="DESTINATION", help="The directory to write.")],
    to: Annotated[
        Format,
        typer.Option(
            help="What to write: Keras's preset layout, a TensorFlow 1 checkpoint of Google's, a directory for "
            "transformers, or a preset of keras_hub's own ALBERT."
        ),
    ] = Format.keras,
    dtype: Annotated[
        StoredDtype, typer.Option(help="What to store the weights in; from_preset computes in float32 by default.")
    ] = StoredDtype.float32,
    drop: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Leave out what the format has no place for: a head, class_names, tokenizer, lowercase, "
            "attention_dropout. May be given several times.",
        ),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a directory that is there.")] = False,
) -> None:
    """Convert a checkpoint of Google's, Hugging Face's or keras_hub's to a directory that `from_preset` loads, or back.

    What is written is read back and compared: each variable with the
    origin's, bit by bit, and to Keras's layout the outputs with those of a
    second implementation. TensorFlow's checkpoints need TensorFlow.
    """
    with loading():
        from keras_albert.conversion import convert

    conversion = convert(source, destination, to.value, dtype.value, overwrite, drop or ())
    facts = {
        "Converted": f"{source} -> {destination}",
        "Model": f"{conversion.model}, {conversion.dtype}, backbone of {conversion.parameter_count:,} weights",
    }
    if conversion.summary is not None:
        facts["Checkpoint"] = "; ".join(str(conversion.summary).splitlines())
    facts["Variables"] = f"{conversion.compared} read back, each equal to the origin's bit by bit" + (
        "" if dtype is StoredDtype.float32 else f" after rounding to {dtype}"
    )
    if conversion.difference is not None:
        facts["Outputs"] = f"largest absolute difference from the reference: {conversion.difference:.2e}"
    print_facts(facts)

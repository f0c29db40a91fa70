"""`keras-albert convert`: a Google release becomes a directory in Keras's preset layout."""

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


def run(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE",
            help="A preset's name (see `keras-albert presets`), or a Google release: its directory, its .tar.gz, or "
            "its checkpoint's prefix.",
        ),
    ],
    destination: Annotated[str, typer.Argument(metavar="DESTINATION", help="The directory to write.")],
    dtype: Annotated[
        StoredDtype, typer.Option(help="What to store the weights in; from_preset computes in float32 by default.")
    ] = StoredDtype.float32,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a directory that is there.")] = False,
) -> None:
    """Convert a Google checkpoint to a directory that `from_preset` loads, without TensorFlow, under every backend.

    What is written is read back and compared: each variable with the
    checkpoint's, bit by bit, and the outputs with those of a second
    implementation. It needs TensorFlow, to read the checkpoint.
    """
    with loading():
        from keras_albert.cli.conversion import convert_release

    conversion = convert_release(source, destination, dtype.value, overwrite)
    lines = str(conversion.summary).splitlines()
    print_facts(
        {
            "Converted": f"{source} -> {destination}",
            "Model": f"{conversion.model}, {conversion.dtype}, backbone of {conversion.parameter_count:,} weights",
            "Checkpoint": "; ".join(lines),
            "Variables": f"{conversion.compared} read back, each equal to the checkpoint's bit by bit"
            + ("" if dtype is StoredDtype.float32 else f" after rounding to {dtype}"),
            "Outputs": f"largest absolute difference from the reference: {conversion.difference:.2e}",
        }
    )

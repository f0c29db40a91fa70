"""The commands together, and what becomes of errors, warnings and Ctrl-C."""

import os
import sys
from collections.abc import Sequence

import typer

from keras_albert.cli import (
    build_data,
    convert,
    evaluate,
    finetune,
    inspect,
    predict,
    presets,
    pretrain,
    train_vocabulary,
)
from keras_albert.cli.errors import DEBUG_VARIABLE, exit_code_of, message_of, one_line_warnings

_INTERRUPTED = 130  # 128 + SIGINT, as shells have it
_BROKEN_PIPE = 1  # as typer has it where a pipe breaks while a command prints

app = typer.Typer(
    name="keras-albert",
    help="ALBERT for Keras 3: convert Google's checkpoints, pretrain on raw text, fine-tune, evaluate, predict. "
    "KERAS_BACKEND=tensorflow, jax or torch chooses what computes.",
    epilog=f"To begin: keras-albert convert albert_base my_albert. {DEBUG_VARIABLE}=1 shows where an error comes from.",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
for command in (convert, inspect, presets, finetune, evaluate, predict, train_vocabulary, build_data, pretrain):
    app.command(command.NAME, epilog=command.EXAMPLE)(command.run)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: the words after `keras-albert`; None for those that the program was started with.

    Returns:
        0; 1 where a converted model fails its check; 2 for a bad argument or file; 130 after Ctrl-C.
    """
    # Where TensorFlow is not loaded yet: its C++ code reports on its instruction sets and the like otherwise.
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal that lacks a character shows a question mark
    with one_line_warnings():
        try:
            code = (
                app(
                    args=None if arguments is None else list(arguments), prog_name="keras-albert", standalone_mode=False
                )
                or 0
            )
            sys.stdout.flush()
        except (KeyboardInterrupt, typer.Abort):  # versions of typer differ in what they make of Ctrl-C
            code = _INTERRUPTED
        except BrokenPipeError:
            # What reads our output has gone, such as `head`; Python would complain once more while it exits.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return _BROKEN_PIPE
        except Exception as error:
            code = exit_code_of(error)
            if code is None or os.environ.get(DEBUG_VARIABLE):
                raise
            print(f"Error: {message_of(error)}", file=sys.stderr)
    if code == _INTERRUPTED:
        print("Interrupted. Nothing half-written was left.", file=sys.stderr)
        if arguments is None:
            # The backends' threads are still at work, and crash where Python ends under them.
            sys.stderr.flush()
            os._exit(_INTERRUPTED)
    return int(code)

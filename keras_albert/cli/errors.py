"""What a user of the command line gets to read instead of a traceback."""

import importlib.util
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

DEBUG_VARIABLE = "KERAS_ALBERT_DEBUG"

_BACKENDS = ("tensorflow", "jax", "torch")


def exit_code_of(error: Exception) -> int | None:
    """Return the exit code for an error; None for one that only a fault of the program explains."""
    # By its name, because importing it would load Keras.
    if type(error).__name__ == "CheckFailedError":
        return 1
    # OSError holds those of files, of the cache and of the network; typer's own have no public base.
    is_expected = isinstance(error, (ValueError, OSError, ImportError)) or _is_typers(error)
    return 2 if is_expected else None


def message_of(error: Exception) -> str:
    """Return what to say of an error, on one line except for lists of variables."""
    # Only keras_albert raises this error, which is not imported for the question: that would load Keras.
    if type(error).__name__ == "CheckpointMismatchError":
        return str(error)
    if isinstance(error, ModuleNotFoundError) and error.name in _BACKENDS:
        return _absent_backend(error.name)
    return " ".join(f"{_text_of(error)} {_help_of(error)}".split())


def _is_typers(error: Any) -> bool:
    return hasattr(error, "format_message")


def _text_of(error: Any) -> str:
    if _is_typers(error):
        return str(error.format_message())
    # str() of an error of the operating system begins with "[Errno 2]".
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror)
    return str(error) or type(error).__name__


def _help_of(error: Any) -> str:
    context = getattr(error, "ctx", None)
    return f"See {context.command_path} --help." if context is not None else ""


def _absent_backend(name: str) -> str:
    chosen = "chosen by KERAS_BACKEND" if os.environ.get("KERAS_BACKEND") else "used where KERAS_BACKEND is not set"
    others = [backend for backend in _BACKENDS if backend != name]
    there = [backend for backend in others if importlib.util.find_spec(backend) is not None]
    remedy = f"Set KERAS_BACKEND={' or '.join(there)}, which is installed, or" if there else "Do"
    return f"Keras's backend {name} ({chosen}) is not installed. {remedy} pip install keras-albert[{name}]."


@contextmanager
def one_line_warnings() -> Iterator[None]:
    """Print warnings that are meant for users as one line, and leave out those that are meant for programmers."""

    def show(message: Warning | str, category: type[Warning], *args: Any, **kwargs: Any) -> None:
        print(f"Warning: {' '.join(str(message).split())}", file=sys.stderr)

    with warnings.catch_warnings():
        if not os.environ.get(DEBUG_VARIABLE):
            warnings.simplefilter("ignore")
            warnings.simplefilter("always", UserWarning)
            warnings.showwarning = show
        yield

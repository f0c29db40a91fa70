"""Ctrl-C that reaches a training under every backend."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import keras


class _InterruptAtNextBatch(keras.callbacks.Callback):
    """Raises at the end of a batch what was swallowed before."""

    def __init__(self) -> None:
        super().__init__()
        self.is_due = False

    def on_train_batch_end(self, batch: int, logs: dict[str, float] | None = None) -> None:
        if self.is_due:
            raise KeyboardInterrupt


@contextmanager
def remembering_interrupts() -> Iterator[keras.callbacks.Callback]:
    """Yield a callback for `fit` that repeats a Ctrl-C which got lost: JAX drops one that comes while it compiles.

    Outside of the main thread, and where Ctrl-C is ignored or handled in C, nothing is changed.
    """
    callback = _InterruptAtNextBatch()
    previous = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(previous):
        yield callback
        return

    def remember(number: int, frame: FrameType | None) -> None:
        callback.is_due = True
        previous(number, frame)

    signal.signal(signal.SIGINT, remember)
    try:
        yield callback
    finally:
        signal.signal(signal.SIGINT, previous)

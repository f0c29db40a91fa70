import signal
import threading
from collections.abc import Iterator

import keras
import pytest

from keras_albert.training.interrupts import remembering_interrupts


@pytest.fixture(autouse=True)
def _usual_handler() -> Iterator[None]:
    """A shell starts what runs in its background with Ctrl-C ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_that_was_swallowed_comes_again_at_the_end_of_a_batch() -> None:
    before = signal.getsignal(signal.SIGINT)
    with remembering_interrupts() as callback:
        callback.on_train_batch_end(0)
        with pytest.raises(KeyboardInterrupt):  # at once, as ever
            signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            callback.on_train_batch_end(1)
    assert signal.getsignal(signal.SIGINT) is before


def test_the_handler_is_put_back_after_an_error() -> None:
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(ValueError, match="broken"), remembering_interrupts():
        raise ValueError("broken")
    assert signal.getsignal(signal.SIGINT) is before


def test_other_threads_and_an_ignored_interrupt_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    yielded: list[keras.callbacks.Callback] = []

    def enter() -> None:
        with remembering_interrupts() as callback:
            yielded.append(callback)

    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with remembering_interrupts() as callback:
            signal.raise_signal(signal.SIGINT)
            callback.on_train_batch_end(0)
            yielded.append(callback)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(yielded) == 2

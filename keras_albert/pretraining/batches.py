"""The batches of a pretraining run: an endless stream with a position, made ahead in a thread."""

import queue
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Protocol

import numpy as np

Instances = dict[str, np.ndarray]
_BATCHES_AHEAD = 64


class InstanceSource(Protocol):
    """Where rows come from: an epoch is a pass over the data, in windows that fit in memory."""

    def number_of_windows(self, epoch: int) -> int:
        """Return how many windows an epoch has."""

    def window(self, epoch: int, number: int) -> Instances:
        """Return the rows of a window, the same for the same numbers; see `pretraining.instances`."""

    def piece_counts(self, vocabulary_size: int) -> np.ndarray:
        """Return how often each piece occurs, int64 (V,)."""


@dataclass(frozen=True)
class Position:
    """A place in the stream: the batch that comes next.

    Attributes:
        epoch: the pass over the data, from 0.
        window: the window in the epoch.
        batch: the batch in the window.
    """

    epoch: int = 0
    window: int = 0
    batch: int = 0


def stream_batches(
    source: InstanceSource, batch_size: int, seed: int, position: Position
) -> Iterator[tuple[Instances, Position]]:
    """Yield batches without end, each with the position after it.

    The rows of a window come in random order. Those that fill no batch at a window's end are left out; the next epoch
    makes other rows of the same text.

    Args:
        source: the rows.
        batch_size: rows in a batch.
        seed: seed of the order.
        position: where to begin.

    Raises:
        ValueError: a whole epoch has no batch.
    """
    epoch, window, batch = position.epoch, position.window, position.batch
    while True:
        batches_in_epoch, largest = 0, 0
        is_whole_epoch = window == batch == 0
        for number in range(window, source.number_of_windows(epoch)):
            rows = source.window(epoch, number)
            size = len(rows["token_ids"])
            order = np.random.default_rng([seed, epoch, number]).permutation(size)
            for index in range(batch, size // batch_size):
                chosen = order[index * batch_size : (index + 1) * batch_size]
                yield {name: array[chosen] for name, array in rows.items()}, Position(epoch, number, index + 1)
            batches_in_epoch += size // batch_size
            largest = max(largest, size)
            batch = 0
        if is_whole_epoch and not batches_in_epoch:
            raise ValueError(
                f"The data give at most {largest:,} rows at a time, fewer than a batch. "
                f"Received: batch_size={batch_size}. Lower it, or give more text."
            )
        epoch, window = epoch + 1, 0


def model_inputs(rows: Instances, has_pairs: bool) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Return what `AlbertPretrainer` trains on: x, labels and weights.

    Args:
        rows: a batch.
        has_pairs: False where rows are single segments: their order counts for nothing.
    """
    x = {name: rows[name] for name in ("token_ids", "segment_ids", "padding_mask", "mask_positions")}
    labels = {"masked_lm": rows["mask_ids"], "sentence_order": rows["sentence_order_label"]}
    order_weights = np.full(len(rows["token_ids"]), float(has_pairs), "float32")
    return x, labels, {"masked_lm": rows["mask_weights"], "sentence_order": order_weights}


class Prefetched:
    """An iterator that runs in a thread, ahead of whoever takes from it; use it as a context.

    Args:
        iterator: what makes the elements.

    Attributes:
        waited: seconds that the taker has waited so far.
    """

    def __init__(self, iterator: Iterator[Any]) -> None:
        self._iterator = iterator
        self._ready: queue.Queue[tuple[Any, BaseException | None]] = queue.Queue(_BATCHES_AHEAD)
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._fill, name="pretraining-batches", daemon=True)
        self.waited = 0.0

    def __enter__(self) -> "Prefetched":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_over.set()
        self._thread.join()

    def __next__(self) -> Any:
        began = time.monotonic()
        element, error = self._ready.get()
        self.waited += time.monotonic() - began
        if error is not None:
            raise error
        return element

    def _fill(self) -> None:
        try:
            for element in self._iterator:
                if not self._put((element, None)):
                    return
        except BaseException as error:  # raised again where the element is taken
            self._put((None, error))

    def _put(self, element: tuple[Any, BaseException | None]) -> bool:
        while not self._is_over.is_set():
            try:
                self._ready.put(element, timeout=0.1)
            except queue.Full:
                continue
            return True
        return False

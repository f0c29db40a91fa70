"""The progress of reading files on the standard error: a bar on a terminal, else a line for each tenth."""

import sys
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn


class ByteProgress:
    """Shows how much is read; use it as a context.

    Args:
        title: what stands before the bar.
    """

    def __init__(self, title: str) -> None:
        self._title = title
        self._is_bar = sys.stderr.isatty()
        self._tenth = 0
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            DownloadColumn(),
            TextColumn("{task.fields[figures]}"),
            TimeElapsedColumn(),
            TextColumn("eta"),
            TimeRemainingColumn(),
            console=Console(file=sys.stderr),
            disable=not self._is_bar,
        )
        self._task = self._bar.add_task(title, total=None, figures="")

    def __enter__(self) -> "ByteProgress":
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def at(self, bytes_read: int, total_bytes: int, figures: str = "") -> None:
        """Show a state; `figures` says what was made of it."""
        if self._is_bar:
            self._bar.update(self._task, completed=bytes_read, total=total_bytes, figures=figures)
            return
        tenth = 10 * bytes_read // max(total_bytes, 1)
        if tenth > self._tenth:
            self._tenth = tenth
            print(f"{self._title}: {10 * tenth}% {figures}".rstrip(), file=sys.stderr, flush=True)

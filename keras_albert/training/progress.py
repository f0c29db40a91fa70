"""The progress of a run on the standard error: a bar on a terminal, else a line a round."""

import sys
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn


class RunProgress:
    """Shows how far a run is; use it as a context.

    Args:
        total_steps: steps of the run.
        title: what stands before the bar.
        is_shown: False shows nothing.
    """

    def __init__(self, total_steps: int, title: str = "Training", is_shown: bool = True) -> None:
        self._total = total_steps
        self._is_shown = is_shown
        self._is_bar = is_shown and sys.stderr.isatty()
        self._loss = self._score = ""
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("steps"),
            TextColumn("{task.fields[figures]}"),
            TimeElapsedColumn(),
            TextColumn("eta"),
            TimeRemainingColumn(),
            console=Console(file=sys.stderr),
            disable=not self._is_bar,
        )
        self._task = self._bar.add_task(title, total=total_steps, figures="")

    def __enter__(self) -> "RunProgress":
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def at(self, step: int, loss: str = "") -> None:
        """Show a step, with a new loss where there is one."""
        self._loss = loss or self._loss
        if self._is_bar:
            self._bar.update(self._task, completed=step, figures=f"{self._loss} {self._score}".strip())

    def scored(self, step: int, score: str, is_best: bool) -> None:
        """Show the figures of a round."""
        self._score = score
        best = " (best so far)" if is_best else ""
        if self._is_bar:
            self._bar.update(self._task, completed=step, figures=f"{self._loss} {self._score}")
        elif self._is_shown:
            print(f"step {step:,} of {self._total:,}: {self._loss}, {self._score}{best}", file=sys.stderr, flush=True)

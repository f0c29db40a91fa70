"""Processes that write shards. Each is a program of its own, which loads the tokenizer once, and no Keras.

A program that uses `multiprocessing` has to guard its main module, and its processes load what that loads: Keras, that
is seconds and a gigabyte for each of them.
"""

import contextlib
import os
import pickle
import queue
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import TracebackType

import keras_albert
from keras_albert.pretraining.manifest import ShardRecord
from keras_albert.pretraining.shard_writer import ShardJob, ShardWriter, WriterSettings

# The package loads its models unless the console script has that name.
_PROGRAM = "import sys; sys.argv[0] = 'keras-albert'; from keras_albert.pretraining.workers import serve; serve()"


class WorkerError(RuntimeError):
    """A worker process ended before its time."""


class Workers:
    """A number of processes; use it as a context, which ends them all, whatever ends it.

    Args:
        count: the number of processes; with 1, this process does the work itself.
        settings: what each has to know.
    """

    def __init__(self, count: int, settings: WriterSettings) -> None:
        self._settings = settings
        self._count = count
        self._processes: list[subprocess.Popen[bytes]] = []
        self._idle: queue.SimpleQueue[subprocess.Popen[bytes]] = queue.SimpleQueue()

    def __enter__(self) -> Callable[[ShardJob], "Future[ShardRecord]"]:
        if self._count == 1:
            writer = ShardWriter(self._settings)
            return lambda job: _done(writer, job)
        for _ in range(self._count):
            self._processes.append(_start())
            self._idle.put(self._processes[-1])
        for process in self._processes:
            _send(process, self._settings)
        # A thread waits for each process.
        self._threads = ThreadPoolExecutor(self._count)
        return lambda job: self._threads.submit(self._write, job)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in self._processes:
            process.kill()
        if self._processes:
            self._threads.shutdown(cancel_futures=True)
        for process in self._processes:
            process.wait()
            for pipe in (process.stdin, process.stdout):
                with contextlib.suppress(OSError):  # what was not sent yet has no reader
                    pipe.close()  # type: ignore[union-attr]

    def _write(self, job: ShardJob) -> ShardRecord:
        process = self._idle.get()
        try:
            _send(process, job)
            answer = pickle.load(process.stdout)  # type: ignore[arg-type]
        except (OSError, EOFError, pickle.UnpicklingError) as error:
            code = process.wait()
            reason = f"signal {-code}" if code < 0 else f"exit code {code}"
            raise WorkerError(
                f"A worker process ended ({reason}); was there not enough memory? The same command goes on with what "
                "is done; with fewer workers it needs less memory."
            ) from error
        self._idle.put(process)
        if isinstance(answer, Exception):
            raise answer
        return answer


def serve() -> None:
    """Be a worker: take settings and jobs from the standard input, and answer on the standard output."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the parent, which ends its workers
    jobs = sys.stdin.buffer
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not be an answer
    writer = ShardWriter(pickle.load(jobs))
    while True:
        try:
            job = pickle.load(jobs)
        except EOFError:  # the parent has ended
            return
        answer: ShardRecord | Exception
        try:
            answer = writer.write(job)
        except Exception as error:
            answer = error
        pickle.dump(answer, answers)
        answers.flush()


def _start() -> "subprocess.Popen[bytes]":
    package = str(Path(keras_albert.__file__).parents[1])
    path = os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH")]))
    return subprocess.Popen(
        [sys.executable, "-P", "-c", _PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": path},
    )


def _send(process: "subprocess.Popen[bytes]", content: object) -> None:
    pickle.dump(content, process.stdin)  # type: ignore[arg-type]
    process.stdin.flush()  # type: ignore[union-attr]


def _done(writer: ShardWriter, job: ShardJob) -> "Future[ShardRecord]":
    future: Future[ShardRecord] = Future()
    try:
        future.set_result(writer.write(job))
    except Exception as error:  # raised when its turn comes, after what was written before
        future.set_exception(error)
    return future

import os
import signal
import subprocess
import sys

import pytest
from small_corpus import write_corpus

from keras_albert.pretraining import write_tokenizer
from keras_albert.pretraining.shard_writer import ShardJob, WriterSettings
from keras_albert.pretraining.workers import WorkerError, Workers


@pytest.fixture
def settings(tmp_path, tokenizer):
    return WriterSettings(write_tokenizer(tokenizer, tmp_path / "tokenizer").path, True, "en")


def job(number: int, folder) -> ShardJob:
    return ShardJob(number, [[f"A cat sat {number}."]], folder / f"{number}.part", f"{number}.safetensors")


def test_processes_answer_with_the_records_of_their_jobs(settings, tmp_path):
    with Workers(2, settings) as submit:
        futures = [submit(job(number, tmp_path)) for number in range(5)]
        records = [future.result() for future in futures]
    assert [record.file for record in records] == [f"{number}.safetensors" for number in range(5)]
    assert all((tmp_path / f"{number}.part").stat().st_size == records[number].bytes for number in range(5))


def test_a_process_that_is_killed_is_an_error_that_says_so(settings, tmp_path):
    workers = Workers(2, settings)
    with pytest.raises(WorkerError, match=r"signal 9.*The same command goes on"), workers as submit:
        for process in workers._processes:
            process.kill()
            process.wait()
        submit(job(0, tmp_path)).result()


def test_every_process_is_gone_at_the_end_even_where_it_has_work(settings, tmp_path):
    workers = Workers(2, settings)
    with pytest.raises(KeyboardInterrupt), workers as submit:
        for number in range(20):
            submit(job(number, tmp_path))
        raise KeyboardInterrupt
    assert all(process.poll() is not None for process in workers._processes)


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_a_process_ends_with_its_parent_and_not_by_ctrl_c(settings, tmp_path):
    workers = Workers(2, settings)
    with workers as submit:
        for number in range(2):
            submit(job(number, tmp_path)).result()
        first = workers._processes[0]
        os.kill(first.pid, signal.SIGINT)
        with pytest.raises(subprocess.TimeoutExpired):
            first.wait(0.2)
        first.stdin.close()  # as where the parent is killed
        assert first.wait(10) == 0


def test_a_file_called_like_a_module_in_the_working_folder_does_no_harm(settings, tmp_path, monkeypatch):
    (tmp_path / "numpy.py").write_text("raise SystemExit(3)")
    write_corpus(tmp_path / "text.txt", 1)
    monkeypatch.chdir(tmp_path)
    with Workers(2, settings) as submit:
        assert submit(job(0, tmp_path)).result().documents == 1

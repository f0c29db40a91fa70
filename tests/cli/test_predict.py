import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from keras_albert.finetuning import read_examples


def test_texts_as_arguments_and_in_any_script(call: Callable[..., Any], classifier_preset: Path) -> None:
    outcome = call("predict", "--model", classifier_preset, "a good\tfilm", "我们", "-x")
    assert outcome.code == 2  # what looks like an option comes after --
    outcome = call("predict", "--model", classifier_preset, "--", "a good\tfilm", "我们", "-x")
    assert outcome.code == 0
    assert outcome.out == "yes\t0.7311\ta good film\nyes\t0.7311\t我们\nyes\t0.7311\t-x\n"


def test_a_very_long_text_is_cut_and_reported_once(call: Callable[..., Any], classifier_preset: Path) -> None:
    outcome = call("predict", "--model", classifier_preset, "good " * 20_000, "good")
    assert outcome.code == 0
    assert len(outcome.out.splitlines()) == 2
    assert outcome.err.count("\n") == 1
    assert outcome.err.startswith("Warning: 1 of 2 texts")


def test_texts_from_the_standard_input(
    call: Callable[..., Any], classifier_preset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("\ufeffone\r\n我们\n".encode())))
    assert call("predict", "--model", classifier_preset, "-").out == "yes\t0.7311\tone\nyes\t0.7311\t我们\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"one\ncaf\xe9\n")))
    outcome = call("predict", "--model", classifier_preset, "-")
    assert (outcome.code, outcome.out) == (2, "")
    assert "The standard input, line 2: expected UTF-8" in outcome.err
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    assert "at least one row in the standard input" in call("predict", "--model", classifier_preset, "-").err


@pytest.mark.parametrize("name", ["out 我们.tsv", "out.csv", "out.jsonl"])
def test_a_file_to_a_table(
    call: Callable[..., Any], classifier_preset: Path, table: Path, tmp_path: Path, name: str
) -> None:
    arguments = ["--model", classifier_preset, "--file", table, "--text", "sentence", "--output", tmp_path / name]
    outcome = call("predict", *arguments)
    assert outcome.code == 0
    assert outcome.out == f"Wrote 3 rows to {tmp_path / name}.\n"
    again = read_examples(tmp_path / name, "text", label="prediction")
    assert again.texts == ["a good train", "a bad knife", "我们 good"]
    assert again.labels == ["yes"] * 3


def test_pairs_of_a_file(call: Callable[..., Any], classifier_preset: Path, table: Path) -> None:
    outcome = call(
        "predict", "--model", classifier_preset, "--file", table, "--text", "sentence", "--text-pair", "gold"
    )
    assert outcome.out.splitlines()[1] == "yes\t0.7311\ta bad knife\tno"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Name the texts"),
        (["a text", "--file", "x.tsv"], "Name the texts once"),
        (["a text", "--text-pair", "b"], "--text-pair names a column"),
        (["a text", "--output", "x.txt"], "ends in .tsv, .csv, .jsonl"),
        (["a text", "--output", "x.json"], "classification has no official JSON"),
        (["--file", "none.tsv"], "There is no file none.tsv"),
        (["a text", "--output", "no folder/x.tsv"], "Cannot write no folder/x.tsv"),
    ],
)
def test_bad_arguments_are_one_line(
    call: Callable[..., Any], classifier_preset: Path, arguments: list[str], message: str
) -> None:
    outcome = call("predict", "--model", classifier_preset, *arguments)
    assert outcome.code == 2
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


def test_a_model_that_is_no_classifier_is_one_line(call: Callable[..., Any], kept_golden: Path) -> None:
    outcome = call("predict", "--model", kept_golden / "albert_tiny_g2.tar.gz", "a text")
    assert outcome.code == 2
    assert "Expected a model that was fine-tuned" in outcome.err
    assert outcome.err.count("\n") == 1


def test_a_submission_of_a_task_and_what_it_needs(
    call: Callable[..., Any], classifier_preset: Path, tmp_path: Path
) -> None:
    (tmp_path / "test.tsv").write_text("index\tsentence\n0\ta good train\n1\ta bad knife\n")
    words = ["predict", "--model", classifier_preset, "--task", "sst-2", "--data", tmp_path]
    outcome = call(*words, "--output", tmp_path / "SST-2.tsv")
    assert outcome.code == 0, outcome.err
    assert (tmp_path / "SST-2.tsv").read_text() == "index\tprediction\n0\tyes\n1\tyes\n"
    outcome = call(*words)
    assert (outcome.code, outcome.out) == (2, "")
    assert "it needs --output" in outcome.err


def test_rows_of_another_kind_are_one_line(call: Callable[..., Any], classifier_preset: Path, tmp_path: Path) -> None:
    path = tmp_path / "ner.conll"
    path.write_text("Oslo\tB-LOC\n")
    outcome = call("evaluate", "--model", classifier_preset, "--task", "wnut-17", "--data", path)
    assert (outcome.code, outcome.out) == (2, "")
    assert "fine-tuned for classification, which takes Examples. Received: TaggedExamples" in outcome.err

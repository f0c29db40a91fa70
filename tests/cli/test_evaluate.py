import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def test_figures_of_a_file(call: Callable[..., Any], classifier_preset: Path, table: Path) -> None:
    arguments = ["evaluate", "--model", classifier_preset, "--file", table, "--text", "sentence", "--label", "gold"]
    outcome = call(*arguments)
    assert outcome.code == 0
    # The model always answers "yes", which two of three labels are.
    assert "Accuracy      0.6667 (3 rows)" in outcome.out
    assert "Always 'yes'  0.6667 (accuracy)" in outcome.out
    assert outcome.out.splitlines()[-2].split() == ["no", "0", "1"]
    assert outcome.err == ""
    facts = json.loads(call(*arguments, "--json").out)
    assert facts["confusion_matrix"] == [[0, 1], [0, 2]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Name the rows: by --file, or by --task and --data."),
        (["--task", "sst-2"], "belong together"),
        (["--data", "folder"], "belong together"),
        (["--task", "sst-2", "--data", "folder", "--file", "x.tsv"], "Name the rows once"),
        (["--task", "sst-3", "--data", "folder"], "one of the tasks cola, sst-2"),
        (["--task", "sst-2", "--data", "no folder"], "no such folder or file"),
        (["--file", "none.tsv"], "There is no file none.tsv"),
        (["--file", "none.xlsx"], "ends in .tsv, .csv, .jsonl"),
    ],
)
def test_rows_that_are_not_there_are_one_line(
    call: Callable[..., Any], classifier_preset: Path, arguments: list[str], message: str
) -> None:
    outcome = call("evaluate", "--model", classifier_preset, *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


def test_columns_and_labels_that_are_not_there_are_one_line(
    call: Callable[..., Any], classifier_preset: Path, table: Path
) -> None:
    outcome = call("evaluate", "--model", classifier_preset, "--file", table)
    assert outcome.code == 2
    assert "no column is named 'text'. The columns are: sentence, gold." in outcome.err
    outcome = call("evaluate", "--model", classifier_preset, "--file", table, "--text", "gold", "--label", "sentence")
    assert outcome.code == 2
    assert "Expected labels among ['no', 'yes']" in outcome.err

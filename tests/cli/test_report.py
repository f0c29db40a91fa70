import sys

import pytest

from keras_albert.cli.report import print_facts, print_table, progress_on_stderr

pytestmark = pytest.mark.any_backend


def test_tables_are_not_wrapped_or_cut_for_other_programs(capsys: pytest.CaptureFixture[str]) -> None:
    address = "https://example.org/" + "x" * 300
    print_table(["name", "address"], [["[CLS] 我们 [bold]", address]])
    assert f"[CLS] 我们 [bold]   {address}" in capsys.readouterr().out


def test_facts_are_aligned(capsys: pytest.CaptureFixture[str]) -> None:
    print_facts({"a": 1, "long name": "[x]", "none": ""})
    assert capsys.readouterr().out == "a          1\nlong name  [x]\nnone\n"


def test_progress_goes_to_the_standard_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with progress_on_stderr() as verbose:
        print("progress")
    assert verbose == 2  # no terminal: a line an epoch
    assert capsys.readouterr() == ("", "progress\n")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with progress_on_stderr() as verbose:
        assert verbose == 1

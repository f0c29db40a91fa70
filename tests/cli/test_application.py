import os
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer

from keras_albert.cli import application, main
from keras_albert.conversion import CheckFailedError

COMMANDS = ["convert", "inspect", "presets", "finetune", "evaluate", "predict"]


def test_help_names_every_command(call: Callable[..., Any]) -> None:
    outcome = call("--help")
    assert outcome.code == 0
    for name in COMMANDS:
        assert f" {name} " in outcome.out
    assert outcome.err == ""


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_ends_with_an_example(call: Callable[..., Any], name: str) -> None:
    outcome = call(name, "--help")
    assert outcome.code == 0
    assert f"Example: keras-albert {name}" in " ".join(outcome.out.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nonsense"], "No such command 'nonsense'. See keras-albert --help."),
        (["convert"], "Missing argument 'SOURCE'. See keras-albert convert --help."),
        (["presets", "--nonsense"], "No such option: --nonsense"),
        (["finetune", "--preset", "p", "--output", "o", "--epochs", "0"], "Invalid value for '--epochs'"),
        (["finetune", "--preset", "p", "--output", "o", "--epochs", "many"], "Invalid value for '--epochs'"),
        (["finetune", "--preset", "p", "--output", "o", "--learning-rate", "-1"], "learning_rate=-1.0"),
        (["convert", "a", "b", "--dtype", "int4"], "Invalid value for '--dtype'"),
    ],
)
def test_a_bad_argument_is_one_line_and_code_2(call: Callable[..., Any], arguments: list[str], message: str) -> None:
    outcome = call(*arguments)
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.startswith("Error: ")
    assert outcome.err.count("\n") == 1
    assert message in outcome.err


def raising(error: BaseException) -> Callable[..., None]:
    def command() -> None:
        raise error

    return command


def with_command(monkeypatch: pytest.MonkeyPatch, command: Callable[..., None]) -> None:
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(command)
    monkeypatch.setattr(application, "app", app)


@pytest.mark.parametrize("error", [KeyboardInterrupt, typer.Abort])
def test_ctrl_c_is_a_message_and_code_130(
    call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    with_command(monkeypatch, raising(error()))
    outcome = call()
    assert outcome.code == 130
    assert outcome.err == "Interrupted. Nothing half-written was left.\n"


def test_a_check_that_failed_is_code_1(call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    with_command(monkeypatch, raising(CheckFailedError("differs")))
    assert call() == type(call())(1, "", "Error: differs\n")


def test_a_fault_of_the_program_is_not_hidden(call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    with_command(monkeypatch, raising(TypeError("a fault")))
    with pytest.raises(TypeError, match="a fault"):
        call()


def test_debugging_shows_where_an_error_comes_from(call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KERAS_ALBERT_DEBUG", "1")
    with_command(monkeypatch, raising(ValueError("bad")))
    with pytest.raises(ValueError, match="bad"):
        call()


def test_warnings_are_one_line(call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    def command() -> None:
        warnings.warn("3 texts\n  are long", stacklevel=1)
        warnings.warn("for programmers", DeprecationWarning, stacklevel=1)

    with_command(monkeypatch, command)
    before = warnings.showwarning
    outcome = call()
    assert (outcome.code, outcome.err) == (0, "Warning: 3 texts are long\n")
    assert warnings.showwarning is before


def test_a_closed_pipe_is_quiet(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    class Closed:
        def __init__(self) -> None:
            self.duplicate = os.dup(1)

        def fileno(self) -> int:
            return self.duplicate

        def write(self, text: str) -> int:
            return len(text)

        def flush(self) -> None:
            raise BrokenPipeError(32, "Broken pipe")

    closed = Closed()
    monkeypatch.setattr(sys, "stdout", closed)
    assert main(["presets", "--json"]) == 1
    os.close(closed.duplicate)
    assert capfd.readouterr().err == ""


def test_the_console_script_exits_with_code_2(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "import sys; from keras_albert.cli import main; sys.exit(main())"]
    ended = subprocess.run(
        [*command, "inspect", str(tmp_path / "not there")], capture_output=True, text=True, check=False, timeout=300
    )
    assert ended.returncode == 2
    assert ended.stdout == ""
    last = ended.stderr.splitlines()[-1]
    assert last.startswith("Error: Expected a preset's name")
    assert "Traceback" not in ended.stderr

import errno
import importlib.util
from typing import Any

import pytest

from keras_albert.checkpoints import CheckpointMismatchError
from keras_albert.cli.errors import exit_code_of, message_of
from keras_albert.conversion import CheckFailedError
from keras_albert.finetuning import OutputError
from keras_albert.presets import CacheError, DownloadError


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (ValueError("Expected one.\n   Received: two"), "Expected one. Received: two"),
        (FileNotFoundError(errno.ENOENT, "No such file or directory", "a b.tsv"), "a b.tsv: No such file or directory"),
        (FileNotFoundError("There is no file a.tsv."), "There is no file a.tsv."),
        (PermissionError(errno.EACCES, "Permission denied", "run"), "run: Permission denied"),
        (DownloadError("Cannot download x."), "Cannot download x."),
        (CacheError("Cannot write to x."), "Cannot write to x."),
        (OutputError("Cannot write x: full."), "Cannot write x: full."),
        (ImportError("It needs TensorFlow: pip install keras-albert[tensorflow]."), "It needs TensorFlow: pip install"),
        (ValueError(), "ValueError"),
    ],
)
def test_errors_that_a_user_causes_are_one_line_and_code_2(error: Exception, message: str) -> None:
    assert exit_code_of(error) == 2
    assert message_of(error).startswith(message)
    assert "\n" not in message_of(error)


def test_lists_of_variables_keep_their_lines() -> None:
    error = CheckpointMismatchError("x.tar.gz", missing=["one", "two"])
    assert exit_code_of(error) == 2
    assert message_of(error).splitlines()[1:] == ["Missing (2):", "  one", "  two"]


def test_failed_checks_and_faults_of_the_program() -> None:
    assert exit_code_of(CheckFailedError("differs")) == 1
    assert exit_code_of(TypeError("a fault")) is None


@pytest.mark.parametrize(
    ("environment", "there", "expected"),
    [
        (
            None,
            ["jax"],
            "used where KERAS_BACKEND is not set) is not installed. Set KERAS_BACKEND=jax, which is installed",
        ),
        ("tensorflow", ["jax", "torch"], "chosen by KERAS_BACKEND) is not installed. Set KERAS_BACKEND=jax or torch"),
        (None, [], "is not installed. Do pip install keras-albert[tensorflow]."),
    ],
)
def test_an_absent_backend_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, environment: str | None, there: list[str], expected: str
) -> None:
    monkeypatch.delenv("KERAS_BACKEND", raising=False)
    if environment is not None:
        monkeypatch.setenv("KERAS_BACKEND", environment)

    def find_spec(name: str, *rest: Any) -> Any:
        return object() if name in there else None

    monkeypatch.setattr(importlib.util, "find_spec", find_spec)
    error = ModuleNotFoundError("No module named 'tensorflow'", name="tensorflow")
    assert exit_code_of(error) == 2
    assert expected in message_of(error)
    assert message_of(error).endswith("pip install keras-albert[tensorflow].")

"""Every example in a docstring of the package runs and prints what it says."""

import doctest
import importlib
from pathlib import Path

import numpy as np
import pytest

import keras_albert

PACKAGE = Path(keras_albert.__file__).parent
WITH_EXAMPLES = [path for path in sorted(PACKAGE.rglob("*.py")) if ">>>" in path.read_text(encoding="utf-8")]
NAMES = [".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts) for path in WITH_EXAMPLES]


@pytest.mark.parametrize("name", NAMES)
def test_examples_in_docstrings(name: str) -> None:
    # What every reader of an example has imported already.
    imported = {"keras_albert": keras_albert, "np": np}
    results = doctest.testmod(importlib.import_module(name), extraglobs=imported)
    assert results.attempted > 0
    assert results.failed == 0


@pytest.mark.parametrize(
    "name", ["sharing", "text.batching", "text.masking", "text.packing", "text.segments", "training.schedules"]
)
def test_data_functions_have_examples(name: str) -> None:
    assert f"keras_albert.{name}" in NAMES

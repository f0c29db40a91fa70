import doctest
import importlib
import tempfile

import numpy as np
import pytest


@pytest.mark.parametrize("name", ["examples", "metrics", "predictions", "readers", "settings"])
def test_examples_in_docstrings(name: str) -> None:
    module = importlib.import_module(f"keras_albert.finetuning.{name}")
    results = doctest.testmod(module, extraglobs={"np": np, "tempfile": tempfile})
    assert results.attempted > 0
    assert results.failed == 0

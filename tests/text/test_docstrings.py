import doctest
import importlib

import pytest


@pytest.mark.parametrize(
    "name",
    [
        "basic_tokenization",
        "normalization",
        "offsets",
        "sentencepiece_tokenizer",
        "special_tokens",
        "vocabulary",
        "wordpiece_tokenizer",
    ],
)
def test_examples_in_docstrings(name: str) -> None:
    results = doctest.testmod(importlib.import_module(f"keras_albert.text.{name}"))
    assert results.attempted > 0
    assert results.failed == 0

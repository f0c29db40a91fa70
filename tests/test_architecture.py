"""The house: which folder may import which, and what an import brings along."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import keras_albert

PACKAGE = Path(keras_albert.__file__).parent
# Left may not import right; folders on one level do not import each other.
LEVELS = [
    {"layers", "sharing", "checkpoints"},
    {"presets"},
    {"backbone", "training"},
    {"text"},
    {"tasks"},
    {"conversion", "finetuning", "pretraining", "reshaping"},
    {"cli"},
]
LEVEL_OF = {room: level for level, rooms in enumerate(LEVELS) for room in rooms}
FILES = sorted(PACKAGE.rglob("*.py"))


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_modules(path: Path) -> set[str]:
    modules = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            modules |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return modules


@pytest.mark.any_backend
def test_every_room_has_a_level():
    assert {room(path) for path in FILES} - {"__init__"} == set(LEVEL_OF)


@pytest.mark.any_backend
@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_one_way(path):
    here = room(path)
    if here == "__init__":
        return
    rooms = {name.split(".")[1] for name in imported_modules(path) if name.startswith("keras_albert.")}
    wrong = {other for other in rooms if other in LEVEL_OF and other != here and LEVEL_OF[other] >= LEVEL_OF[here]}
    assert not wrong, f"{here} may not import {sorted(wrong)}"


@pytest.mark.any_backend
@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_private_module_of_keras_is_imported(path):
    private = {name for name in imported_modules(path) if name.startswith(("keras.src", "keras_hub.src"))}
    assert not private


@pytest.mark.any_backend
@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_tensorflow_is_imported_inside_of_functions_only(path):
    top_level = ast.parse(path.read_text(encoding="utf-8")).body
    names = {alias.name for node in top_level if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in top_level if isinstance(node, ast.ImportFrom) and node.module}
    assert not {name for name in names if name.split(".")[0] in ("tensorflow", "jax", "torch")}


WITHOUT_TENSORFLOW = """
import sys
for name in ("tensorflow", "tensorflow_text"):
    sys.modules[name] = None
import numpy as np, pkgutil, importlib
import keras_albert
for module in pkgutil.walk_packages(keras_albert.__path__, "keras_albert."):
    importlib.import_module(module.name)
texts = ["a good one", "a bad one"] * 8
tokenizer = keras_albert.AlbertTokenizer(keras_albert.train_vocabulary(texts, 22))
backbone = keras_albert.AlbertBackbone(22, 1, 1, 8, 16, 4, max_sequence_length=16)
preprocessor = keras_albert.AlbertClassifierPreprocessor(tokenizer, max_sequence_length=16)
classifier = keras_albert.AlbertClassifier(backbone, 2, preprocessor)
classifier.fit(texts, [1, 0] * 8, verbose=0)
assert classifier.predict(texts[:2], verbose=0).shape == (2, 2)
try:
    keras_albert.AlbertBackbone.from_preset(sys.argv[1])
except ImportError as error:
    assert "keras-albert[tensorflow]" in str(error), error
    print("done")
"""


@pytest.mark.any_backend
@pytest.mark.parametrize("backend", ["jax", "torch"])
def test_everything_but_googles_checkpoints_works_without_tensorflow(backend, golden_model):
    import os

    archive, _ = golden_model("albert_tiny_g2")
    environment = os.environ | {"KERAS_BACKEND": backend}
    result = subprocess.run(
        [sys.executable, "-c", WITHOUT_TENSORFLOW, str(archive)], env=environment, capture_output=True, text=True
    )
    assert result.stdout.strip().endswith("done"), result.stderr[-2000:]


def test_importing_the_package_costs_no_more_modules_than_keras_hub():
    code = (
        "import sys, keras_hub; before = {name.split('.')[0] for name in sys.modules}; import keras_albert; "
        "print(sorted({name.split('.')[0] for name in sys.modules} - before - {'keras_albert'}))"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    heavy = {"matplotlib", "sklearn", "typer", "tensorflow", "torch", "jax", "pandas"}
    assert not heavy & set(ast.literal_eval(printed.strip().splitlines()[-1]))


@pytest.mark.any_backend
@pytest.mark.parametrize("order", ["torch, sentencepiece", "sentencepiece, torch", "tensorflow, sentencepiece"])
def test_sentencepiece_imports_beside_the_backends_in_either_order(order):
    subprocess.run([sys.executable, "-c", f"import {order}"], check=True, capture_output=True)


@pytest.mark.any_backend
def test_public_names_are_importable_and_listed():
    for name in keras_albert.__all__:
        assert getattr(keras_albert, name) is not None

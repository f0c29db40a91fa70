import json
import shutil
import sys
from types import ModuleType, SimpleNamespace

import huggingface_hub
import kagglehub
import pytest
from huggingface_hub.errors import EntryNotFoundError

from keras_albert.presets import stored_task

pytestmark = pytest.mark.any_backend


@pytest.fixture
def task_file(tmp_path):
    path = tmp_path / "task.json"
    path.write_text(json.dumps({"registered_name": "keras_albert>AlbertClassifier"}))
    return path


def test_task_of_a_directory(task_file):
    assert stored_task(str(task_file.parent)) == "keras_albert>AlbertClassifier"
    task_file.unlink()
    assert stored_task(str(task_file.parent)) is None


def test_task_on_hugging_face(task_file, monkeypatch):
    asked = []

    def fetch(repo_id, filename):
        asked.append((repo_id, filename))
        return str(task_file)

    monkeypatch.setattr(huggingface_hub, "hf_hub_download", fetch)

    assert stored_task("hf://user/model/") == "keras_albert>AlbertClassifier"
    assert asked == [("user/model", "task.json")]


def test_no_task_on_hugging_face(monkeypatch):
    def fetch(repo_id, filename):
        raise EntryNotFoundError.__new__(EntryNotFoundError)

    monkeypatch.setattr(huggingface_hub, "hf_hub_download", fetch)

    assert stored_task("hf://user/model") is None


def test_task_on_kaggle(task_file, monkeypatch):
    def fetch(handle, path):
        assert (handle, path) == ("keras/albert/keras/base/5", "task.json")
        return str(task_file)

    monkeypatch.setattr(kagglehub, "model_download", fetch)

    assert stored_task("kaggle://keras/albert/keras/base/5") == "keras_albert>AlbertClassifier"


def test_no_task_on_kaggle(monkeypatch):
    def fetch(handle, path):
        raise ValueError("task.json is not present in the model files. You can access the other files")

    monkeypatch.setattr(kagglehub, "model_download", fetch)

    assert stored_task("kaggle://keras/albert/keras/base") is None


def test_other_errors_of_kaggle_pass(monkeypatch):
    def fetch(handle, path):
        raise ValueError("Invalid model handle")

    monkeypatch.setattr(kagglehub, "model_download", fetch)

    with pytest.raises(ValueError, match="Invalid model handle"):
        stored_task("kaggle://nonsense")


def test_task_on_modelscope(task_file, monkeypatch):
    fetched = SimpleNamespace(snapshot_download=lambda model: str(task_file.parent))
    for name in ("modelscope", "modelscope.hub"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, "modelscope.hub.snapshot_download", fetched)

    assert stored_task("modelscope://user/model") == "keras_albert>AlbertClassifier"


@pytest.mark.parametrize(("handle", "module"), [("modelscope://u/m", "modelscope"), ("gs://b/m", "tensorflow")])
def test_missing_library_is_named(monkeypatch, handle, module):
    monkeypatch.setitem(sys.modules, module, None)

    with pytest.raises(ImportError, match=f"pip install .*{module}"):
        stored_task(handle)


def test_task_on_google_storage(task_file, monkeypatch):
    import tensorflow as tf

    monkeypatch.setattr(tf.io.gfile, "exists", lambda address: address == "gs://bucket/model/task.json")
    monkeypatch.setattr(tf.io.gfile, "copy", lambda address, path: shutil.copy(task_file, path))

    assert stored_task("gs://bucket/model") == "keras_albert>AlbertClassifier"
    assert stored_task("gs://bucket/other") is None


def test_what_is_no_handle_is_an_error(tmp_path):
    with pytest.raises(ValueError, match="none"):
        stored_task(str(tmp_path / "none"))

"""Two hundred damaged checkpoints: one clear error each, none loads, nothing is left behind."""

import json
import shutil

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from keras_albert.checkpoints import SAFETENSORS_NAME, TaskHead, open_hugging_face, open_release, table_for
from keras_albert.checkpoints.hugging_face import to_hugging_face_config

pytestmark = pytest.mark.any_backend
KINDS = ["dropped", "added", "reshaped", "swapped", "truncated", "json"]


@pytest.fixture
def whole(write_release, arrays, backbone_config, tmp_path):
    """The same model in Google's layout and in Hugging Face's: folder, opener and name of the weights' file."""
    google = write_release(arrays)
    theirs = tmp_path / "hugging_face"
    theirs.mkdir()
    config = to_hugging_face_config(backbone_config, TaskHead("sentence_order_head"))
    (theirs / "config.json").write_text(json.dumps(config))
    tensors = {
        row.hugging_face: np.ascontiguousarray(arrays[row.google].T if row.is_turned else arrays[row.google])
        for row in table_for(backbone_config)
        if row.google in arrays
    }
    save_file(tensors, theirs / "model.safetensors")
    return {
        "google": (google, open_release, SAFETENSORS_NAME, "albert_config.json"),
        "hugging_face": (theirs, open_hugging_face, "model.safetensors", "config.json"),
    }


def damage(kind, rng, folder, weights, config):
    """Do one kind of damage, and return words of which the error must hold one."""
    path = folder / weights
    if kind == "truncated":
        content = path.read_bytes()
        path.write_bytes(content[: rng.integers(0, len(content))])
        return [weights]
    if kind == "json":
        content = (folder / config).read_text()
        broken = [content[: rng.integers(1, len(content))], "[]", "{}", "\x00", content.replace(":", ": -", 1), "7"]
        text = broken[rng.integers(len(broken))]
        (folder / config).write_text(text)
        return [config, "config", str(folder)]
    tensors = load_file(path)
    names = sorted(name for name in tensors if tensors[name].ndim)
    name = names[rng.integers(len(names))]
    words = [name]
    if kind == "dropped":
        del tensors[name]
    elif kind == "added":
        name = ("bert/" if "/" in name else "albert.") + f"strange{rng.integers(100)}"
        tensors[name] = np.zeros(3, "float32")
        words = [name]
    elif kind == "reshaped":
        tensors[name] = np.zeros((*tensors[name].shape, 2), "float32")
    else:  # the arrays of two names of unequal shapes change places
        others = [
            other for other in names if tensors[other].shape not in (tensors[name].shape, tensors[name].shape[::-1])
        ]
        other = others[rng.integers(len(others))]
        tensors[name], tensors[other] = tensors[other], tensors[name]
        words = [name, other]
    save_file(tensors, path)
    return words


@pytest.mark.parametrize("layout", ["google", "hugging_face"])
def test_each_damage_gives_one_clear_error(layout, whole, tmp_path):
    folder, opener, weights, config = whole[layout]
    opener(folder)
    rng = np.random.default_rng(11)
    for number in range(100):
        kind = KINDS[number % len(KINDS)]
        broken = tmp_path / "broken"
        shutil.rmtree(broken, ignore_errors=True)
        shutil.copytree(folder, broken)
        words = damage(kind, rng, broken, weights, config)
        before = sorted(path.name for path in broken.iterdir())
        with pytest.raises((ValueError, FileNotFoundError)) as raised:
            opener(broken)
        message = str(raised.value)
        assert any(word in message for word in words), (number, kind, words, message)
        assert sorted(path.name for path in broken.iterdir()) == before

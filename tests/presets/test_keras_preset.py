import json

import pytest

from keras_albert.presets.keras_preset import read_part


def test_part_is_read(tmp_path):
    (tmp_path / "task.json").write_text(json.dumps({"registered_name": "a>B"}))

    assert read_part(tmp_path, "task") == {"registered_name": "a>B"}


@pytest.mark.parametrize("content", [None, "[1]"])
def test_part_that_is_absent_or_no_object_is_empty(tmp_path, content):
    if content is not None:
        (tmp_path / "task.json").write_text(content)

    assert read_part(tmp_path, "task") == {}


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xff"])
def test_part_that_is_not_json_is_named(tmp_path, content):
    (tmp_path / "task.json").write_bytes(content)

    with pytest.raises(ValueError, match=r"task\.json"):
        read_part(tmp_path, "task")

import gzip
from pathlib import Path

import pytest

from keras_albert.finetuning.readers.json_members import member, read_json

pytestmark = pytest.mark.any_backend


def test_a_byte_order_mark_and_an_archive_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.JSON.GZ"
    path.write_bytes(gzip.compress(b'\xef\xbb\xbf{"a": "\xe4\xb8\x80"}'))
    assert read_json(path) == {"a": "一"}


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.json", b'{"a": 1,\n  b}', r"a\.json, line 2, column 3: expected JSON"),
        ("a.json", b'{"a":\n "\xff"}', r"a\.json, line 2: expected UTF-8\. Received: byte 0xff, number 8"),
        ("a.json.gz", gzip.compress(b"{}" * 50)[:-12], r"truncated or damaged"),
        ("a.json.gz", b"{}", r"truncated or damaged"),
        ("a.jsonl", b"{}", r"ends in \.json or \.json\.gz"),
    ],
)
def test_what_is_not_json_is_refused(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ValueError, match=message):
        read_json(tmp_path / name)


def test_an_absent_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"no file .*none\.json"):
        read_json(tmp_path / "none.json")


@pytest.mark.parametrize(
    ("owner", "kind", "message"),
    [
        ([1], str, r"^here: expected an object with 'a'\. Received: \[1\]$"),
        ({"b": 1}, str, r"^here: expected a member 'a' \(text\)\. Received: an object with 'b'$"),
        ({"a": None}, list, r"^here: expected 'a' to be a list\. Received: null$"),
        ({"a": True}, int, r"^here: expected 'a' to be a whole number\. Received: true$"),
    ],
)
def test_a_member_of_another_form_is_refused(owner: object, kind: type, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        member(owner, "a", kind, "here")

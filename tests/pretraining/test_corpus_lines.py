import gzip
import io

import pytest

from keras_albert.pretraining import corpus_lines
from keras_albert.pretraining.corpus_lines import ReadingCounts, bounded_lines, opened, whole_lines


def bounded(content: bytes) -> tuple[list[str], ReadingCounts]:
    counts = ReadingCounts()
    return list(bounded_lines(io.BytesIO(content), counts)), counts


@pytest.fixture
def short_lines(monkeypatch):
    monkeypatch.setattr(corpus_lines, "MAX_LINE_BYTES", 16)


def test_lines_come_without_white_space_blank_ones_as_empty():
    assert bounded(b"\xef\xbb\xbf one \r\n\r\n \t\n two")[0] == ["one", "", "", "two"]


def test_what_is_not_utf8_is_replaced_and_counted_but_not_what_was_replaced_before():
    lines, counts = bounded("gut \ufffd\n".encode() + b"caf\xe9 \xff\xfe\n" + "été\n".encode())
    assert lines == ["gut \ufffd", "caf\ufffd \ufffd\ufffd", "été"]
    assert counts.replaced_characters == 3


def test_a_long_line_comes_in_parts_that_are_cut_at_blanks(short_lines):
    lines, counts = bounded(b"one two three four five six\n\nseven\n")
    assert [line for line in lines if line] == ["one two three", "four five six", "seven"]
    assert lines.count("") == 1
    assert counts.split_lines == 1


def test_a_long_line_without_blanks_is_cut_between_characters(short_lines):
    for text in ("字" * 40, "a" + "字" * 40, "aé" + "😀" * 30):
        lines, counts = bounded(text.encode() + b"\n")
        assert "".join(lines) == text
        assert counts.replaced_characters == 0
        assert counts.split_lines >= 3


def test_a_long_line_that_ends_at_the_limit_makes_no_blank_line(short_lines):
    for tail in (b"\n", b"", b"\nx\n"):
        lines, _ = bounded(b"a" * 16 + tail)
        assert "" not in lines
        assert "".join(lines).startswith("a" * 16)


def test_whole_lines_have_any_length(short_lines):
    assert list(whole_lines(io.BytesIO(b"\xef\xbb\xbf" + b"a b " * 10 + b"\r\n\nc"), ReadingCounts())) == [
        "a b " * 10,
        "",
        "c",
    ]


def test_a_gzip_file_is_unpacked_and_its_place_is_that_on_the_disk(tmp_path):
    path = tmp_path / "a b.txt.GZ"
    path.write_bytes(gzip.compress(b"one\ntwo\n"))
    with opened(path) as (file, place):
        assert file.read() == b"one\ntwo\n"
        assert place() == path.stat().st_size


@pytest.mark.parametrize("damage", ["cut", "changed", "plain"])
def test_a_damaged_gzip_file_is_named(tmp_path, damage):
    path = tmp_path / "one.txt.gz"
    content = gzip.compress(b"one two three four five six seven eight\n" * 20)
    path.write_bytes({"cut": content[:-20], "changed": content[:-8] + b"\0" * 8, "plain": b"not packed"}[damage])
    with pytest.raises(ValueError, match=r"one\.txt\.gz is damaged"), opened(path) as (file, _):
        file.read()


def test_utf16_is_an_error_that_says_so(tmp_path):
    path = tmp_path / "one.txt"
    path.write_text("one", encoding="utf-16")
    with pytest.raises(ValueError, match=r"UTF-16\. Save it as UTF-8"), opened(path):
        pass

"""Tagged rows in memory and from JSON lines."""

import pytest

from keras_albert.finetuning.readers.tagged import TaggedExamples, read_tagged

pytestmark = pytest.mark.any_backend


def test_words_of_a_text_are_where_the_spans_say():
    rows = TaggedExamples(["in  Rome"], [[(0, 2), (4, 8)]], [["O", "B-LOC"]])
    assert rows.words == [["in", "Rome"]]
    assert rows.take([0]).words == rows.words


@pytest.mark.parametrize(
    "spans, tags, message",
    [
        ([[(0, 2), (4, 9)]], None, r"\(4, 9\) after 2, a text of 8"),
        ([[(0, 2), (1, 8)]], None, r"\(1, 8\) after 2"),
        ([[(0, 2), (4, 8)]], [["O"]], "2 words, 1 tags"),
    ],
)
def test_rows_that_do_not_fit_are_refused(spans, tags, message):
    with pytest.raises(ValueError, match=f"row 0 of here.*{message}"):
        TaggedExamples(["in  Rome"], spans, tags, source="here")


def test_json_lines_are_read_with_their_names(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": 7, "words": ["New York", "!"], "tags": ["B-LOC", "O"]}\n', encoding="utf-8")
    rows = read_tagged(path)
    assert (rows.texts, rows.words, rows.tags, rows.ids) == (
        ["New York !"],
        [["New York", "!"]],
        [["B-LOC", "O"]],
        ["7"],
    )
    assert read_tagged(path, tags=None).tags is None


@pytest.mark.parametrize(
    "line, message",
    [
        ('{"words": ["a", "b"], "tags": ["O"]}', "line 2: .* 2 words, 1 tags"),
        ('{"words": "a b", "tags": ["O"]}', "line 2, column 'words': expected a list of strings"),
        ('{"words": ["a"], "tags": [1]}', "line 2, column 'tags': expected a list of strings"),
        ('{"words": ["a"], "tags": ["B-"]}', "line 2, column tags: expected a tag.*'B-'"),
        ('{"words": ["a"]}', "line 2: no column is named 'tags'"),
    ],
)
def test_lines_that_do_not_fit_are_named(tmp_path, line, message):
    path = tmp_path / "a.jsonl"
    path.write_text('{"words": ["a"], "tags": ["O"]}\n' + line + "\n", encoding="utf-8")
    with pytest.raises(ValueError, match=rf"a\.jsonl, {message}"):
        read_tagged(path)

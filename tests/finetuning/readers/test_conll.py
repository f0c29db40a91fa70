"""CoNLL's format: the layouts that occur, WNUT 2017 whole, and errors with their place."""

from collections import Counter

import pytest

from keras_albert.finetuning.readers.conll import read_conll
from keras_albert.tasks.token_classification.entities import chunks

pytestmark = pytest.mark.any_backend


def read(tmp_path, content: str, **options):
    path = tmp_path / "a.conll"
    path.write_bytes(content.encode())
    return read_conll(path, **options)


# Counted with grep: lines with a word, and lines whose tag begins with B-.
@pytest.mark.parametrize(
    "file, sentences, words, entities",
    [
        (
            "wnut17train.conll",
            3394,
            62730,
            {"person": 660, "location": 548, "group": 264, "corporation": 221, "product": 142, "creative-work": 140},
        ),
        (
            "emerging.dev.conll",
            1009,
            15733,
            {"person": 470, "location": 74, "group": 39, "corporation": 34, "product": 114, "creative-work": 105},
        ),
        (
            "emerging.test.annotated",
            1287,
            23394,
            {"person": 429, "location": 150, "group": 165, "corporation": 66, "product": 127, "creative-work": 142},
        ),
    ],
)
def test_wnut_is_read_whole(shared, file, sentences, words, entities):
    rows = read_conll(shared / "data" / "wnut17" / file)
    assert len(rows) == sentences
    assert sum(map(len, rows.words)) == sum(map(len, rows.tags)) == words
    assert Counter(chunk.label for tags in rows.tags for chunk in chunks(tags)) == entities


def test_four_columns_with_documents_and_windows_line_ends(tmp_path):
    rows = read(tmp_path, "-DOCSTART- -X- O O\r\n\r\nEU NNP B-NP B-ORG\r\nrejects VBZ B-VP O\r\n\r\n\r\n. . O O\r\n")
    assert rows.words == [["EU", "rejects"], ["."]]
    assert rows.tags == [["B-ORG", "O"], ["O"]]
    assert read(tmp_path, "a DT x\nb NN y\n", tag_column=1).tags == [["DT", "NN"]]


def test_tabs_let_words_hold_blanks(tmp_path):
    assert read(tmp_path, "New York\tB-LOC\n\u00a0\tO\n").words == [["New York", "\u00a0"]]


def test_lines_of_a_tab_alone_end_a_sentence(tmp_path):
    assert read(tmp_path, "a\tO\n\t\nb\tO\n").words == [["a"], ["b"]]


def test_one_column_has_no_tags(tmp_path):
    rows = read(tmp_path, "a\nb\n\n-DOCSTART-\nc")
    assert rows.words == [["a", "b"], ["c"]]
    assert rows.tags is None
    assert read(tmp_path, "a DT\n", tag_column=None).tags is None


@pytest.mark.parametrize(
    "content, message",
    [
        ("a\tO\nb\tO\tO\n", "line 2: expected 2 columns.*Received: 3"),
        ("a O\nb\n", "line 2: expected 2 columns.*Received: 1"),
        ("a\tO\n\tO\n", "line 2, column 1: expected a word"),
        ("a\tO\nb\t\n", "line 2, column 2: expected a tag.*''"),
        ("a\tO\nb\tB-\n", "line 2, column 2: expected a tag.*'B-'"),
        ("a\tB-LOC\n\nb\tLOC\n", "line 3, column 2: expected O or a prefix.*'B-LOC' in line 1.*'LOC'"),
    ],
)
def test_lines_that_do_not_fit_are_named(tmp_path, content, message):
    with pytest.raises(ValueError, match=rf"a\.conll, {message}"):
        read(tmp_path, content)


def test_files_without_words_or_without_the_column_are_refused(tmp_path):
    with pytest.raises(ValueError, match="without any"):
        read(tmp_path, "\n\n")
    with pytest.raises(ValueError, match=r"line 1: expected tags in column 2.*Received: 2 columns"):
        read(tmp_path, "a O\n", tag_column=2)
    with pytest.raises(FileNotFoundError, match="no file"):
        read_conll(tmp_path / "absent.conll")

import gzip
import json

import pyarrow
import pyarrow.parquet
import pytest

from keras_albert.pretraining.corpus import Corpus, CorpusSettings, find_files


def read(path, **settings) -> list[list[str]]:
    return list(Corpus(find_files(path), CorpusSettings(**settings)))


@pytest.fixture
def file(tmp_path):
    def write(content: str, name: str = "one.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content.encode())
        return path

    return write


def test_blank_lines_end_documents_however_many(file):
    assert read(file("\n\n a\nb\n\n \t\n\nc\n\n")) == [["a", "b"], ["c"]]


def test_a_file_without_blank_lines_is_one_document(file):
    assert read(file("\n".join(f"Line {number}." for number in range(50)))) == [[f"Line {n}." for n in range(50)]]


def test_wrapped_lines_are_joined_to_paragraphs_of_one_document(file):
    assert read(file("one\ntwo\n\n\nthree\n"), lines="wrapped") == [["one two", "three"]]


def test_a_document_does_not_reach_into_the_next_file(file, tmp_path):
    file("a\n", "1.txt")
    file("b\n", "2.txt")
    assert read(tmp_path) == [["a"], ["b"]]


def test_empty_and_blank_files_give_nothing(file, tmp_path):
    file("", "1.txt")
    file("\n \n\n", "2.txt")
    file("", "3.jsonl")
    assert read(tmp_path) == []


def test_rows_of_tables_are_documents_of_lines(file, tmp_path):
    texts = ["one\n\ntwo\n", "", "三。\r\n四。"]
    expected = [["one", "two"], ["三。", "四。"]]
    rows = "\n".join(json.dumps({"text": text}) for text in texts)
    assert read(file(rows, "rows.jsonl")) == expected
    (tmp_path / "rows.jsonl.gz").write_bytes(gzip.compress(rows.encode()))
    assert read(tmp_path / "rows.jsonl.gz") == expected
    pyarrow.parquet.write_table(pyarrow.table({"body": texts}), tmp_path / "rows.parquet")
    assert read(tmp_path / "rows.parquet", text="body") == expected
    assert read(tmp_path / "rows.parquet", text="body", lines="wrapped") == [["one", "two"], ["三。 四。"]]


def test_a_document_of_too_many_characters_goes_on_as_another_and_nothing_is_lost(file):
    corpus = Corpus([file("aaaa\nbbbb\ncccc\n\ndd\n")], CorpusSettings(max_document_characters=8))
    assert list(corpus) == [["aaaa", "bbbb"], ["cccc"], ["dd"]]
    assert (corpus.counts.split_documents, corpus.counts.documents, corpus.counts.characters) == (1, 3, 14)
    corpus = Corpus(corpus.files, CorpusSettings(max_document_characters=3))
    assert [line for document in corpus for line in document] == ["aaaa", "bbbb", "cccc", "dd"]


def test_all_bytes_are_read_in_the_end_and_counts_begin_anew_with_each_iteration(file, tmp_path):
    file("a\n\nb\n", "1.txt")
    file('{"text": "c"}\n', "2.jsonl")
    (tmp_path / "3.txt.gz").write_bytes(gzip.compress(b"d\n" * 100))
    corpus = Corpus(find_files(tmp_path))
    for _ in range(2):
        assert len(list(corpus)) == 4
        assert corpus.counts.bytes_read == sum(path.stat().st_size for path in corpus.files)
        assert corpus.counts.documents == 4


def test_folders_and_patterns_are_sorted_and_keep_their_own_order(file, tmp_path):
    for name in ("b.txt", "a.jsonl", "inner/c.txt", "notes.md", "d.parquet.gz"):
        file("x", name)
    assert find_files(tmp_path) == [tmp_path / name for name in ("a.jsonl", "b.txt", "inner/c.txt")]
    assert find_files(str(tmp_path / "**" / "*.txt")) == [tmp_path / "b.txt", tmp_path / "inner" / "c.txt"]
    assert find_files([tmp_path / "b.txt", tmp_path / "a.jsonl", tmp_path / "b.txt"]) == [
        tmp_path / "b.txt",
        tmp_path / "a.jsonl",
        tmp_path / "b.txt",
    ]


def test_a_name_with_pattern_characters_is_found_as_it_is(file):
    path = file("x", "a [1] b.txt")
    assert find_files(str(path)) == [path]


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("none.txt", "none.txt, which is not there"),
        ("*.parquet", "which fits none"),
        ("empty", "none in the folder"),
        ("notes.md", "Rename it by what it holds"),
    ],
)
def test_what_is_not_there_or_has_no_known_ending_is_an_error(file, tmp_path, path, message):
    file("x", "notes.md")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match=message):
        find_files(str(tmp_path / path))


def test_no_files_at_all_are_an_error():
    with pytest.raises(ValueError, match="Received: none"):
        find_files([])


def test_wrong_settings_are_errors():
    with pytest.raises(ValueError, match="lines='words'"):
        CorpusSettings(lines="words")
    with pytest.raises(ValueError, match="max_document_characters=0"):
        CorpusSettings(max_document_characters=0)

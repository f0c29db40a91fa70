import csv
import gzip
import json
from pathlib import Path

import pytest

from keras_albert.finetuning.readers.tables import read_examples, stream_examples

pytestmark = pytest.mark.any_backend


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return path


def test_quotation_marks_in_tsv_are_ordinary_characters(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", 'sentence\tlabel\n"unbalanced\t1\nsaid "no"\t0\n')
    examples = read_examples(path, "sentence", label="label")
    assert examples.texts == ['"unbalanced', 'said "no"']
    assert examples.labels == ["1", "0"]
    assert examples.source == str(path)


def test_quotation_marks_in_csv_join_cells_and_lines(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", 'label,text\r\nx,"one, ""two""\nthree"\r\ny,four\r\n')
    examples = read_examples(path, "text", label="label")
    assert examples.texts == ['one, "two"\nthree', "four"]
    assert examples.labels == ["x", "y"]


def test_pairs_and_whole_number_labels_in_json_lines(tmp_path: Path) -> None:
    rows = [
        {"a": "x", "b": "y", "label": 1},
        {"a": "", "b": "z", "label": "entailment"},
        {"a": "p", "b": "q", "label": 0},
    ]
    path = write(tmp_path / "a.jsonl", "\n".join(json.dumps(row) for row in rows))
    examples = read_examples(path, "a", "b", "label")
    assert examples.inputs == (["x", "", "p"], ["y", "z", "q"])
    assert examples.labels == ["1", "entailment", "0"]


def test_columns_are_found_by_name_and_others_are_left_out(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", "index\tlabel\tsentence\n7\tx\tfine\n")
    assert read_examples(path, "sentence").texts == ["fine"]
    assert read_examples(path, "sentence").labels is None


@pytest.mark.parametrize("name", ["a.tsv", "a.csv", "a.jsonl", "A.TSV"])
def test_byte_order_mark_blank_lines_and_windows_line_ends(tmp_path: Path, name: str) -> None:
    lines = ['{"text": "我们"}', "", '{"text": "b"}'] if "json" in name else ["text", "我们", "", "b"]
    path = write(tmp_path / name, b"\xef\xbb\xbf" + "\r\n".join(lines).encode() + b"\r\n")
    assert read_examples(path).texts == ["我们", "b"]


@pytest.mark.parametrize("name", ["a.tsv.gz", "a.csv.gz", "a.jsonl.gz"])
def test_compressed_files(tmp_path: Path, name: str) -> None:
    content = '{"text": "one"}\n' if "json" in name else "text\none\n"
    assert read_examples(write(tmp_path / name, gzip.compress(content.encode()))).texts == ["one"]


def test_other_line_separators_of_unicode_stay_in_a_text(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", "text\tlabel\none\u2028two\x0bthree\x85four\t1\n")
    assert read_examples(path, label="label").texts == ["one\u2028two\x0bthree\x85four"]


@pytest.mark.parametrize("name", ["a.tsv", "a.csv", "a.jsonl"])
def test_a_very_long_text_is_read_whole(tmp_path: Path, name: str) -> None:
    text = "word " * 100_000
    content = json.dumps({"text": text}) if "json" in name else f"text\n{text}\n"
    assert read_examples(write(tmp_path / name, content)).texts == [text]
    assert csv.field_size_limit() == 131_072  # Python's own


@pytest.mark.parametrize("name", ["a.tsv", "a.csv"])
def test_a_missing_column_lists_those_that_are_there(tmp_path: Path, name: str) -> None:
    separator = "\t" if name == "a.tsv" else ","
    path = write(tmp_path / name, f"sentence{separator}gold\na{separator}1\n")
    with pytest.raises(ValueError, match=rf"{name}, line 1: no column is named 'label'.*: sentence, gold\."):
        read_examples(path, "sentence", label="label")


def test_a_missing_key_of_json_names_the_line(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", '{"text": "a", "mark": 1}\n{"txt": "b", "mark": 1}\n')
    with pytest.raises(ValueError, match=r"a\.jsonl, line 2: no column is named 'text'.*: txt, mark\."):
        read_examples(path)


def test_a_column_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="several columns are named 'text'"):
        read_examples(write(tmp_path / "a.tsv", "text\ttext\na\tb\n"))


@pytest.mark.parametrize(("row", "cells"), [("only one", 1), ("a\t1\tmore", 3)])
def test_a_row_with_another_number_of_cells_names_the_line(tmp_path: Path, row: str, cells: int) -> None:
    path = write(tmp_path / "a.tsv", f"text\tlabel\nfine\t1\n{row}\n")
    with pytest.raises(ValueError, match=rf"a\.tsv, line 3: expected 2 cells \(text, label\)\. Received: {cells}"):
        read_examples(path)


def test_an_unclosed_quotation_mark_in_csv_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"a\.csv, line 3: not a row of CSV"):
        read_examples(write(tmp_path / "a.csv", 'text,label\n"open,1\nlost,0\n'))


@pytest.mark.parametrize("value", ["null", "3", '["a"]', "NaN"])
def test_a_text_that_is_none_names_file_line_and_column(tmp_path: Path, value: str) -> None:
    path = write(tmp_path / "a.jsonl", f'{{"text": "a"}}\n\n{{"text": {value}}}\n')
    with pytest.raises(ValueError, match=r"a\.jsonl, line 3: expected text in column 'text'"):
        read_examples(path)


@pytest.mark.parametrize("value", ['""', '"  "', "null", "0.5", "[]"])
def test_an_empty_label_names_file_line_and_column(tmp_path: Path, value: str) -> None:
    path = write(tmp_path / "a.jsonl", f'{{"text": "a", "label": {value}}}\n')
    with pytest.raises(ValueError, match=r"a\.jsonl, line 1: expected a name or a whole number in column 'label'"):
        read_examples(path, label="label")


@pytest.mark.parametrize("name", ["a.tsv", "a.csv", "a.jsonl"])
@pytest.mark.parametrize("content", ["", "text\n"])
def test_a_file_without_rows_is_refused(tmp_path: Path, name: str, content: str) -> None:
    content = "" if "json" in name else content
    with pytest.raises(ValueError, match=name):
        read_examples(write(tmp_path / name, content))


def test_bytes_that_are_not_utf_8_name_the_line(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", b"text\nfine\ncaf\xe9\n")
    with pytest.raises(ValueError, match=r"a\.tsv, line 3: expected UTF-8\. Received: byte 0xe9 at position 3"):
        read_examples(path)


def test_a_line_that_is_not_json_names_the_line(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"a\.jsonl, line 2: not JSON"):
        read_examples(write(tmp_path / "a.jsonl", '{"text": "a"}\n{"text": \n'))
    with pytest.raises(ValueError, match=r"a\.jsonl, line 1: expected an object"):
        read_examples(write(tmp_path / "a.jsonl", '["text"]\n'))


def test_a_truncated_compressed_file_is_refused(tmp_path: Path) -> None:
    whole = gzip.compress(("text\n" + "".join(f"line {row}\n" for row in range(5000))).encode())
    with pytest.raises(ValueError, match="truncated or damaged"):
        read_examples(write(tmp_path / "a.tsv.gz", whole[: len(whole) // 2]))
    with pytest.raises(ValueError, match="truncated or damaged"):
        read_examples(write(tmp_path / "b.tsv.gz", b"text\nplain\n"))


def test_a_file_that_is_not_there_and_another_ending(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"no file .*a\.tsv"):
        read_examples(tmp_path / "a.tsv")
    with pytest.raises(ValueError, match=r"ends in \.tsv, \.csv, \.jsonl.*\.parquet\. Received: .*a\.xlsx"):
        read_examples(write(tmp_path / "a.xlsx", "text\na\n"))


@pytest.mark.parametrize("name", ["a.tsv", "a.csv", "a.jsonl"])
def test_scores_are_floats(tmp_path: Path, name: str) -> None:
    separator = "\t" if name == "a.tsv" else ","
    lines = ['{"text": "a", "score": 4}', '{"text": "b", "score": "0.25"}']
    lines = lines if "json" in name else [f"text{separator}score", f"a{separator}4", f"b{separator} 0.25"]
    path = write(tmp_path / name, "\n".join(lines))
    assert read_examples(path, label="score", label_type="number").labels == [4.0, 0.25]


@pytest.mark.parametrize("value", ['""', '"high"', "true", "null", "NaN", '"inf"'])
def test_a_score_that_is_no_number_names_file_line_and_column(tmp_path: Path, value: str) -> None:
    path = write(tmp_path / "a.jsonl", f'{{"text": "a", "score": 1}}\n{{"text": "a", "score": {value}}}\n')
    with pytest.raises(ValueError, match=r"a\.jsonl, line 2: expected a number in column 'score'"):
        read_examples(path, label="score", label_type="number")


def test_several_classes_are_lists_or_have_separators(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", 'text\ttags\na\tnew| dear |new\nb\t\nc\t["new|old", "x"]\n')
    labels = read_examples(path, label="tags", label_type="names").labels
    assert labels == [["new", "dear"], [], ["new|old", "x"]]
    path = write(tmp_path / "a.jsonl", '{"text": "a", "tags": ["new", 3]}\n{"text": "b", "tags": "old;x"}\n')
    labels = read_examples(path, label="tags", label_type="names", separator=";").labels
    assert labels == [["new", "3"], ["old", "x"]]


@pytest.mark.parametrize("value", ["5", "null", '"[1"', "[null]", '["other"]'])
def test_several_classes_that_are_none_name_file_line_and_column(tmp_path: Path, value: str) -> None:
    path = write(tmp_path / "a.jsonl", f'{{"text": "a", "tags": {value}}}\n')
    with pytest.raises(ValueError, match=r"a\.jsonl, line 1: expected .* in column 'tags'"):
        read_examples(path, label="tags", label_type="names", class_names=["new", "old"])


def test_a_label_that_is_no_class_names_file_line_and_column(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "text,label\na,yes\nb,maybe\n")
    with pytest.raises(ValueError, match=r"a\.csv, line 3: expected a label among \['no', 'yes'\] in column 'label'"):
        read_examples(path, label="label", class_names=["no", "yes"])


def test_ids_are_text(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", '{"text": "a", "id": 7}\n{"text": "b", "id": "x"}\n')
    assert read_examples(path, id="id").ids == ["7", "x"]
    path = write(tmp_path / "b.jsonl", '{"text": "a", "id": 7.5}\n')
    with pytest.raises(ValueError, match=r"b\.jsonl, line 1: expected a name or a whole number in column 'id'"):
        read_examples(path, id="id")


def test_rows_are_drawn_while_reading(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", "text\n" + "".join(f"{row}\n" for row in range(200)))
    drawn = read_examples(path, max_rows=20, seed=3).texts
    assert drawn == sorted(set(drawn), key=int)
    assert len(drawn) == 20
    assert drawn != [str(row) for row in range(20)]


def test_a_stream_reads_no_further_than_it_is_asked(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", "text\tlabel\n" + "a\t1\n" * 5 + "broken\n")
    chunks = stream_examples(path, label="label", chunk_rows=2)
    assert [len(next(chunks)), len(next(chunks))] == [2, 2]
    with pytest.raises(ValueError, match=r"a\.tsv, line 7: expected 2 cells"):
        next(chunks)

import io
import json
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest

from keras_albert.pretraining.corpus_lines import ReadingCounts
from keras_albert.pretraining.corpus_rows import json_texts, parquet_texts


def read_json(*lines: str, column: str = "text") -> tuple[list[str], ReadingCounts]:
    counts = ReadingCounts()
    file = io.BytesIO("\n".join(lines).encode("utf-8", "surrogatepass"))
    return list(json_texts(Path("rows.jsonl"), file, column, counts)), counts


def test_texts_of_json_lines_come_in_order_and_null_is_counted():
    lines = [json.dumps({"id": 1, "text": "one\ntwo"}), "", '{"text": null}', '{"text": "三"}']
    texts, counts = read_json(*lines)
    assert texts == ["one\ntwo", "三"]
    assert counts.rows_without_text == 1


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{'text': 1}", r"line 2: expected a JSON object"),
        ('["text"]', r"line 2: expected a JSON object"),
        ('{"body": "x"}', r"line 2: expected a column 'text'. Received: 'body'"),
        ('{"text": 3}', r"line 2: expected a text in 'text'. Received: 3"),
    ],
)
def test_a_wrong_json_line_is_named(line, message):
    with pytest.raises(ValueError, match=message):
        read_json('{"text": "x"}', line)


def write_parquet(path: Path, **columns) -> Path:
    pyarrow.parquet.write_table(pyarrow.table(columns), path, row_group_size=50)
    return path


def test_texts_of_parquet_come_in_order_with_the_share_that_is_read(tmp_path):
    texts = [f"text {number}" for number in range(200)] + [None]
    counts = ReadingCounts()
    path = write_parquet(tmp_path / "a.parquet", body=texts, other=list(range(201)))
    read = list(parquet_texts(path, "body", counts))
    assert [text for text, _ in read] == texts[:-1]
    assert read[99][1] == pytest.approx(100 / 201)
    assert counts.rows_without_text == 1


def test_a_parquet_file_without_the_column_or_with_numbers_is_an_error(tmp_path):
    path = write_parquet(tmp_path / "a.parquet", body=[1, 2])
    with pytest.raises(ValueError, match=r"expected a column 'text'\. Received: 'body'"):
        list(parquet_texts(path, "text", ReadingCounts()))
    with pytest.raises(ValueError, match=r"row 1: expected a text in 'body'\. Received: 1"):
        list(parquet_texts(path, "body", ReadingCounts()))


def test_a_damaged_parquet_file_is_named(tmp_path):
    path = write_parquet(tmp_path / "a.parquet", text=["x"] * 100)
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(ValueError, match=r"a\.parquet: not a Parquet file"):
        list(parquet_texts(path, "text", ReadingCounts()))


def test_an_absent_pyarrow_is_named_with_its_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"keras-albert\[parquet\]"):
        list(parquet_texts(tmp_path / "a.parquet", "text", ReadingCounts()))

import sys
from pathlib import Path

import pyarrow as arrow
import pyarrow.parquet
import pytest

from keras_albert.finetuning.readers.tables import read_examples

pytestmark = pytest.mark.any_backend


def write(path: Path, **columns: list) -> Path:
    arrow.parquet.write_table(arrow.table(columns), path, row_group_size=700)
    return path


def test_columns_are_read_over_all_batches(tmp_path: Path) -> None:
    path = write(tmp_path / "a.parquet", text=[str(row) for row in range(2500)], label=[row % 2 for row in range(2500)])
    examples = read_examples(path, label="label")
    assert examples.texts == [str(row) for row in range(2500)]
    assert examples.labels == ["0", "1"] * 1250


def test_lists_and_numbers_keep_their_types(tmp_path: Path) -> None:
    path = write(tmp_path / "a.parquet", text=["a", "b"], tags=[["x", "y"], []], score=[1.5, 2.0])
    assert read_examples(path, label="tags", label_type="names").labels == [["x", "y"], []]
    assert read_examples(path, label="score", label_type="number").labels == [1.5, 2.0]


def test_what_does_not_fit_names_file_row_and_column(tmp_path: Path) -> None:
    path = write(tmp_path / "a.parquet", text=["a", None])
    with pytest.raises(ValueError, match=r"a\.parquet, row 2: expected text in column 'text'"):
        read_examples(path)
    with pytest.raises(ValueError, match=r"a\.parquet, schema: no column is named 'label'.*: text\."):
        read_examples(path, label="label")
    (tmp_path / "b.parquet").write_text("text\n")
    with pytest.raises(ValueError, match=r"b\.parquet: not a Parquet file"):
        read_examples(tmp_path / "b.parquet")
    with pytest.raises(FileNotFoundError, match=r"no file .*c\.parquet"):
        read_examples(tmp_path / "c.parquet")


def test_without_pyarrow_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "a.parquet", text=["a"])
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"keras-albert\[parquet\]"):
        read_examples(path)

from pathlib import Path

import numpy as np
import pytest

from keras_albert.finetuning import check_ending, read_examples, table_text, write_table
from keras_albert.finetuning.output_tables import markdown_table, worst_rows

pytestmark = pytest.mark.any_backend

TABLE = {"text": ['a "fine", film', "我们"], "text_pair": ["one", ""], "label": ["yes", "yes"], "score": [0.75, 0.9]}


@pytest.mark.parametrize("ending", [".tsv", ".csv", ".jsonl"])
def test_a_table_is_read_again(tmp_path: Path, ending: str) -> None:
    write_table(tmp_path / f"table{ending}", TABLE)
    again = read_examples(tmp_path / f"table{ending}", "text", "text_pair", "label")
    assert (again.texts, again.pairs, again.labels) == (TABLE["text"], TABLE["text_pair"], TABLE["label"])


def test_tabs_and_line_ends_of_a_text_do_not_break_a_tsv() -> None:
    table = table_text({"text": ["a\tb\r\nc", "d"], "probability": [0.75, None]})
    assert table == "text\tprobability\na b c\t0.750000\nd\t\n"


def test_numbers_stay_numbers_in_json_lines() -> None:
    assert table_text({"text": ["b"], "score": [np.float32(0.5)]}, ".jsonl") == '{"text": "b", "score": 0.5}\n'


def test_another_ending_is_refused() -> None:
    with pytest.raises(ValueError, match=r"\.xlsx"):
        table_text(TABLE, ".xlsx")
    with pytest.raises(ValueError, match=r"out\.txt"):
        check_ending("out.txt")
    assert check_ending("OUT.TSV") == ".tsv"


def test_the_worst_rows_come_first_and_right_ones_not_at_all() -> None:
    worst = worst_rows({"text": ["a", "b", "c", "d"]}, np.array([0.2, 0.0, 0.9, 0.5]), most=2)
    assert worst == {"error": [0.9, 0.5], "text": ["c", "d"]}


def test_a_markdown_table_survives_bars_tags_and_long_cells() -> None:
    assert markdown_table({"text": ["a|b <i>\nc", "x" * 9]}, longest=8) == (
        "| text |\n| --- |\n| a\\|b &lt;i>… |\n| xxxxxxx… |\n"
    )

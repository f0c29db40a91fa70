import json
from pathlib import Path

import pytest

from keras_albert.finetuning.readers.examples import Examples
from keras_albert.finetuning.readers.glue import GLUE_LAYOUTS
from keras_albert.text.normalization import normalize

pytestmark = pytest.mark.any_backend

FOLDERS = {"cola": "CoLA", "sst-2": "SST-2", "rte": "RTE", "sts-b": "STS-B", "qnli": "QNLI"}


def check_row(examples: Examples, row: int, expected: dict, labelled: bool) -> None:
    assert normalize(examples.texts[row]) == expected["text_a"]
    assert (None if examples.pairs is None else normalize(examples.pairs[row])) == expected["text_b"]
    if labelled:  # Google's processors put a label of their own into test files
        assert examples.labels is not None
        assert examples.labels[row] == expected["label"]


@pytest.mark.parametrize(
    ("task", "split"),
    [(task, split) for task in FOLDERS for split in ("train", "dev", "test") if (task, split) != ("qnli", "train")],
)
def test_real_files_are_read_as_googles_processors_do(shared: Path, task: str, split: str) -> None:
    files = json.loads((shared / "golden" / "classifier" / "processors.json").read_text(encoding="utf-8"))["files_read"]
    expected = files[task][split]
    path = shared / "data" / "glue" / FOLDERS[task] / f"{split}.tsv"
    examples = GLUE_LAYOUTS[task].read(path, labelled=split != "test")
    assert len(examples) == expected["count"]
    for row, example in [*enumerate(expected["first"]), (-1, expected["last"])]:
        check_row(examples, row, example, split != "test")
    assert (examples.labels is None) == (split == "test")
    if split == "test":
        assert examples.ids is not None
        assert examples.ids[-1] == expected["last"]["guid"]


@pytest.mark.parametrize(
    ("task", "google", "folder"), [("mnli", "mnli", "MNLI"), ("mnli-mm", "mismnli", "MNLI"), ("qqp", "qqp", "QQP")]
)
@pytest.mark.filterwarnings("ignore:Left out 2 rows")
def test_layouts_are_read_as_googles_processors_do(shared: Path, task: str, google: str, folder: str) -> None:
    where = shared / "golden" / "classifier" / "synthetic_layout"
    content = json.loads((where / "expected_examples.json").read_text(encoding="utf-8"))[google]
    ending = {"mnli": "_matched", "mnli-mm": "_mismatched", "qqp": ""}[task]
    for split, expected in content.items():
        part = split.split("_")[0]
        path = where / folder / (f"{part}.tsv" if part == "train" else f"{part}{ending}.tsv")
        examples = GLUE_LAYOUTS[task].read(path, labelled=part != "test")
        assert len(examples) == len(expected)
        for row, example in enumerate(expected):
            check_row(examples, row, example, part != "test")


def test_rows_of_qqp_with_missing_cells_are_left_out_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "train.tsv"
    header = "id\tqid1\tqid2\tquestion1\tquestion2\tis_duplicate\n"
    path.write_text(f"{header}1\t2\t3\tshort\n4\t5\t6\tWho?\tWhen?\t0\n7\t8\t9\tA\tB\t1\tmore\n", encoding="utf-8")
    with pytest.warns(UserWarning, match="Left out 1 rows with missing cells of .*train.tsv"):
        examples = GLUE_LAYOUTS["qqp"].read(path)
    assert (examples.ids, examples.labels) == (["4", "7"], ["0", "1"])


def test_mrpc_has_its_own_and_glues_test_files(tmp_path: Path) -> None:
    own, glue = tmp_path / "msr_paraphrase_test.txt", tmp_path / "test.tsv"
    own.write_text("\ufeffQuality\t#1 ID\t#2 ID\t#1 String\t#2 String\n1\t8\t9\ta\tb\n", encoding="utf-8")
    glue.write_text("index\t#1 ID\t#2 ID\t#1 String\t#2 String\n0\t8\t9\ta\tb\n", encoding="utf-8")
    first, second = (GLUE_LAYOUTS["mrpc"].read(path, labelled=False) for path in (own, glue))
    assert (first.labels, first.ids, first.inputs) == (["1"], None, (["a"], ["b"]))
    assert (second.labels, second.ids, second.inputs) == (None, ["0"], (["a"], ["b"]))


@pytest.mark.parametrize(
    ("task", "content", "message"),
    [
        ("sst-2", "sentence\tlabel\nfine\t2\n", r"line 2: expected a label among \['0', '1'\] in column 'label'.*'2'"),
        ("cola", "gj04\t1\t\tFine.\ngj04\t1\n", r"line 2: expected 4 cells \(source, label, mark, sentence\).*: 2"),
        ("rte", "index\tsentence1\tlabel\n0\ta\tentailment\n", "line 1: no column is named 'sentence2'"),
        (
            "sts-b",
            "index\tsentence1\tsentence2\tscore\n0\ta\tb\tlow\n",
            "line 2: expected a number in column 'score'. Received: \"low\"",
        ),
    ],
)
def test_files_that_do_not_fit_name_file_line_and_column(tmp_path: Path, task: str, content: str, message: str) -> None:
    path = tmp_path / "dev.tsv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=rf"dev\.tsv, {message}"):
        GLUE_LAYOUTS[task].read(path)


def test_the_diagnostic_set_has_no_labels_to_train_on(shared: Path) -> None:
    path = shared / "data" / "glue" / "diagnostic" / "diagnostic.tsv"
    assert len(GLUE_LAYOUTS["ax"].read(path, labelled=False)) == 1104
    with pytest.raises(ValueError, match="this data set has none"):
        GLUE_LAYOUTS["ax"].read(path)

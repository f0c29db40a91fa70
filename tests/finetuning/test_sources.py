from pathlib import Path

import pytest

from keras_albert.finetuning import KINDS_OF_FILES, Examples, Source, file_kind_of, stream_file
from keras_albert.finetuning.kinds import Classification, MultipleChoice, QuestionAnswering, Tagging

pytestmark = pytest.mark.any_backend


def write(path: Path, content: str) -> str:
    path.write_text(content, encoding="utf-8")
    return str(path)


def test_each_kind_reads_the_files_of_its_own(tmp_path: Path) -> None:
    files = {
        "classification": write(tmp_path / "a.tsv", "text\tlabel\nfine\tyes\n"),
        "multi-label": write(tmp_path / "b.tsv", "text\tlabel\nfine\tfood|staff\n"),
        "regression": write(tmp_path / "c.csv", "text,label\nfine,2.5\n"),
        "tagging": write(tmp_path / "d.conll", "Oslo\tB-LOC\n\n"),
        "span": write(
            tmp_path / "e.json",
            '{"data": [{"title": "t", "paragraphs": [{"context": "Ann sang.", "qas": [{"id": "1", "question": "Who?", '
            '"answers": [{"text": "Ann", "answer_start": 0}]}]}]}]}',
        ),
        "multiple-choice": write(
            tmp_path / "f.jsonl", '{"context": "c", "question": "q", "options": ["x", "y"], "label": 1}\n'
        ),
    }
    read = {kind: Source(files={"dev": file}, kind_name=kind).read("dev") for kind, file in files.items()}
    assert read["classification"].labels == ["yes"]
    assert read["multi-label"].labels == [["food", "staff"]]
    assert read["regression"].labels == [2.5]
    assert read["tagging"].words == [["Oslo"]]
    assert read["span"].gold_texts == [["Ann"]]
    assert read["multiple-choice"].labels == [1]
    for kind, rows in read.items():
        assert isinstance(rows, KINDS_OF_FILES[kind].rows_class)


def test_a_named_source_knows_its_kind_and_survives_json(tmp_path: Path) -> None:
    (tmp_path / "dev.tsv").write_text("sentence\tlabel\nfine\t1\n")
    source = Source(task="sst-2", data=str(tmp_path))
    assert Source.from_dict(source.as_dict()) == source
    assert source.kind == Classification(class_names=("0", "1"))
    assert source.read("dev").labels == ["1"]


def test_every_kind_of_file_has_its_name() -> None:
    assert [file_kind_of(kind) for kind in KINDS_OF_FILES.values()] == list(KINDS_OF_FILES)
    assert file_kind_of(QuestionAnswering(head="verifier", null_threshold=0.5)) == "verifier"


def test_a_table_is_streamed_without_its_labels(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", "text\tlabel\none\tyes\ntwo\tno\n")
    parts = list(stream_file(path, Classification()))
    assert [(part.texts, part.labels) for part in parts if isinstance(part, Examples)] == [(["one", "two"], None)]


def test_texts_alone_are_rows_of_some_kinds_only() -> None:
    assert Tagging().rows_of_texts(["In Oslo."], "the arguments").words == [["In", "Oslo", "."]]
    with pytest.raises(ValueError, match=r"multiple-choice: pass a file.*Received: the arguments"):
        MultipleChoice().rows_of_texts(["a"], "the arguments")

import json
from pathlib import Path

import pytest

from keras_albert.pretraining import open_data, write_tokenizer
from keras_albert.pretraining.google_features import count_features


@pytest.fixture(scope="module")
def vocabulary(tmp_path_factory, tokenizer) -> Path:
    return write_tokenizer(tokenizer, tmp_path_factory.mktemp("written") / "a vocabulary").path


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "some text.txt"
    path.write_text("A cat sat here. It slept.\nIt woke.\n\nA dog ran.\n" * 20, encoding="utf-8")
    return path


def test_documents_are_written_and_counted(call, text, vocabulary, tmp_path):
    outcome = call("build-data", tmp_path / "*.txt", "--tokenizer", vocabulary, "--output", tmp_path / "my data")
    assert outcome.code == 0, outcome.err
    data = open_data(tmp_path / "my data")
    data.check()
    assert data.manifest.documents == 21
    assert f"Documents  21 of 80 sentences, {data.manifest.tokens:,} tokens" in outcome.out
    assert f"Reading: 100% {data.manifest.tokens:,} tokens" in outcome.err


def test_the_same_files_come_from_one_and_two_workers(call, text, vocabulary, tmp_path):
    for workers in (1, 2):
        options = ("--workers", workers, "--shard-characters", 300, "--lines", "sentence")
        outcome = call("build-data", text, "--tokenizer", vocabulary, "--output", tmp_path / str(workers), *options)
        assert outcome.code == 0, outcome.err
    first, second = (open_data(tmp_path / str(workers)).manifest for workers in (1, 2))
    assert first == second
    assert len(first.shards) > 2
    assert first.sentences == 60


def test_features_are_written(call, text, vocabulary, tmp_path):
    options = ("--form", "features", "--sequence-length", 32, "--max-masks", 4, "--dupe-factor", 2, "--seed", 3)
    outcome = call("build-data", text, "--tokenizer", vocabulary, "--output", tmp_path / "data", *options)
    assert outcome.code == 0, outcome.err
    rows = sum(count_features(path) for path in (tmp_path / "data" / "shards").glob("*.tfrecord"))
    assert f"Rows       {rows:,}" in outcome.out
    settings = json.loads((tmp_path / "data" / "manifest.json").read_text())["settings"]["features"]
    assert (settings["dupe_factor"], settings["seed"], settings["masking"]["max_masks"]) == (2, 3, 4)


def test_what_a_user_should_know_of_the_corpus_is_told(call, vocabulary, tmp_path):
    (tmp_path / "latin.txt").write_bytes(b"Caf\xe9 one.\n\nTwo.\nThree.\n")
    (tmp_path / "rows.jsonl").write_text('{"body": null}\n{"body": "Four."}\n')
    options = ("--text", "body", "--max-document-characters", 8)
    outcome = call("build-data", tmp_path, "--tokenizer", vocabulary, "--output", tmp_path / "data", *options)
    assert outcome.code == 0, outcome.err
    assert "Not UTF-8       1 characters replaced by U+FFFD" in outcome.out
    assert "Long documents  1 cuts; what follows is another document" in outcome.out
    assert "Without text    1 rows left out" in outcome.out


def test_the_tokenizers_own_normalization_is_replaced_where_told(call, text, vocabulary, tmp_path):
    output = tmp_path / "data"
    outcome = call("build-data", text, "--tokenizer", vocabulary, "--output", output, "--no-lowercase")
    assert outcome.code == 0, outcome.err
    assert not open_data(output).tokenizer().lowercase


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("none.txt",), "none.txt, which is not there"),
        (("empty.txt",), "Expected at least one sentence. Received: 1 files without any"),
        (("text.txt", "--tokenizer", "30k-clean.vocab"), "Pass the `.model`"),
        (("text.txt", "--workers", "0"), "--workers"),
        (("text.txt", "--lines", "words"), "--lines"),
        (("text.txt", "--output", "text.txt"), "Expected a folder to write to"),
        (("text.txt", "--output", "text.txt/data"), "Cannot write text.txt/data"),
    ],
)
def test_bad_input_is_an_error_of_one_line(call, vocabulary, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    Path("text.txt").write_text("A cat.")
    Path("empty.txt").write_text("\n")
    Path("30k-clean.vocab").write_text("<pad>\t0\n")
    defaults = {"--tokenizer": vocabulary, "--output": "data"}
    options = [word for pair in defaults.items() if pair[0] not in arguments for word in pair]
    outcome = call("build-data", *arguments, *options)
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err
    assert len(outcome.err.splitlines()) == 1
    assert not Path("data").exists()

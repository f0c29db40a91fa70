import gzip
import json
import os
import signal
import sys
import time
from pathlib import Path

import pytest
from small_corpus import build_in_process, write_corpus

from keras_albert import AlbertWordPieceTokenizer
from keras_albert.presets.output_folder import OutputError
from keras_albert.pretraining import BuildSettings, CorpusSettings, build_data, open_data, write_tokenizer

SMALL = BuildSettings(shard_characters=2000)
needs_signals = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return write_corpus(tmp_path_factory.mktemp("corpus") / "some text.txt", 60)


@pytest.fixture(scope="module")
def tokenizer_folder(tmp_path_factory, tokenizer):
    return write_tokenizer(tokenizer, tmp_path_factory.mktemp("vocabulary") / "a b").path


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def expected(corpus, tokenizer_folder, tmp_path_factory):
    folder = tmp_path_factory.mktemp("expected") / "data"
    data = build_data(corpus, tokenizer_folder, folder, SMALL, workers=1)
    assert len(data.shards) > 6
    return content(folder)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def texts_of(data) -> list[list[str]]:
    """The sentences of each document, decoded."""
    tokenizer = data.tokenizer()
    found = []
    for documents in data:
        for first, last in zip(documents.document_offsets[:-1], documents.document_offsets[1:], strict=True):
            spans = zip(documents.sentence_offsets[first:last], documents.sentence_offsets[first + 1 :], strict=False)
            found.append([tokenizer.detokenize(documents.token_ids[a:b].tolist()) for a, b in spans])
    return found


def test_documents_and_sentences_come_in_order_and_none_is_lost(corpus, tokenizer, tmp_path):
    data = build_data(corpus, tokenizer, tmp_path / "data", SMALL, workers=1)
    text = corpus.read_text()
    expected = [document.replace("\n", " ").lower() for document in text.strip().split("\n\n")]
    found = texts_of(data)
    assert [" ".join(sentences) for sentences in found] == expected
    assert all(sentence.count(".") == 1 for sentences in found for sentence in sentences)
    manifest = data.manifest
    assert (manifest.documents, manifest.sentences) == (60, text.count("."))
    assert manifest.tokens == sum(len(documents.token_ids) for documents in data)
    assert manifest.counts["characters"] == len(text.replace("\n", ""))
    assert manifest.sources[0]["bytes"] == manifest.counts["bytes_read"] == corpus.stat().st_size
    assert manifest.settings["corpus"]["lines"] == "paragraph"
    open_data(tmp_path / "data").check()


@pytest.mark.parametrize("workers", [2, 3])
def test_any_number_of_workers_gives_the_same_bytes(corpus, tokenizer, tmp_path, expected, workers):
    build_data(corpus, tokenizer, tmp_path / "data", SMALL, workers=workers)
    assert content(tmp_path / "data") == expected


@needs_signals
@pytest.mark.parametrize("workers", [1, 2])
def test_a_killed_build_goes_on_where_it_stopped(corpus, tokenizer_folder, tmp_path, expected, workers):
    output = tmp_path / "the data"
    result = build_in_process(corpus, tokenizer_folder, output, workers, stop=4)
    assert result.returncode == -signal.SIGKILL, result.stderr
    assert not output.exists()
    with pytest.raises(ValueError, match="The build is not finished"):
        open_data(output)
    shards = output.with_name("the data.unfinished") / "shards"
    left = {path.name: path.stat().st_mtime_ns for path in sorted(shards.glob("*.safetensors"))}
    assert len(left) == 4
    (shards / "000099.safetensors.part").write_bytes(b"of a worker that was killed")
    states = []
    build_data(corpus, tokenizer_folder, output, SMALL, workers, on_progress=states.append)
    assert states[-1].kept_shards == 4
    assert content(output) == expected
    assert {name: (output / "shards" / name).stat().st_mtime_ns for name in left} == left
    assert names(tmp_path) == ["the data"]


@needs_signals
def test_what_a_killed_build_left_is_made_again_where_it_is_damaged(corpus, tokenizer_folder, tmp_path, expected):
    output = tmp_path / "data"
    build_in_process(corpus, tokenizer_folder, output, stop=4)
    unfinished = tmp_path / "data.unfinished"
    (unfinished / "shards" / "000001.safetensors").write_bytes(b"")
    with (unfinished / "journal.jsonl").open("a") as journal:
        journal.write('[9, {"file": "sha')
    states = []
    build_data(corpus, tokenizer_folder, output, SMALL, workers=1, on_progress=states.append)
    assert states[-1].kept_shards == 3
    assert content(output) == expected


@needs_signals
@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_ends_the_build_and_its_workers(corpus, tokenizer_folder, tmp_path, expected, workers):
    output = tmp_path / "data"
    start = time.monotonic()
    result = build_in_process(corpus, tokenizer_folder, output, workers, stop=3, signal_number=signal.SIGINT)
    assert result.returncode != 0
    assert result.stderr.rstrip().endswith("KeyboardInterrupt")  # the pipe is closed: no worker holds it any more
    assert time.monotonic() - start < 60
    build_data(corpus, tokenizer_folder, output, SMALL, workers=1)
    assert content(output) == expected


@needs_signals
def test_other_settings_or_files_do_not_go_on_with_what_is_there(corpus, tokenizer_folder, tmp_path, expected):
    output = tmp_path / "data"
    build_in_process(corpus, tokenizer_folder, output, stop=2)
    other = AlbertWordPieceTokenizer(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "cat"])
    for call, name in [
        (lambda: build_data(corpus, tokenizer_folder, output, BuildSettings(), 1), "settings"),
        (lambda: build_data([corpus] * 2, tokenizer_folder, output, SMALL, 1), "sources"),
        (lambda: build_data(corpus, other, output, SMALL, 1), "tokenizer"),
    ]:
        with pytest.raises(ValueError, match=f"unfinished build with other settings: {name}=.*--overwrite"):
            call()
    build_data(corpus, tokenizer_folder, output, SMALL, 1)
    assert content(output) == expected


@needs_signals
def test_overwrite_drops_what_is_there(corpus, tokenizer_folder, tmp_path, expected):
    output = tmp_path / "data"
    build_data(corpus, tokenizer_folder, output, BuildSettings(), 1)
    with pytest.raises(FileExistsError, match="is there already"):
        build_data(corpus, tokenizer_folder, output, SMALL, 1)
    build_data(corpus, tokenizer_folder, output, SMALL, 1, overwrite=True)
    assert content(output) == expected
    assert names(tmp_path) == ["data"]


def test_the_number_of_repetitions_of_a_corpus_does_not_change_the_memory(tmp_path, tokenizer_folder):
    path = write_corpus(tmp_path / "text.txt", 3000)  # 0.7 MB
    peaks = []
    for times in (1, 8):
        folder = tmp_path / f"{times}"
        folder.mkdir()
        for number in range(times):
            (folder / f"{number}.txt").symlink_to(path)
        result = build_in_process(folder, tokenizer_folder, tmp_path / f"data{times}", characters=100_000)
        assert result.returncode == 0, result.stderr
        peaks.append(int(result.stdout))
    assert peaks[1] < 1.1 * peaks[0]


def test_a_long_document_is_split_counted_and_nothing_lost(tmp_path, tokenizer):
    path = tmp_path / "long.txt"
    path.write_text("A cat sat on the mat.\n" * 100)
    settings = BuildSettings(CorpusSettings(max_document_characters=500), shard_characters=600)
    data = build_data(path, tokenizer, tmp_path / "data", settings, 1)
    assert data.manifest.counts["split_documents"] == 4
    assert (data.manifest.documents, data.manifest.sentences) == (5, 100)


def test_what_is_not_utf8_is_reported(tmp_path, tokenizer):
    path = tmp_path / "latin1.txt"
    path.write_bytes("A cat at the café sat.\n".encode("latin-1"))
    data = build_data(path, tokenizer, tmp_path / "data", workers=1)
    assert data.manifest.counts["replaced_characters"] == 1
    assert data.manifest.sentences == 1


def test_sentences_are_taken_as_they_are_where_lines_say_so(tmp_path, tokenizer):
    path = tmp_path / "sentences.txt"
    path.write_text("A cat. It sat.\nIt was here.\n")
    settings = BuildSettings(CorpusSettings(lines="sentence"))
    assert texts_of(build_data(path, tokenizer, tmp_path / "a", settings, 1)) == [["a cat. it sat.", "it was here."]]
    assert texts_of(build_data(path, tokenizer, tmp_path / "b", workers=1)) == [["a cat.", "it sat.", "it was here."]]


def test_chinese_is_split_and_tokenized(tmp_path):
    path = tmp_path / "中文.txt.gz"
    path.write_bytes(gzip.compress("我爱你。你爱我吗？我爱！\n\n你。\n".encode()))
    tokenizer = AlbertWordPieceTokenizer(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"我爱你吗。？！"])
    data = build_data(path, tokenizer, tmp_path / "数据", BuildSettings(language="zh"), 2)
    assert texts_of(data) == [["我爱你。", "你爱我吗？", "我爱！"], ["你。"]]


def test_one_output_holds_many_files_of_all_kinds(tmp_path, tokenizer):
    (tmp_path / "1.txt").write_text("A cat.\n")
    (tmp_path / "2.txt").write_text("")
    (tmp_path / "3.jsonl").write_text('{"text": "A dog."}\n{"text": null}\n')
    data = build_data([tmp_path / "*.txt", tmp_path / "3.jsonl"], tokenizer, tmp_path / "data", workers=1)
    assert texts_of(data) == [["a cat."], ["a dog."]]
    assert [Path(source["name"]).name for source in data.manifest.sources] == ["1.txt", "2.txt", "3.jsonl"]
    assert data.manifest.counts["rows_without_text"] == 1


@pytest.mark.parametrize("content", ["", "\n \n\t\n", "\u200b\n"])
def test_a_corpus_without_a_sentence_is_an_error_and_leaves_nothing(tmp_path, content):
    path = tmp_path / "empty.txt"
    path.write_text(content, encoding="utf-8")
    tokenizer = AlbertWordPieceTokenizer(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"])
    with pytest.raises(ValueError, match=r"Expected at least one sentence\. Received: 1 files without any"):
        build_data(path, tokenizer, tmp_path / "data", workers=1)
    assert names(tmp_path) == ["empty.txt"]


def test_documents_without_a_token_make_no_shard(tmp_path, tokenizer):
    path = tmp_path / "text.txt"
    path.write_text("\u200b\u200b\u200b\n\nA cat.\n", encoding="utf-8")
    word_piece = AlbertWordPieceTokenizer(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "cat"])
    data = build_data(path, word_piece, tmp_path / "data", BuildSettings(shard_characters=1), 1)
    assert [shard.file for shard in data.manifest.shards] == ["shards/000001.safetensors"]
    assert data.manifest.documents == 1


def test_a_file_in_the_place_of_a_folder_is_an_error(corpus, tokenizer, tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(OutputError, match=r"Cannot write .*file/data"):
        build_data(corpus, tokenizer, tmp_path / "file" / "data", SMALL, 1)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_an_error(corpus, tokenizer, tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(OutputError, match="Cannot write"):
        build_data(corpus, tokenizer, tmp_path / "data", SMALL, 1)


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_while_shards_are_written_is_told_and_keeps_what_is_done(
    corpus, tokenizer, tmp_path, expected, workers
):
    output = tmp_path / "data"
    place = tmp_path / "data.unfinished" / "shards" / "000005.safetensors.part"

    def block(state):
        if state.shards == 1:
            place.mkdir(exist_ok=True)

    with pytest.raises(OutputError, match=r"Cannot write .*000005\.safetensors\.part"):
        build_data(corpus, tokenizer, output, SMALL, workers, on_progress=block)
    place.rmdir()
    states = []
    build_data(corpus, tokenizer, output, SMALL, workers, on_progress=states.append)
    assert states[-1].kept_shards == 5
    assert content(output) == expected


def test_two_builds_do_not_write_to_one_folder(corpus, tokenizer, tmp_path):
    def again(state):
        build_data(corpus, tokenizer, tmp_path / "data", SMALL, 1)

    with pytest.raises(ValueError, match="Another process builds"):
        build_data(corpus, tokenizer, tmp_path / "data", SMALL, 1, on_progress=again)


@pytest.mark.parametrize(("name", "value"), [("shard_characters", 0), ("language", " ")])
def test_wrong_settings_are_errors(name, value):
    with pytest.raises(ValueError, match=f"Received: {name}={value!r}"):
        BuildSettings(**{name: value})


def test_no_worker_is_an_error(corpus, tokenizer, tmp_path):
    with pytest.raises(ValueError, match="workers=0"):
        build_data(corpus, tokenizer, tmp_path / "data", workers=0)


def test_the_manifest_is_json_that_people_can_read(expected):
    manifest = json.loads(expected["manifest.json"])
    assert manifest["form"] == "documents"
    assert manifest["tokenizer"]["class_name"] == "AlbertTokenizer"
    assert manifest["tokenizer"]["vocabulary_size"] == 400
    assert sum(shard["bytes"] for shard in manifest["shards"]) == sum(
        len(value) for name, value in expected.items() if name.startswith("shards/")
    )

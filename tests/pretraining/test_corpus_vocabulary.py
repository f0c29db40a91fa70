import pytest
import sentencepiece
from small_corpus import write_corpus

from keras_albert.pretraining import CorpusSettings, vocabulary_from_files


def pieces(proto: bytes) -> list[str]:
    processor = sentencepiece.SentencePieceProcessor(model_proto=proto)
    return processor.id_to_piece(list(range(processor.vocab_size())))


def test_the_first_ids_are_those_of_the_released_vocabulary(tmp_path):
    path = write_corpus(tmp_path / "some text.txt", 70)
    proto, counts = vocabulary_from_files(path, 34)
    found = pieces(proto)
    assert len(found) == 34
    assert found[:13] == ["<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]", *'()"-.–£€']
    processor = sentencepiece.SentencePieceProcessor(model_proto=proto)
    assert (processor.bos_id(), processor.eos_id()) == (-1, -1)
    assert (counts.documents, counts.bytes_read) == (70, path.stat().st_size)


def test_the_beginning_is_that_of_googles_own_file(tmp_path, shared):
    lines = (shared / "data" / "albert_vocab" / "30k-clean.vocab").read_text(encoding="utf-8").splitlines()
    google = [line.split("\t")[0] for line in lines[:13]]
    assert pieces(vocabulary_from_files(write_corpus(tmp_path / "a.txt", 70), 34)[0])[:13] == google


def test_texts_are_normalized_unless_told_otherwise(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("Élan VITAL élan.\n" * 30, encoding="utf-8")
    assert not any(set("ÉéVITAL") & set(piece) for piece in pieces(vocabulary_from_files(path, 21)[0])[5:])
    cased = pieces(vocabulary_from_files(path, 24, lowercase=False, strip_accents=False)[0])[5:]
    assert {"É", "é", "V"} <= set("".join(cased))


def test_a_sample_is_drawn_by_the_seed(tmp_path):
    path = write_corpus(tmp_path / "a.txt", 70)
    protos = [vocabulary_from_files(path, 34, sample_size=60, seed=seed)[0] for seed in (1, 1, 2)]
    assert protos[0] == protos[1] != protos[2]
    assert vocabulary_from_files(path, 34, sample_size=10_000)[0] == vocabulary_from_files(path, 34)[0]


def test_progress_ends_with_all_bytes(tmp_path):
    path = write_corpus(tmp_path / "a.txt", 700)
    seen = []
    vocabulary_from_files(path, 34, on_progress=lambda read, total: seen.append((read, total)))
    assert seen == sorted(seen)
    assert len(seen) > 2
    assert seen[-1] == (path.stat().st_size,) * 2


@pytest.mark.parametrize("content", ["", "\n \n"])
def test_an_empty_corpus_is_an_error(tmp_path, content):
    (tmp_path / "a.txt").write_text(content)
    with pytest.raises(ValueError, match="at least one text"):
        vocabulary_from_files(tmp_path / "a.txt", 50)


def test_an_error_of_a_file_comes_through(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"body": "x"}')
    with pytest.raises(ValueError, match="expected a column 'text'"):
        vocabulary_from_files(tmp_path / "a.jsonl", 50, settings=CorpusSettings())

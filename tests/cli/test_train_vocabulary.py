from pathlib import Path

import pytest
import sentencepiece

from keras_albert.pretraining import load_tokenizer

TEXT = "A cat sat on the mat. It was here.\nOur old films were good, but not now.\n\n" * 20


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "some text.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_a_folder_holds_the_vocabulary_and_how_texts_are_normalized(call, text, tmp_path):
    outcome = call("train-vocabulary", text, "--output", tmp_path / "a vocabulary", "--size", 36, "--no-lowercase")
    assert outcome.code == 0, outcome.err
    assert "Vocabulary  36 pieces in" in outcome.out
    assert "Corpus      20 documents, 1,420 characters" in outcome.out
    tokenizer = load_tokenizer(tmp_path / "a vocabulary")
    assert (tokenizer.vocabulary_size(), tokenizer.lowercase, tokenizer.strip_accents) == (36, False, True)


def test_a_model_file_has_the_special_pieces_first(call, text, tmp_path):
    output = tmp_path / "new" / "spiece.model"
    outcome = call("train-vocabulary", tmp_path, "--output", output, "--size", 34, "--sample", 30, "--coverage", 1.0)
    assert outcome.code == 0, outcome.err
    processor = sentencepiece.SentencePieceProcessor(model_file=str(output))
    assert processor.id_to_piece(list(range(5))) == ["<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]"]
    assert processor.vocab_size() == 34


@pytest.mark.parametrize("name", ["vocabulary", "spiece.model"])
def test_what_is_there_is_replaced_only_if_told(call, text, tmp_path, name):
    output = tmp_path / name
    arguments = ("train-vocabulary", text, "--output", output, "--size", 34)
    assert call(*arguments).code == 0
    refused = call(*arguments)
    assert (refused.code, refused.out) == (2, "")
    assert "is there already" in refused.err
    assert len(refused.err.splitlines()) == 1
    assert call(*arguments, "--overwrite").code == 0


def test_a_size_that_is_too_large_names_one_that_is_not(call, text, tmp_path):
    outcome = call("train-vocabulary", text, "--output", tmp_path / "out.model")
    assert outcome.code == 2
    assert "The texts give a vocabulary of at most" in outcome.err
    assert not (tmp_path / "out.model").exists()


def test_no_such_file_is_an_error_of_one_line(call, tmp_path):
    outcome = call("train-vocabulary", tmp_path / "none.txt", "--output", tmp_path / "out.model")
    assert outcome.code == 2
    assert outcome.err.startswith("Error: Expected a file of text.")
    assert len(outcome.err.splitlines()) == 1

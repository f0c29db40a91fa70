"""Pieces that a corpus has no use for go; its encoding stays."""

import io

import numpy as np
import pytest
import sentencepiece
from small_models import PIECES, chinese, hand_made

from keras_albert import AlbertTokenizer, AlbertWordPieceTokenizer, keep_used_pieces, train_vocabulary


def pieces_of(tokenizer, texts: list[str]) -> list[list[str]]:
    return [[tokenizer.id_to_token(id) for id in row] for row in tokenizer(texts)]


def in_order(smaller, larger) -> bool:
    kept = set(smaller.get_vocabulary())
    return smaller.get_vocabulary() == [piece for piece in larger.get_vocabulary() if piece in kept]


def test_corpus_gives_the_same_pieces(tokenizer, short_texts):
    texts = [row["text"] for row in short_texts[:20]]
    smaller = keep_used_pieces(tokenizer, texts)
    assert pieces_of(smaller, texts) == pieces_of(tokenizer, texts)
    assert smaller.vocabulary_size() < 350
    assert in_order(smaller, tokenizer)
    assert smaller.get_config() == tokenizer.get_config()
    assert [smaller.token_to_id(piece) for piece in ("<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]")] == [0, 1, 2, 3, 4]
    dropped = set(tokenizer.get_vocabulary()) - set(smaller.get_vocabulary())
    assert not dropped & {piece for row in pieces_of(tokenizer, texts) for piece in row}


@pytest.mark.parametrize("seed", range(5))
def test_any_corpus_gives_the_same_pieces(seed, tokenizer, short_texts):
    rng = np.random.default_rng(seed)
    words = [*" ".join(row["text"] for row in short_texts).split(), "2011,", "7,", "été", "中", "qq", "x,"]
    texts = [" ".join(rng.choice(words, rng.integers(1, 8))) for _ in range(rng.integers(1, 30))]
    texts += ["".join(rng.choice([*"abcdefgh ,.1(-"], 12)) for _ in range(10)]
    assert pieces_of(keep_used_pieces(tokenizer, texts), texts) == pieces_of(tokenizer, texts)


@pytest.mark.parametrize("seed", range(5))
def test_any_corpus_gives_the_same_wordpieces(seed):
    rng = np.random.default_rng(seed)
    syllables = ["ab", "ba", "c", "abc", "cab", "b", "a", "cc"]
    vocabulary = [*PIECES[:5], *syllables, *(f"##{syllable}" for syllable in syllables if rng.random() < 0.6), "我"]
    tokenizer = AlbertWordPieceTokenizer(vocabulary)
    for _ in range(40):
        texts = ["".join(rng.choice([*"abc ,我"], 9, p=[0.3, 0.25, 0.2, 0.1, 0.1, 0.05])) for _ in range(3)]
        assert pieces_of(keep_used_pieces(tokenizer, texts), texts) == pieces_of(tokenizer, texts)


def test_word_that_could_not_be_spelled_still_cannot():
    pieces = [*PIECES[:5], "ab", "a", "##bx", "##b", "##x", "x"]
    # "ab" comes first, and "##xy" is none: without "ab" it would be "a" and "##bx".
    tokenizer = AlbertWordPieceTokenizer([piece for piece in pieces if piece != "##x"])
    texts = ["abx", "a abx", "x" * 300]
    assert tokenizer("abx") == [1]
    smaller = keep_used_pieces(tokenizer, texts)
    assert pieces_of(smaller, texts) == pieces_of(tokenizer, texts)
    assert "ab" in smaller.get_vocabulary()


def test_wordpiece_keeps_what_is_used_and_its_characters():
    smaller = keep_used_pieces(chinese(), ["Trains, 我爱", "rematch"])
    expected = [*PIECES[:5], "train", "##s", "re", "##mat", "##ch", *"atrins,", "##a", "##n", "我", "爱"]
    assert smaller.get_vocabulary() == expected
    assert in_order(smaller, chinese())


def test_other_words_in_the_same_letters_can_be_spelled(tokenizer):
    smaller = keep_used_pieces(tokenizer, ["the train was late"])
    assert smaller.unk_token_id not in smaller("white rats tile her law")
    assert smaller.unk_token_id in smaller("quiz")
    assert smaller.unk_token_id not in keep_used_pieces(tokenizer, ["the train was late", "q u i z"])("quiz")


def test_rare_pieces_are_spelled_by_others(tokenizer):
    texts = ["the train was late", "the food was late", "the food"]
    smaller = keep_used_pieces(tokenizer, texts, min_count=2)
    assert smaller.vocabulary_size() < keep_used_pieces(tokenizer, texts).vocabulary_size()
    assert "▁the" in smaller.get_vocabulary()
    assert smaller.detokenize(smaller(texts)) == texts


def test_number_with_a_comma_is_split_as_before():
    texts = ["in 2011, and in 2012, or 2011", "2011, 2012, 2013, 1,"]
    tokenizer = AlbertTokenizer(train_vocabulary([*texts * 20, "0 1 2 3 4 5 6 7 8 9"], 35))
    assert any(piece[-2:-1].isdigit() and piece.endswith(",") for piece in tokenizer.get_vocabulary())
    smaller = keep_used_pieces(tokenizer, texts[:1])
    assert pieces_of(smaller, texts[:1]) == pieces_of(tokenizer, texts[:1])


def test_unknown_characters_cost_what_they_cost():
    # An unknown character scores 10 less than the least probable piece: "c" and "defgh" -51, or -25 without "z".
    tokenizer = hand_made({"▁": -1, "cd": -14, "ef": -14, "gh": -14, "defgh": -1, "z": -40})
    texts = ["cdefgh", "defgh"]
    assert pieces_of(tokenizer, texts) == [["▁", "cd", "ef", "gh"], ["▁", "defgh"]]
    assert pieces_of(keep_used_pieces(tokenizer, texts), texts) == pieces_of(tokenizer, texts)


def test_user_defined_symbols_cost_what_they_cost():
    # "-" costs about nothing, whatever the most probable piece, "y", does.
    tokenizer = hand_made({"▁": -3, "-a": -2, "bc": -3, "abc": -4, "a": -3, "y": -0.5})
    texts = ["-abc", "-a", "bc"]
    assert pieces_of(tokenizer, texts) == [["▁", "-", "abc"], ["▁", "-a"], ["▁", "bc"]]
    assert pieces_of(keep_used_pieces(tokenizer, texts), texts) == pieces_of(tokenizer, texts)


def test_released_vocabulary_on_a_corpus(shared):
    tokenizer = AlbertTokenizer(shared / "data" / "albert_vocab" / "spiece.model")
    lines = (shared / "data" / "albert_vocab" / "30k-clean.vocab").read_text("utf-8").split("\n")
    words = [line.split("\t")[0].replace("▁", " ") for line in lines]
    texts = [" ".join(words[start : start + 7]) for start in range(0, 20000, 70)]
    smaller = keep_used_pieces(tokenizer, iter(texts))
    assert pieces_of(smaller, texts) == pieces_of(tokenizer, texts)
    assert smaller.vocabulary_size() < 4000


def test_texts_are_read_once(tokenizer):
    texts = ["the train was late", "good food"] * 1500
    assert (
        keep_used_pieces(tokenizer, iter(texts)).get_vocabulary() == keep_used_pieces(tokenizer, texts).get_vocabulary()
    )


def test_special_tokens_in_strings_stay_special(tokenizer):
    prompting = AlbertTokenizer(tokenizer._vocabulary_source(), special_tokens_in_strings=True)
    smaller = keep_used_pieces(prompting, ["the [MASK] was late"])
    assert smaller.mask_token_id in smaller("the [MASK] was late")


@pytest.mark.parametrize(
    ("texts", "min_count", "message"),
    [
        ("the train", 1, r"Expected several texts. Received: texts='the train'"),
        ([], 1, "Expected at least one text. Received: none"),
        (["a", 7], 1, "Received"),
        (["a"], 0, "Expected a count of 1 or more. Received: min_count=0"),
        (["a"], 1.5, "Expected a count of 1 or more. Received: min_count=1.5"),
    ],
)
def test_what_is_no_corpus_is_refused(texts, min_count, message):
    with pytest.raises(ValueError, match=message):
        keep_used_pieces(chinese(), texts, min_count)


def test_tokenizers_whose_pieces_need_each_other_are_refused():
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(["a cat sat on a mat"] * 20), model_writer=model, model_type="bpe", vocab_size=20,
        pad_id=0, unk_id=1, bos_id=-1, eos_id=-1, control_symbols=["[CLS]", "[SEP]", "[MASK]"], minloglevel=3,
    )  # fmt: skip
    with pytest.raises(ValueError, match=r"merges pairs \(BPE\)"):
        keep_used_pieces(AlbertTokenizer(model.getvalue()), ["a cat"])
    with pytest.raises(ValueError, match="has no vocabulary yet"):
        keep_used_pieces(AlbertTokenizer(), ["a cat"])
    with pytest.raises(ValueError, match="Expected an AlbertTokenizer or an AlbertWordPieceTokenizer"):
        keep_used_pieces(None, ["a cat"])

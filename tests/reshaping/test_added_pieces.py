"""Pieces at the end of a vocabulary: texts give them, and the old ids stay."""

import io

import pytest
import sentencepiece
from small_models import PIECES, chinese, hand_made

from keras_albert import AlbertTokenizer, AlbertWordPieceTokenizer, add_pieces, train_vocabulary


def pieces_of(tokenizer, text: str) -> list[str]:
    return [tokenizer.id_to_token(id) for id in tokenizer(text)]


def test_old_ids_stay(tokenizer, short_texts):
    larger = add_pieces(tokenizer, ["▁zyxw", "qjqj"])
    assert type(larger) is AlbertTokenizer
    assert larger.get_vocabulary() == [*tokenizer.get_vocabulary(), "▁zyxw", "qjqj"]
    assert [larger.token_to_id(piece) for piece in ("▁zyxw", "qjqj", "[MASK]")] == [400, 401, 4]
    texts = [row["text"] for row in short_texts]
    assert larger(texts) == tokenizer(texts)
    assert tokenizer.vocabulary_size() == 400


def test_sentencepiece_gives_new_pieces_in_any_place(tokenizer):
    larger = add_pieces(tokenizer, ["▁covid", "covid", "sars-cov-2", "▁new▁york"])
    assert pieces_of(larger, "COVID") == ["▁covid"]
    assert pieces_of(larger, "the (covid) in New  York")[-4:] == ["covid", ")", "▁in", "▁new▁york"]
    assert pieces_of(larger, "Sars-CoV-2")[-1] == "sars-cov-2"
    assert larger.detokenize(larger("a sars-cov-2 covid in new york")) == "a sars-cov-2 covid in new york"
    ids, offsets = larger.tokenize_with_offsets("a Covid")
    assert (ids[-1], offsets[-1]) == (400, (2, 7))


@pytest.mark.parametrize("piece", ["acat", "catsat", "the▁cat", "matmatmat", "aaaaaaaa", "▁a▁cat▁sat"])
def test_new_piece_comes_before_every_spelling_of_it(piece):
    larger = add_pieces(AlbertTokenizer(train_vocabulary(["a cat sat on a mat", "the cat was here"] * 20, 28)), [piece])
    assert pieces_of(larger, "x" * (piece[0] != "▁") + piece.replace("▁", " "))[-1] == piece


def test_new_piece_comes_before_probable_long_pieces(tokenizer):
    assert pieces_of(tokenizer, "the the") == ["▁the", "▁the"]
    assert pieces_of(add_pieces(tokenizer, ["▁the▁the"]), "the the") == ["▁the▁the"]


def test_new_piece_leaves_words_that_hold_it_as_they_are():
    # As probable as "alog": "▁", "cat" and "alog" score -7. A user-defined symbol would make it -5.
    tokenizer = hand_made({"▁": -3, "▁catalog": -6, "alog": -2, "c": -9})
    assert pieces_of(add_pieces(tokenizer, ["cat"]), "catalog cat") == ["▁catalog", "▁", "cat"]


def test_wordpiece_gives_new_pieces():
    larger = add_pieces(chinese(), ["rematch", "##cher", "北"])
    assert type(larger) is AlbertWordPieceTokenizer
    assert larger.get_vocabulary() == [*PIECES, "rematch", "##cher", "北"]
    assert pieces_of(larger, "Rematches, 我爱北点") == ["[UNK]", ",", "我", "爱", "北", "点"]
    assert pieces_of(larger, "REMATCHS macher") == ["rematch", "##s", "[UNK]"]
    assert pieces_of(larger, "acher") == ["a", "##cher"]


@pytest.mark.parametrize("kind", ["sentencepiece", "wordpiece"])
def test_options_and_files_go_along(kind, tokenizer, tmp_path):
    options = {"lowercase": False, "strip_accents": False, "special_tokens_in_strings": True, "name": "mine"}
    proto = tokenizer._vocabulary_source()
    old = AlbertTokenizer(proto, **options) if kind == "sentencepiece" else chinese(**options)
    larger = add_pieces(old, ["É"])
    assert larger.get_config() == old.get_config()
    larger.save_assets(str(tmp_path))
    loaded = type(old).from_config(old.get_config())
    loaded.load_assets(str(tmp_path))
    text = "É [MASK]"
    assert loaded(text) == larger(text)
    assert larger(text)[-2:] == [old.vocabulary_size(), 4]


def test_model_that_merges_pairs_takes_pieces_too():
    model = io.BytesIO()
    texts = ["a cat sat on a mat", "the cat was here"] * 20
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(texts), model_writer=model, model_type="bpe", vocab_size=28, minloglevel=3,
        pad_id=0, unk_id=1, bos_id=-1, eos_id=-1, control_symbols=["[CLS]", "[SEP]", "[MASK]"],
    )  # fmt: skip
    larger = add_pieces(AlbertTokenizer(model.getvalue()), ["catsat"])
    assert pieces_of(larger, "a catsat") == ["▁a", "▁", "catsat"]


@pytest.mark.parametrize(
    ("pieces", "message"),
    [
        ("rematch", r"Pass a list, `\[piece\]`"),
        ([""], r"one character or more. Received: pieces\[0\]=''"),
        (["xx", 7], r"one character or more. Received: pieces\[1\]=7"),
        ([b"x"], r"one character or more. Received: pieces\[0\]=b'x'"),
        (["xx", "xx"], r"each piece once. Received: pieces\[1\]='xx' again"),
        (["[MASK]"], r"vocabulary lacks. Received: pieces\[0\]='\[MASK\]', which it has"),
        (["Covid"], r"lower-cased, stripped of accents.*Received: pieces\[0\]='Covid'"),
        (["xx", "caf\u00e9"], r"stripped of accents.*Received: pieces\[1\]='caf\u00e9'"),
        (["new york"], r"Received: pieces\[0\]='new york'"),
        (["x\n"], r"Received: pieces\[0\]='x\\n'"),
        (["\ud800"], r"Received: pieces\[0\]='\\ud800'"),
    ],
)
def test_pieces_that_no_text_gives_are_refused(pieces, message, tokenizer):
    for old in (tokenizer, chinese()):
        with pytest.raises(ValueError, match=message):
            add_pieces(old, pieces)


@pytest.mark.parametrize("piece", ["北京", "##北", "[e1]", "##,", "##", "a,b"])
def test_pieces_that_wordpiece_would_split_are_refused(piece):
    with pytest.raises(ValueError, match="split at blanks, punctuation and ideographs before"):
        add_pieces(chinese(), [piece])


@pytest.mark.parametrize("piece", ["▁2011,", "x\u200b\u2460", "▁x▁▁y", "x▁"])
def test_pieces_that_sentencepiece_would_change_are_refused(piece, tokenizer):
    with pytest.raises(ValueError, match="normalized by SentencePiece, and parted between a digit and a comma"):
        add_pieces(tokenizer, [piece])


def test_tokenizers_without_vocabulary_and_others_are_refused():
    with pytest.raises(ValueError, match="has no vocabulary yet"):
        add_pieces(AlbertTokenizer(), ["x"])
    with pytest.raises(ValueError, match=r"Expected an AlbertTokenizer or an Albert.*Received: tokenizer="):
        add_pieces("vocab.txt", ["x"])

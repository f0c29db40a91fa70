import pytest

from keras_albert import AlbertTokenizer, AlbertWordPieceTokenizer
from keras_albert.pretraining import load_tokenizer, write_tokenizer
from keras_albert.pretraining.tokenizer_folder import TokenizerFolder

PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "room", "12", ",", "The", "the", "##s", "我", "é", "e"]
TEXTS = ["The rooms 12, é", "我 [MASK] room", "2011, was", ""]


@pytest.fixture(params=["sentencepiece", "wordpiece", "cased"])
def any_tokenizer(request, tokenizer):
    if request.param == "sentencepiece":
        return tokenizer
    if request.param == "wordpiece":
        return AlbertWordPieceTokenizer(PIECES)
    return AlbertWordPieceTokenizer(PIECES, lowercase=False, strip_accents=False)


def test_a_folder_gives_back_the_tokenizer_and_its_encoder(any_tokenizer, tmp_path):
    folder = write_tokenizer(any_tokenizer, tmp_path / "a b")
    assert folder.load().tokenize(TEXTS) == any_tokenizer.tokenize(TEXTS)
    assert folder.load_encoder().encode(TEXTS) == any_tokenizer.tokenize(TEXTS)
    names = ("pad_token_id", "unk_token_id", "start_token_id", "end_token_id", "mask_token_id")
    assert folder.special_ids(folder.load_encoder()) == [getattr(any_tokenizer, name) for name in names]
    assert folder.facts()["vocabulary_size"] == any_tokenizer.vocabulary_size()


def test_special_tokens_in_a_corpus_are_plain_text(tmp_path):
    tokenizer = AlbertWordPieceTokenizer([*PIECES, "[", "]", "mask"], special_tokens_in_strings=True)
    folder = write_tokenizer(tokenizer, tmp_path)
    assert tokenizer("[MASK]") == [4]
    assert folder.load_encoder().encode(["[MASK]"]) == [[14, 16, 15]]


def test_the_digest_follows_the_vocabulary_and_the_settings_not_the_folder(tmp_path, tokenizer):
    digests = {}
    for name, options in {"a": {}, "b": {}, "cased": {"lowercase": False}}.items():
        digests[name] = write_tokenizer(AlbertWordPieceTokenizer(PIECES, **options), tmp_path / name).digest()
    digests["other"] = write_tokenizer(AlbertWordPieceTokenizer([*PIECES, "x"]), tmp_path / "other").digest()
    assert digests["a"] == digests["b"]
    assert len(set(digests.values())) == 3


def test_a_tokenizer_is_loaded_from_every_place_that_has_one(tmp_path, tokenizer, backbone):
    write_tokenizer(tokenizer, tmp_path / "folder")
    tokenizer.save_assets(str(tmp_path))
    (tmp_path / "vocabulary.spm").rename(tmp_path / "spiece.model")
    (tmp_path / "vocab.txt").write_text("\n".join(PIECES))
    backbone.save_to_preset(str(tmp_path / "preset"))
    tokenizer.save_to_preset(str(tmp_path / "preset"))
    for name in ("folder", "spiece.model", "preset"):
        loaded = load_tokenizer(tmp_path / name)
        assert isinstance(loaded, AlbertTokenizer)
        assert loaded.get_vocabulary() == tokenizer.get_vocabulary()
        assert not load_tokenizer(tmp_path / name, lowercase=False).lowercase
    assert load_tokenizer(tmp_path / "vocab.txt").get_vocabulary() == PIECES


def test_the_tokenizer_of_a_release_is_loaded(golden_model):
    archive, _ = golden_model("albert_tiny_g2")
    assert isinstance(load_tokenizer(archive), AlbertTokenizer | AlbertWordPieceTokenizer)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("30k-clean.vocab", b"<pad>\t0\n", "Pass the `.model`"),
        ("spiece.model", b"[UNK]\n##s\n", "a BERT vocabulary"),
        ("vocab.txt", b"one\ntwo\n", "lacks special tokens"),
        ("notes.md", b"x", "Expected a preset's name"),
    ],
)
def test_a_vocabulary_of_another_kind_is_an_error(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ValueError, match=message):
        load_tokenizer(tmp_path / name)


def test_a_preset_of_another_package_is_an_error(tmp_path, backbone):
    backbone.save_to_preset(str(tmp_path))
    with pytest.raises(ValueError, match="Expected a preset with a tokenizer of this package"):
        load_tokenizer(tmp_path)


def test_a_folder_is_one_only_with_its_file(tmp_path):
    assert not TokenizerFolder(tmp_path).is_there
    (tmp_path / "tokenizer.json").write_text("{}")
    assert not TokenizerFolder(tmp_path).is_there

import base64
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
from golden_texts import OWN_GOLDEN, on_this_python, records, tiny_proto
from sentencepiece import sentencepiece_model_pb2
from tiny_tokenizers import PIECES, make_sentencepiece, make_wordpiece
from tokenizers import AddedToken, SentencePieceUnigramTokenizer
from transformers import AlbertTokenizer as TransformersAlbertTokenizer
from transformers import BertTokenizer

from keras_albert.text.hugging_face_export import write_hugging_face_tokenizer
from keras_albert.text.hugging_face_import import hugging_face_tokenizer
from keras_albert.text.hugging_face_vocabularies import sentencepiece_proto, wordpiece_vocabulary
from keras_albert.text.sentencepiece_tokenizer import AlbertTokenizer
from keras_albert.text.tokenizer_base import TokenizerBase
from keras_albert.text.vocabulary import train_vocabulary
from keras_albert.text.wordpiece_tokenizer import AlbertWordPieceTokenizer

pytestmark = pytest.mark.any_backend

MULTILINGUAL = [
    "The déjà-vu of 2011, or 3.0, costs £5,000 – ﬁne… “well-known”",
    "Größe, naïve, Çocuk; İSTANBUL ΟΔΟΣ",
    "Съешь же ещё этих мягких французских булок",
    "我们在北京，今天天气很好。ガラスを食べられます",
    "다람쥐 헌 쳇바퀴에 타고파 \u1100\u1161\u11a8",
    "नमस्ते दुनिया สวัสดีชาวโลก שלום عالَم",
    "[CLS] a [MASK] <pad> 🙂\ufe0f \u200b x",
]


@pytest.fixture(scope="module")
def model(shared: Path) -> Path:
    return shared / "data" / "albert_vocab" / "spiece.model"


@pytest.fixture(scope="module")
def vocabulary(shared: Path) -> Path:
    return shared / "data" / "chinese_vocab" / "vocab.txt"


def only_tokenizer_json(tokenizer: TokenizerBase, folder: Path) -> dict[str, Any]:
    """Export a tokenizer, leave nothing of it but its `tokenizer.json`, and return that."""
    for path in write_hugging_face_tokenizer(tokenizer, folder):
        if path.name != "tokenizer.json":
            path.unlink()
    return json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))


def write(folder: Path, **files: Any) -> Path:
    """Write `tokenizer_json=` as tokenizer.json, and so on."""
    for name, content in files.items():
        (folder / ".json".join(name.rsplit("_json", 1))).write_text(json.dumps(content), encoding="utf-8")
    return folder


@pytest.mark.parametrize("case", ["lower", "cased"])
def test_sentencepiece_out_and_in_again(shared: Path, model: Path, tmp_path: Path, case: str) -> None:
    tokenizer = AlbertTokenizer(model, lowercase=case == "lower")
    only_tokenizer_json(tokenizer, tmp_path)
    back = hugging_face_tokenizer(tmp_path)
    assert isinstance(back, AlbertTokenizer)
    assert (back.lowercase, back.strip_accents) == (case == "lower", True)
    assert back.get_vocabulary() == tokenizer.get_vocabulary()
    golden = records(shared / "golden" / "tokenizer" / f"spm_{case}.jsonl")
    given = back.tokenize([record["text"] for record in golden])
    assert given == [on_this_python(record)["ids"] for record in golden]
    assert back.tokenize(MULTILINGUAL) == tokenizer.tokenize(MULTILINGUAL)


def test_digits_and_commas_out_and_in_again(tmp_path: Path) -> None:
    only_tokenizer_json(make_sentencepiece(), tmp_path)
    golden = records(OWN_GOLDEN / "tiny_digit_comma.jsonl")
    given = hugging_face_tokenizer(tmp_path).tokenize([record["text"] for record in golden])
    assert given == [record["ids_py3"] for record in golden]


@pytest.mark.parametrize("case", ["lower", "cased"])
def test_wordpiece_out_and_in_again(shared: Path, vocabulary: Path, tmp_path: Path, case: str) -> None:
    tokenizer = AlbertWordPieceTokenizer(vocabulary, lowercase=case == "lower")
    only_tokenizer_json(tokenizer, tmp_path)
    back = hugging_face_tokenizer(tmp_path)
    assert isinstance(back, AlbertWordPieceTokenizer)
    assert (back.lowercase, back.strip_accents) == (case == "lower", case == "lower")
    assert back.get_vocabulary() == tokenizer.get_vocabulary()
    golden = records(shared / "golden" / "tokenizer" / "wordpiece_zh.jsonl")
    assert back.tokenize([record["text"] for record in golden]) == [record[f"ids_{case}"] for record in golden]
    assert back.tokenize(MULTILINGUAL) == tokenizer.tokenize(MULTILINGUAL)


@pytest.mark.parametrize("lowercase", [True, False])
@pytest.mark.parametrize("strip_accents", [True, False])
@pytest.mark.parametrize("make", [make_sentencepiece, make_wordpiece])
@pytest.mark.parametrize("alone", [True, False])
def test_options_out_and_in_again(
    tmp_path: Path, make: Callable[..., TokenizerBase], lowercase: bool, strip_accents: bool, alone: bool
) -> None:
    tokenizer = make(lowercase=lowercase, strip_accents=strip_accents)
    (only_tokenizer_json if alone else write_hugging_face_tokenizer)(tokenizer, tmp_path)
    back = hugging_face_tokenizer(tmp_path)
    assert type(back) is type(tokenizer)
    assert (back.lowercase, back.strip_accents) == (lowercase, strip_accents)
    assert back.tokenize(MULTILINGUAL) == tokenizer.tokenize(MULTILINGUAL)


@pytest.mark.parametrize("in_strings", [True, False])
def test_special_tokens_in_strings_out_and_in_again(tmp_path: Path, in_strings: bool) -> None:
    write_hugging_face_tokenizer(make_wordpiece(special_tokens_in_strings=in_strings), tmp_path)
    assert hugging_face_tokenizer(tmp_path).special_tokens_in_strings is in_strings
    assert (4 in hugging_face_tokenizer(tmp_path).tokenize("the [MASK]")) is in_strings
    assert not hugging_face_tokenizer(tmp_path, special_tokens_in_strings=False).special_tokens_in_strings


def test_what_transformers_saves_for_albert(shared: Path, model: Path, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    shutil.copy(model, tmp_path / "in")
    TransformersAlbertTokenizer.from_pretrained(tmp_path / "in").save_pretrained(tmp_path / "out")
    assert not (tmp_path / "out" / "spiece.model").exists()
    golden = records(shared / "golden" / "tokenizer" / "spm_lower.jsonl")
    for folder in ("in", "out"):
        given = hugging_face_tokenizer(tmp_path / folder).tokenize([record["text"] for record in golden])
        assert given == [on_this_python(record)["ids"] for record in golden]


def test_what_transformers_saves_for_bert(shared: Path, vocabulary: Path, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    shutil.copy(vocabulary, tmp_path / "in")
    BertTokenizer.from_pretrained(tmp_path / "in", do_lower_case=False).save_pretrained(tmp_path / "out")
    golden = records(shared / "golden" / "tokenizer" / "wordpiece_zh.jsonl")
    given = hugging_face_tokenizer(tmp_path / "out").tokenize([record["text"] for record in golden])
    assert given == [record["ids_cased"] for record in golden]


def test_what_tokenizers_trains(tmp_path: Path) -> None:
    trained = SentencePieceUnigramTokenizer()
    special = ["<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]"]
    trained.train_from_iterator(
        ["a cat sat on a mat ﬁ 12", "the cat was here"] * 20, 40, special_tokens=special, unk_token="<unk>"
    )
    trained.save(str(tmp_path / "tokenizer.json"))
    tokenizer = hugging_face_tokenizer(tmp_path)
    # It asks for `Nmt` and NFKC, and has neither a map of characters nor a step that lower-cases.
    assert (tokenizer.lowercase, tokenizer.strip_accents) == (False, False)
    for text in ("a  cat was on ﬁ", "the mat\u200b12"):
        assert tokenizer.tokenize(text) == trained.encode(text).ids


def test_the_model_that_is_made_has_all_of_the_old_one(model: Path, tmp_path: Path) -> None:
    made = sentencepiece_model_pb2.ModelProto.FromString(
        sentencepiece_proto(only_tokenizer_json(AlbertTokenizer(model), tmp_path))
    )
    old = sentencepiece_model_pb2.ModelProto.FromString(model.read_bytes())
    symbols = {piece.piece for piece in old.pieces if piece.type == piece.USER_DEFINED}
    assert len(symbols) == 8
    for given, wanted in zip(made.pieces, old.pieces, strict=True):
        assert given.piece == wanted.piece
        if given.piece not in symbols:
            assert (given.score, given.type) == (wanted.score, wanted.type)
    assert made.normalizer_spec.precompiled_charsmap == old.normalizer_spec.precompiled_charsmap
    for name in ("model_type", "vocab_size", "unk_id", "bos_id", "eos_id", "pad_id", "unk_piece", "pad_piece"):
        assert getattr(made.trainer_spec, name) == getattr(old.trainer_spec, name)
    processor = sentencepiece.SentencePieceProcessor(model_proto=made.SerializeToString())
    assert processor.encode("Pre-trained, 2011, (ﬁne)") == sentencepiece.SentencePieceProcessor(
        model_file=str(model)
    ).encode("Pre-trained, 2011, (ﬁne)")


def test_spiece_model_comes_before_vocab_txt_before_tokenizer_json(tmp_path: Path) -> None:
    other = AlbertTokenizer(train_vocabulary(["a cat sat on a mat", "the cat was here"] * 20, 28))
    only_tokenizer_json(other, tmp_path)
    assert hugging_face_tokenizer(tmp_path).get_vocabulary() == other.get_vocabulary()
    (tmp_path / "tokenizer.json").unlink()
    (tmp_path / "vocab.txt").write_text("\n".join(PIECES), encoding="utf-8")
    assert hugging_face_tokenizer(tmp_path).get_vocabulary() == PIECES
    (tmp_path / "spiece.model").write_bytes(tiny_proto())
    assert hugging_face_tokenizer(tmp_path).get_vocabulary() == make_sentencepiece().get_vocabulary()


BERT = {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True}
NFKD = {"type": "Sequence", "normalizers": [{"type": "NFKD"}, {"type": "StripAccents"}]}


@pytest.mark.parametrize(
    ("config", "normalizer", "given", "wanted"),
    [
        (None, None, {}, (False, False)),
        (None, {"type": "Lowercase"}, {}, (True, False)),
        (None, NFKD, {}, (False, True)),
        ({}, NFKD, {}, (False, True)),
        ({"do_lower_case": True}, NFKD, {}, (True, True)),
        ({"do_lower_case": False, "keep_accents": True}, NFKD, {}, (False, False)),
        ({"keep_accents": None}, NFKD, {"lowercase": True}, (True, True)),
        ({"do_lower_case": True, "keep_accents": False}, None, {"strip_accents": False}, (True, False)),
    ],
)
def test_options_of_sentencepiece(
    tmp_path: Path, config: Any, normalizer: Any, given: dict[str, bool], wanted: tuple[bool, bool]
) -> None:
    content = {**only_tokenizer_json(make_sentencepiece(), tmp_path), "normalizer": normalizer}
    write(tmp_path, tokenizer_json=content, **({} if config is None else {"tokenizer_config_json": config}))
    tokenizer = hugging_face_tokenizer(tmp_path, **given)
    assert (tokenizer.lowercase, tokenizer.strip_accents) == wanted


@pytest.mark.parametrize(
    ("config", "normalizer", "given", "wanted"),
    [
        (None, {**BERT, "lowercase": True, "strip_accents": None}, {}, (True, True)),
        (None, {**BERT, "lowercase": False, "strip_accents": None}, {}, (False, False)),
        (None, {**BERT, "lowercase": True, "strip_accents": False}, {}, (True, False)),
        ({"do_lower_case": False}, {**BERT, "lowercase": True, "strip_accents": None}, {}, (False, False)),
        ({"do_lower_case": True, "strip_accents": None}, {"type": "Lowercase"}, {}, (True, True)),
        ({"strip_accents": False, "tokenize_chinese_chars": True}, {"type": "Lowercase"}, {}, (True, False)),
        ({"do_lower_case": True}, {**BERT, "lowercase": True}, {"lowercase": False}, (False, False)),
    ],
)
def test_options_of_wordpiece(
    tmp_path: Path, config: Any, normalizer: Any, given: dict[str, bool], wanted: tuple[bool, bool]
) -> None:
    content = {**only_tokenizer_json(make_wordpiece(), tmp_path), "normalizer": normalizer}
    write(tmp_path, tokenizer_json=content, **({} if config is None else {"tokenizer_config_json": config}))
    tokenizer = hugging_face_tokenizer(tmp_path, **given)
    assert (tokenizer.lowercase, tokenizer.strip_accents) == wanted


def test_defaults_are_those_of_transformers_where_nothing_is_said(tmp_path: Path) -> None:
    (tmp_path / "vocab.txt").write_text("\n".join(PIECES), encoding="utf-8")
    tokenizer = hugging_face_tokenizer(tmp_path, name="mine")
    assert (tokenizer.lowercase, tokenizer.strip_accents, tokenizer.name) == (True, True, "mine")
    (tmp_path / "spiece.model").write_bytes(tiny_proto())
    tokenizer = hugging_face_tokenizer(tmp_path)
    assert (tokenizer.lowercase, tokenizer.strip_accents, tokenizer.special_tokens_in_strings) == (True, True, False)


def test_tokens_that_transformers_added(tmp_path: Path) -> None:
    write_hugging_face_tokenizer(make_sentencepiece(), tmp_path / "in")
    theirs = TransformersAlbertTokenizer.from_pretrained(tmp_path / "in")
    theirs.add_tokens(["covid", AddedToken("<e1>", special=True)])
    theirs.save_pretrained(tmp_path / "out")
    tokenizer = hugging_face_tokenizer(tmp_path / "out")
    assert tokenizer.get_vocabulary()[124:] == ["covid", "<e1>"]
    assert tokenizer.tokenize("the covid, COVID9") == [12, 10, 124, 11, 10, 124, 45]
    assert 125 not in tokenizer.tokenize("<e1>")


@pytest.mark.parametrize(
    "files",
    [
        {
            "added_tokens_json": {"covid": 14, "<e1>": 15},
            "special_tokens_map_json": {"additional_special_tokens": ["<e1>"]},
        },
        {"added_tokens_json": {"<e1>": 15, "covid": 14}, "tokenizer_config_json": {"extra_special_tokens": ["<e1>"]}},
        {
            "tokenizer_config_json": {
                "added_tokens_decoder": {
                    "4": {"content": "[MASK]", "special": True},
                    "14": {"content": "covid", "special": False},
                    "15": {"content": "<e1>", "special": True},
                }
            }
        },
    ],
)
def test_added_tokens_of_older_versions(tmp_path: Path, files: dict[str, Any]) -> None:
    (tmp_path / "vocab.txt").write_text("\n".join(PIECES), encoding="utf-8")
    tokenizer = hugging_face_tokenizer(write(tmp_path, **files))
    assert tokenizer.get_vocabulary() == [*PIECES, "covid", "<e1>"]
    assert tokenizer.tokenize("the Covid room") == [8, 14, 5]


def test_a_special_token_may_be_an_added_one(tmp_path: Path) -> None:
    content = only_tokenizer_json(make_wordpiece(), tmp_path)
    del content["model"]["vocab"]["mask"]
    del content["model"]["vocab"]["[MASK]"]
    content["model"]["vocab"] = {piece: id for id, piece in enumerate(content["model"]["vocab"])}
    content["added_tokens"][-1]["id"] = 12
    tokenizer = hugging_face_tokenizer(write(tmp_path, tokenizer_json=content))
    assert tokenizer.mask_token_id == 12


@pytest.mark.parametrize(
    ("added", "message"),
    [
        ([{"id": 15, "content": "covid"}], "Expected id 14 next, without gaps. Received: 'covid' at 15"),
        ([{"id": 14, "content": "room"}], "Expected each piece once. Received: added token 'room' at 14"),
        ([{"id": 5, "content": "covid"}], "Expected 'room' for id 5. Received: added token 'covid'"),
        ([{"id": 14, "content": "a"}, {"id": 14, "content": "b"}], "Expected 'a' for id 14. Received: added token 'b'"),
        ([{"id": 14, "content": "[E1]"}], r"Received: added token '\[E1\]' at 14. Write it there as a text is then"),
        ([{"id": 14, "content": "Covid"}], "Received: added token 'Covid' at 14"),
        ([{"id": -1, "content": "covid"}], "Expected added tokens with 'id' and 'content'"),
        ([{"id": True, "content": "covid"}], "Expected added tokens with 'id' and 'content'"),
        (["covid"], "Expected added tokens with 'id' and 'content'. Received: 'covid'"),
        ({"covid": 14}, "Expected a list of added tokens"),
    ],
)
def test_added_tokens_that_do_not_fit_are_refused(tmp_path: Path, added: Any, message: str) -> None:
    content = {**only_tokenizer_json(make_wordpiece(), tmp_path), "added_tokens": added}
    with pytest.raises(ValueError, match=rf"tokenizer.json. .*{message}.*build the tokenizer yourself"):
        hugging_face_tokenizer(write(tmp_path, tokenizer_json=content))


def changed(content: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """Return a copy in which what a path such as "model.vocab.0" leads to has another value."""
    copy = json.loads(json.dumps(content))
    inner = copy
    *way, last = [int(key) if key.isdecimal() else key for key in path.split(".")]
    for key in way:
        inner = inner[key]
    inner[last] = value
    return copy


STEPS = "pre_tokenizer.pretokenizers.0"


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("model", None, "Expected a model of the type Unigram or WordPiece, as ALBERT's. Received: None"),
        ("model.type", "BPE", "Expected a model of the type Unigram or WordPiece, as ALBERT's. Received: 'BPE'"),
        ("model.type", "WordPiece", r"Expected an object of pieces and ids as 'vocab'. Received: \[\["),
        ("model.byte_fallback", True, "Expected a model without byte pieces. Received: byte_fallback=True"),
        ("model.unk_id", None, "Expected the id of '<unk>' as the unknown one. Received: unk_id=None"),
        ("model.unk_id", 124, "unk_id=124"),
        ("model.unk_id", 2, "unk_id=2"),
        ("model.vocab", {}, r"Expected a list of pieces and scores as 'vocab'. Received: \{\}"),
        ("model.vocab", [], r"Received: \[\]"),
        ("model.vocab.7", ["x"], r"Received: vocab\[7\]=\['x'\]"),
        ("model.vocab.7", ["x", "y"], r"Received: vocab\[7\]="),
        ("model.vocab.7", ["", -1.0], r"Received: vocab\[7\]="),
        ("model.vocab.7", ["x", 1e39], r"Received: vocab\[7\]="),
        ("model.vocab.7", ["x", float("nan")], r"Received: vocab\[7\]="),
        ("model.vocab.7", ["▁the", -1.0], r"Expected each piece once.*Received: \['▁the'\] again"),
        ("model.vocab.2", ["[cls]", 0.0], r"124 pieces without \[CLS\]"),
        ("model.vocab.1", ["unknown", 0.0], "Expected the id of '<unk>' as the unknown one. Received: unk_id=1"),
        (
            STEPS,
            {"type": "ByteLevel"},
            r"Expected a 'pre_tokenizer' that writes blanks as '▁'.*Received: \['ByteLevel'",
        ),
        (STEPS, {"type": "Metaspace", "replacement": "_"}, "writes blanks as '▁'"),
        ("pre_tokenizer", None, r"writes blanks as '▁'.*Received: \[\]"),
        ("pre_tokenizer", {"type": "Sequence"}, "Expected a list of steps in a Sequence of 'pre_tokenizer'"),
        ("normalizer", {"type": "ByteLevel"}, r"Expected normalizers that ALBERT's has. Received: \['ByteLevel'\]"),
        ("normalizer", ["Lowercase"], r"Expected steps with a 'type' in 'normalizer'. Received: \['Lowercase'\]"),
        ("normalizer", {"type": "Precompiled"}, "Expected a 'precompiled_charsmap' in base64"),
        (
            "normalizer",
            {"type": "Precompiled", "precompiled_charsmap": "%"},
            "Expected a 'precompiled_charsmap' in base64",
        ),
        (
            "normalizer",
            {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(b"damaged").decode()},
            "Expected a SentencePiece model",
        ),
    ],
)
def test_damaged_sentencepiece_is_named(tmp_path: Path, path: str, value: Any, message: str) -> None:
    content = only_tokenizer_json(make_sentencepiece(), tmp_path)
    content["added_tokens"] = []
    with pytest.raises(ValueError, match=rf"tokenizer.json\. .*({message}).*build the tokenizer yourself"):
        hugging_face_tokenizer(write(tmp_path, tokenizer_json=changed(content, path, value)))


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("model.vocab", ["a"], r"Expected an object of pieces and ids as 'vocab'. Received: \['a'\]"),
        ("model.vocab.room", 14, "Expected the ids 0 to 13, each once. Received: no piece for id 5 and 0 others"),
        ("model.vocab.room", 4, "Received: id 4 twice"),
        ("model.vocab.room", "5", r"Expected whole numbers as ids. Received: \{'room': '5'\}"),
        ("model.vocab.room", -1, "Expected whole numbers as ids"),
        ("model.continuing_subword_prefix", "@@", "Expected continuing_subword_prefix='##', as BERT's. Received: '@@'"),
        ("model.unk_token", "room", r"Expected unk_token='\[UNK\]', as BERT's. Received: 'room'"),
        ("model.type", "Unigram", "Expected a list of pieces and scores as 'vocab'"),
        ("normalizer", {**BERT, "handle_chinese_chars": False}, "makes each ideograph a word of its own"),
        ("normalizer", {**BERT, "lowercase": 1}, "Expected true, false or null. Received: lowercase=1"),
    ],
)
def test_damaged_wordpiece_is_named(tmp_path: Path, path: str, value: Any, message: str) -> None:
    content = only_tokenizer_json(make_wordpiece(), tmp_path)
    content["added_tokens"] = []
    with pytest.raises(ValueError, match=rf"tokenizer.json\. .*{message}.*build the tokenizer yourself"):
        hugging_face_tokenizer(write(tmp_path, tokenizer_json=changed(content, path, value)))


def test_a_vocabulary_without_special_tokens_is_named(tmp_path: Path) -> None:
    content = only_tokenizer_json(make_wordpiece(), tmp_path)
    content["model"]["vocab"] = {"a": 0, "[UNK]": 1}
    content["added_tokens"] = []
    with pytest.raises(ValueError, match=r"tokenizer.json\. .*2 pieces without \[PAD\], \[CLS\], \[SEP\], \[MASK\]"):
        hugging_face_tokenizer(write(tmp_path, tokenizer_json=content))


@pytest.mark.parametrize(
    "name", ["tokenizer.json", "tokenizer_config.json", "added_tokens.json", "special_tokens_map.json"]
)
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"model": ', "Expected a JSON object in UTF-8. Received: JSONDecodeError"),
        (b"", "JSONDecodeError"),
        ('{"é": 1}'.encode("latin-1"), "UnicodeDecodeError"),
        (b"[1]", "Expected a JSON object. Received: a list"),
        (b"[" * 100_000, "RecursionError|JSONDecodeError"),
    ],
)
def test_damaged_files_are_named(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / "spiece.model").write_bytes(tiny_proto())
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ValueError, match=rf"from .*/{name}\. .*({message}).*download"):
        hugging_face_tokenizer(tmp_path)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"tokenizer_config_json": {"do_lower_case": "yes"}}, "tokenizer_config.json.*Received: do_lower_case='yes'"),
        ({"tokenizer_config_json": {"keep_accents": 1}}, "tokenizer_config.json.*Received: keep_accents=1"),
        ({"tokenizer_config_json": {"added_tokens_decoder": [1]}}, r"Received: added_tokens_decoder=\[1\]"),
        ({"tokenizer_config_json": {"added_tokens_decoder": {"x": {}}}}, "Received: added_tokens_decoder={'x'"),
        ({"added_tokens_json": {"covid": "124"}}, "added_tokens.json.*Received: 'covid' with '124'"),
    ],
)
def test_wrong_settings_are_named(tmp_path: Path, files: dict[str, Any], message: str) -> None:
    (tmp_path / "spiece.model").write_bytes(tiny_proto())
    with pytest.raises(ValueError, match=message):
        hugging_face_tokenizer(write(tmp_path, **files))


def test_ideographs_that_are_no_words_are_refused(tmp_path: Path) -> None:
    (tmp_path / "vocab.txt").write_text("\n".join(PIECES), encoding="utf-8")
    write(tmp_path, tokenizer_config_json={"tokenize_chinese_chars": False})
    with pytest.raises(ValueError, match=r"tokenizer_config.json\. .*Received: tokenize_chinese_chars=False"):
        hugging_face_tokenizer(tmp_path)


@pytest.mark.parametrize("content", [b"[PAD]\n[UNK]\n[CLS]\n", b"\x00\x01\x02" * 9, b""])
def test_other_files_as_spiece_model_are_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "spiece.model").write_bytes(content)
    with pytest.raises(ValueError, match=r"spiece.model\. Expected a SentencePiece model"):
        hugging_face_tokenizer(tmp_path)


def test_a_folder_without_tokenizer_says_what_it_wants(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"expected spiece.model, vocab.txt or tokenizer.json"):
        hugging_face_tokenizer(write(tmp_path, tokenizer_config_json={}))


def test_wrong_arguments_are_not_blamed_on_the_files(tmp_path: Path) -> None:
    (tmp_path / "spiece.model").write_bytes(tiny_proto())
    with pytest.raises((TypeError, ValueError), match="lower_case") as raised:
        hugging_face_tokenizer(tmp_path, lower_case=True)
    assert "spiece.model" not in str(raised.value)


def test_vocabulary_of_wordpiece_follows_the_ids() -> None:
    content = {"model": {"type": "WordPiece", "vocab": {"b": 1, "a": 0, "##c": 2}}}
    assert wordpiece_vocabulary(content) == ["a", "b", "##c"]

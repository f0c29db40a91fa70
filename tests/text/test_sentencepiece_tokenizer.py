import base64
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
from golden_texts import OWN_GOLDEN, on_this_python, records, tiny_proto
from sentencepiece import sentencepiece_model_pb2
from ways_in import WAYS_IN, Rows

from keras_albert.text.normalization import normalize
from keras_albert.text.sentencepiece_tokenizer import AlbertTokenizer
from keras_albert.text.vocabulary import train_vocabulary


@pytest.fixture(scope="module")
def model_file(shared: Path) -> Path:
    return shared / "data" / "albert_vocab" / "spiece.model"


@pytest.fixture(scope="module")
def english(model_file: Path) -> AlbertTokenizer:
    return AlbertTokenizer(model_file)


@pytest.fixture(scope="module")
def cased(model_file: Path) -> AlbertTokenizer:
    return AlbertTokenizer(model_file, lowercase=False)


@pytest.fixture(scope="module")
def prompting(model_file: Path) -> AlbertTokenizer:
    return AlbertTokenizer(model_file, special_tokens_in_strings=True)


@pytest.fixture(scope="module")
def tiny() -> AlbertTokenizer:
    return AlbertTokenizer(tiny_proto())


def assert_no_difference(rows: Rows, golden: list[dict[str, Any]]) -> None:
    expected = [on_this_python(record)["ids"] for record in golden]
    differences = [record["id"] for record, ids, wanted in zip(golden, rows, expected, strict=True) if ids != wanted]
    assert differences == []


@pytest.mark.parametrize("way_in", WAYS_IN)
def test_ids_equal_google_on_every_lower_cased_record(
    shared: Path, english: AlbertTokenizer, way_in: Callable[[AlbertTokenizer, list[str]], Rows]
) -> None:
    golden = records(shared / "golden" / "tokenizer" / "spm_lower.jsonl")
    assert len(golden) == 904
    assert_no_difference(way_in(english, [record["text"] for record in golden]), golden)


@pytest.mark.parametrize("way_in", WAYS_IN)
def test_ids_equal_google_on_every_cased_record(
    shared: Path, cased: AlbertTokenizer, way_in: Callable[[AlbertTokenizer, list[str]], Rows]
) -> None:
    golden = records(shared / "golden" / "tokenizer" / "spm_cased.jsonl")
    assert len(golden) == 290
    assert_no_difference(way_in(cased, [record["text"] for record in golden]), golden)


@pytest.mark.parametrize("way_in", WAYS_IN)
def test_ids_equal_google_on_every_digit_comma_record(
    tiny: AlbertTokenizer, way_in: Callable[[AlbertTokenizer, list[str]], Rows]
) -> None:
    golden = records(OWN_GOLDEN / "tiny_digit_comma.jsonl")
    assert len(golden) == 60
    assert_no_difference(way_in(tiny, [record["text"] for record in golden]), golden)


def test_fused_digit_comma_piece_is_split(english: AlbertTokenizer) -> None:
    assert "▁2011," in english.get_vocabulary()
    assert [english.id_to_token(id) for id in english("2011,")] == ["▁2011", ","]
    assert [english.id_to_token(id) for id in english("May 7, 2020")] == ["▁may", "▁7", ",", "▁2020"]


def test_digit_comma_is_split_when_the_comma_is_unknown() -> None:
    tokenizer = AlbertTokenizer(train_vocabulary(["superliga foi"] * 20, 25))
    unknown = tokenizer.unk_token_id
    # "4," is one unknown stretch for SentencePiece; Google's code makes it "4" and ",".
    assert tokenizer("superliga 4,")[-2:] == [unknown, unknown]
    assert tokenizer("superliga 4")[-1:] == [unknown]
    ids, offsets = tokenizer.tokenize_with_offsets("superliga 4,")
    assert ids == tokenizer("superliga 4,")
    assert offsets[-2:] == [(10, 11), (11, 12)]


@pytest.mark.parametrize("text", ["[CLS] a cat [SEP]", "i am going to [MASK] today", "a <pad> b", "<unk>", "[mask]"])
@pytest.mark.parametrize("lowercase", [True, False])
def test_raw_text_never_gives_special_ids(model_file: Path, text: str, lowercase: bool) -> None:
    ids = AlbertTokenizer(model_file, lowercase=lowercase)(text)
    assert not {0, 2, 3, 4} & set(ids)


def test_raw_text_never_gives_special_ids_of_a_model_that_lets_them_match() -> None:
    model = sentencepiece_model_pb2.ModelProto.FromString(tiny_proto())
    for piece in model.pieces[2:5]:
        piece.type = model.SentencePiece.USER_DEFINED
    tokenizer = AlbertTokenizer(model.SerializeToString(), lowercase=False)
    assert sentencepiece.SentencePieceProcessor(model_proto=model.SerializeToString()).encode("[MASK]")[-1] == 4
    assert tokenizer("[MASK]")[-1] == tokenizer.unk_token_id
    ids, offsets = tokenizer.tokenize_with_offsets("x [MASK]")
    assert (ids[-1], offsets[-1]) == (tokenizer.unk_token_id, (2, 8))


def test_special_tokens_in_strings_become_one_id(english: AlbertTokenizer, prompting: AlbertTokenizer) -> None:
    text = "i am going to [MASK] today"
    assert prompting(text) == [*english("i am going to"), 4, *english("today")]
    assert prompting("[CLS]a cat[SEP]") == [2, *english("a cat"), 3]
    assert prompting("[MASK] is here") == [4, *english("is here")]
    assert prompting("[MASK]  [MASK][MASK]") == [4, 4, 4]
    assert not {0, 4} & set(prompting("[mask] <pad>"))
    assert prompting("plain, text") == english("plain, text")


def test_no_lone_marker_beside_a_special_token(english: AlbertTokenizer, prompting: AlbertTokenizer) -> None:
    marker = english.token_to_id("▁")
    ids = prompting("buy the [MASK], it is cheap")
    at = ids.index(4)
    assert ids[:at] == english("buy the")
    alone = english(", it is cheap")
    assert alone[0] == marker
    assert ids[at + 1 :] == alone[1:]
    assert prompting("(a) [MASK]") == [*english("(a)"), 4]  # at the start of the text the marker stays


@pytest.mark.parametrize("strip_accents", [True, False])
def test_accents_and_case_are_independent(strip_accents: bool) -> None:
    proto = train_vocabulary(["çocuk soğuk"] * 20, 22, strip_accents=strip_accents)
    tokenizer = AlbertTokenizer(proto, strip_accents=strip_accents)
    expected = "cocuk soguk" if strip_accents else "çocuk soğuk"
    assert tokenizer.detokenize(tokenizer("ÇOCUK soğuk")) == expected


def test_ring_is_a_letter_only_when_accents_are_kept() -> None:
    proto = train_vocabulary(["sa s\u00e5"] * 20, 19, strip_accents=False)
    stripping, keeping = AlbertTokenizer(proto), AlbertTokenizer(proto, strip_accents=False)
    assert stripping("s\u00e5") == stripping("sa")
    assert keeping("s\u00e5") != keeping("sa")
    assert keeping.unk_token_id not in keeping("s\u00e5")


def test_upper_case_text_gives_the_ids_of_lower_case(english: AlbertTokenizer, cased: AlbertTokenizer) -> None:
    assert english("Hello How ARE you") == english("hello how are you")
    assert cased("Hello") != cased("hello")


def test_detokenize_shows_or_drops_special_tokens(english: AlbertTokenizer, prompting: AlbertTokenizer) -> None:
    a, cat = english("a cat")
    row = [2, a, cat, 3]
    assert english.detokenize(row) == "a cat"
    assert english.detokenize(row, skip_special_tokens=False) == "[CLS] a cat [SEP]"
    assert english.detokenize([row, [], [0, a]]) == ["a cat", "", "a"]
    assert [english.detokenize(id, skip_special_tokens=False) for id in row] == ["[CLS]", "a", "cat", "[SEP]"]
    text = "[CLS] buy the [MASK], it is (very) cheap. [SEP]"
    assert prompting.detokenize(prompting(text), skip_special_tokens=False) == text


@pytest.mark.parametrize("ids", [[-1], [5, 30000], [[5], [30000]], 30000])
def test_detokenize_refuses_ids_outside_the_vocabulary(english: AlbertTokenizer, ids: Any) -> None:
    with pytest.raises(ValueError, match=r"Expected an id in \[0, 30000\). Received: id=(-1|30000)"):
        english.detokenize(ids)


def test_from_preset_reads_a_google_release(shared: Path) -> None:
    folder = shared / "golden" / "model"
    tokenizer = AlbertTokenizer.from_preset(folder / "albert_tiny_g1", special_tokens_in_strings=True)
    expected = AlbertTokenizer(folder / "albert_tiny_g1" / "30k-clean.model")
    assert tokenizer("Hello [MASK]") == [*expected("Hello"), 4]
    with pytest.raises(ValueError, match="BERT vocabulary"):
        AlbertTokenizer.from_preset(folder / "albert_tiny_zh")


def test_wrong_vocabulary_files_are_named(shared: Path) -> None:
    with pytest.raises(ValueError, match=r"needs a SentencePiece model, a `.model` file.*`.vocab`"):
        AlbertTokenizer(shared / "data" / "albert_vocab" / "30k-clean.vocab")
    with pytest.raises(ValueError, match=r"`.model` file.*BERT vocabulary.*AlbertWordPieceTokenizer"):
        AlbertTokenizer(shared / "data" / "chinese_vocab" / "vocab.txt")


def test_missing_special_tokens_are_named() -> None:
    model = sentencepiece_model_pb2.ModelProto.FromString(tiny_proto())
    model.pieces[2].piece, model.pieces[4].piece = "<s>", "<mask>"
    with pytest.raises(ValueError, match=r"124 pieces without \[CLS\], \[MASK\]\."):
        AlbertTokenizer(model.SerializeToString())


@pytest.mark.parametrize("proto", [b"", b"\x00\xff", "no/such/file.model", "QUJD" * 100, 7, ["a"]])
def test_what_is_no_model_is_refused(proto: Any) -> None:
    with pytest.raises(ValueError, match="SentencePiece"):
        AlbertTokenizer(proto)


def test_proto_as_path_bytes_or_base64(tmp_path: Path) -> None:
    path = tmp_path / "tiny.model"
    path.write_bytes(tiny_proto())
    expected = AlbertTokenizer(tiny_proto())("room 12,")
    for proto in (path, str(path), base64.b64encode(tiny_proto()).decode()):
        assert AlbertTokenizer(proto)("room 12,") == expected


def test_vocabulary_of_the_released_model(shared: Path, english: AlbertTokenizer) -> None:
    lines = (shared / "data" / "albert_vocab" / "30k-clean.vocab").read_text(encoding="utf-8").split("\n")
    assert english.get_vocabulary() == [line.split("\t")[0] for line in lines if line]
    assert english.vocabulary_size() == 30000
    names = ("pad", "unk", "start", "end", "mask")
    assert [getattr(english, f"{name}_token_id") for name in names] == [0, 1, 2, 3, 4]
    assert english.token_to_id("no such piece") == 1
    assert english.id_to_token(14) == "▁the"


@pytest.mark.parametrize(("name", "lowercase"), [("spm_lower", True), ("spm_cased", False), ("tiny", True)])
def test_offsets_cover_every_golden_text(shared: Path, model_file: Path, name: str, lowercase: bool) -> None:
    path = OWN_GOLDEN / "tiny_digit_comma.jsonl" if name == "tiny" else shared / f"golden/tokenizer/{name}.jsonl"
    proto = tiny_proto() if name == "tiny" else model_file.read_bytes()
    tokenizer = AlbertTokenizer(proto, lowercase=lowercase)
    native = sentencepiece.SentencePieceProcessor(model_proto=proto)

    def as_seen_by_the_model(source: str) -> str:
        return native.normalize(normalize(source, lowercase)).replace("▁", "").replace("ς", "σ")

    golden = records(path)
    results = tokenizer.tokenize_with_offsets([record["text"] for record in golden])
    for record, (ids, offsets) in zip(golden, results, strict=True):
        text = record["text"]
        assert ids == on_this_python(record)["ids"]
        assert len(ids) == len(offsets)
        assert [start for start, _ in offsets] == sorted(start for start, _ in offsets)
        assert [end for _, end in offsets] == sorted(end for _, end in offsets)
        covered = set()
        for id, (start, end) in zip(ids, offsets, strict=True):
            assert 0 <= start <= end <= len(text)
            covered.update(range(start, end))
            content = tokenizer.id_to_token(id).replace("▁", "").replace("ς", "σ")
            if id != tokenizer.unk_token_id:
                assert content in as_seen_by_the_model(text[start:end])
                if re.fullmatch("[a-z]+", text[start:end]):
                    assert content == text[start:end]
        assert all(not as_seen_by_the_model(text[at]) for at in range(len(text)) if at not in covered)


@pytest.mark.parametrize(
    ("text", "sources"),
    [
        ("the Cat, sat", ["the", "Cat", ",", "sat"]),
        ("  the \t cat ", ["the", "cat"]),
        ("(the cat)", ["", "(", "the", "cat", ")"]),
        ("caf\u00e9 the", ["caf\u00e9", "the"]),
        ("cafe\u0301 the", ["cafe\u0301", "the"]),
        ("a\u2026 the", ["a", "\u2026", "\u2026", "\u2026", "the"]),
        ("the\u200b cat\u00ad", ["the", "cat", "\u00ad"]),
        ("2011, the", ["2011", ",", "the"]),
        ("the \U0001f600 cat", ["the", "", "\U0001f600", "cat"]),
    ],
)
def test_offsets_index_the_original_text(english: AlbertTokenizer, text: str, sources: list[str]) -> None:
    _, offsets = english.tokenize_with_offsets(text)
    assert [text[start:end] for start, end in offsets] == sources


def test_offsets_with_accents_kept(model_file: Path) -> None:
    tokenizer = AlbertTokenizer(model_file, strip_accents=False)
    text = "a\u2026 ２０１１，the"  # SentencePiece's own normalization expands and folds these
    ids, offsets = tokenizer.tokenize_with_offsets(text)
    assert [tokenizer.id_to_token(id) for id in ids] == ["▁a", ".", ".", ".", "▁2011", ",", "the"]
    assert [text[start:end] for start, end in offsets] == ["a", "…", "…", "…", "２０１１", "，", "the"]


def test_offsets_of_a_split_number_that_the_model_spelled_longer(model_file: Path) -> None:
    tokenizer = AlbertTokenizer(model_file, strip_accents=False)
    ids, offsets = tokenizer.tokenize_with_offsets("the \u246b, cat")  # a circled 12
    assert [tokenizer.id_to_token(id) for id in ids] == ["▁the", "▁12", ",", "▁cat"]
    assert offsets == [(0, 3), (4, 6), (4, 6), (7, 10)]  # no part of one character is the comma's


def test_offsets_of_special_tokens_in_strings(prompting: AlbertTokenizer) -> None:
    text = "buy the [MASK], it's [SEP]"
    ids, offsets = prompting.tokenize_with_offsets(text)
    assert ids == prompting(text)
    sources = [text[start:end] for start, end in offsets]
    assert sources == ["buy", "the", "[MASK]", ",", "it", "'", "s", "[SEP]"]

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from golden_texts import records
from ways_in import WAYS_IN, Rows

from keras_albert.text.wordpiece_tokenizer import AlbertWordPieceTokenizer

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


@pytest.fixture(scope="module")
def vocabulary_file(shared: Path) -> Path:
    return shared / "data" / "chinese_vocab" / "vocab.txt"


@pytest.fixture(scope="module")
def golden(shared: Path) -> list[dict[str, Any]]:
    return records(shared / "golden" / "tokenizer" / "wordpiece_zh.jsonl")


@pytest.fixture(scope="module")
def tokenizers(vocabulary_file: Path) -> dict[str, AlbertWordPieceTokenizer]:
    return {
        "lower": AlbertWordPieceTokenizer(vocabulary_file),
        "cased": AlbertWordPieceTokenizer(vocabulary_file, lowercase=False),
    }


@pytest.mark.parametrize("way_in", WAYS_IN)
@pytest.mark.parametrize("case", ["lower", "cased"])
def test_ids_equal_google_on_every_chinese_record(
    golden: list[dict[str, Any]],
    tokenizers: dict[str, AlbertWordPieceTokenizer],
    case: str,
    way_in: Callable[[AlbertWordPieceTokenizer, list[str]], Rows],
) -> None:
    assert len(golden) == 260
    rows = way_in(tokenizers[case], [record["text"] for record in golden])
    differences = [record["id"] for record, ids in zip(golden, rows, strict=True) if ids != record[f"ids_{case}"]]
    assert differences == []


@pytest.mark.parametrize("case", ["lower", "cased"])
def test_offsets_cover_every_golden_text(
    golden: list[dict[str, Any]], tokenizers: dict[str, AlbertWordPieceTokenizer], case: str
) -> None:
    results = tokenizers[case].tokenize_with_offsets([record["text"] for record in golden])
    for record, (ids, offsets) in zip(golden, results, strict=True):
        text = record["text"]
        assert ids == record[f"ids_{case}"]
        assert len(ids) == len(offsets)
        assert offsets == sorted(offsets)
        assert [end for _, end in offsets] == sorted(end for _, end in offsets)
        covered = set()
        for token, (start, end) in zip(record[f"tokens_{case}"], offsets, strict=True):
            assert 0 <= start < end <= len(text)
            covered.update(range(start, end))
            if text[start:end].isascii() and text[start:end].isalnum() and token != "[UNK]":
                assert (text[start:end].lower() if case == "lower" else text[start:end]) == token.removeprefix("##")
        visible = {at for at, character in enumerate(text) if character.isalnum()}
        assert visible <= covered


def test_ids_are_the_line_numbers_of_the_released_vocabulary(
    vocabulary_file: Path, tokenizers: dict[str, AlbertWordPieceTokenizer]
) -> None:
    tokenizer = tokenizers["lower"]
    lines = vocabulary_file.read_bytes().decode().split("\n")[:-1]
    assert tokenizer.vocabulary_size() == len(lines) == 21128
    assert tokenizer.get_vocabulary() == lines  # two of them are made of a line separator, U+2028
    names = ("pad", "unk", "start", "end", "mask")
    assert [getattr(tokenizer, f"{name}_token_id") for name in names] == [0, 100, 101, 102, 103]


@pytest.mark.parametrize("text", ["[CLS] a [SEP]", "[MASK]", "[PAD]", "[UNK]"])
@pytest.mark.parametrize("case", ["lower", "cased"])
def test_raw_text_never_gives_special_ids(
    tokenizers: dict[str, AlbertWordPieceTokenizer], case: str, text: str
) -> None:
    assert not {0, 101, 102, 103} & set(tokenizers[case](text))


def test_special_tokens_in_strings_become_one_id(vocabulary_file: Path) -> None:
    plain = AlbertWordPieceTokenizer(vocabulary_file)
    prompting = AlbertWordPieceTokenizer(vocabulary_file, special_tokens_in_strings=True)
    text = "[CLS]今天[MASK]气，[SEP]"
    assert prompting(text) == [101, *plain("今天"), 103, *plain("气，"), 102]
    assert not {0, 103} & set(prompting("[PAD] [mask]"))
    ids, offsets = prompting.tokenize_with_offsets(text)
    assert ids == prompting(text)
    assert [text[start:end] for start, end in offsets] == ["[CLS]", "今", "天", "[MASK]", "气", "，", "[SEP]"]
    assert plain.detokenize(ids) == "今天气，"
    assert plain.detokenize(ids, skip_special_tokens=False) == "[CLS] 今天 [MASK] 气， [SEP]"


@pytest.mark.parametrize(
    ("lowercase", "strip_accents", "piece"),
    [
        (True, None, "ete"),
        (True, False, "été"),
        (False, None, "Été"),
        (False, True, "Ete"),
    ],
)
def test_accents_follow_case_unless_given(lowercase: bool, strip_accents: bool | None, piece: str) -> None:
    pieces = [*SPECIAL, "ete", "été", "Été", "Ete"]
    tokenizer = AlbertWordPieceTokenizer(pieces, lowercase, strip_accents)
    assert [tokenizer.id_to_token(id) for id in tokenizer("Été")] == [piece]
    assert AlbertWordPieceTokenizer.from_config(tokenizer.get_config()).strip_accents is tokenizer.strip_accents


def test_from_preset_reads_a_google_release(shared: Path) -> None:
    folder = shared / "golden" / "model"
    tokenizer = AlbertWordPieceTokenizer.from_preset(folder / "albert_tiny_zh", lowercase=False)
    assert tokenizer.get_vocabulary() == AlbertWordPieceTokenizer(folder / "albert_tiny_zh/vocab.txt").get_vocabulary()
    assert not tokenizer.lowercase
    with pytest.raises(ValueError, match="is for `AlbertTokenizer`"):
        AlbertWordPieceTokenizer.from_preset(folder / "albert_tiny_g1")


def test_wrong_vocabulary_files_are_named(shared: Path) -> None:
    folder = shared / "data" / "albert_vocab"
    with pytest.raises(ValueError, match=r"needs a `vocab.txt`.*SentencePiece `.model` is for `AlbertTokenizer`"):
        AlbertWordPieceTokenizer(folder / "spiece.model")
    with pytest.raises(ValueError, match=r"without \[PAD\], \[UNK\], \[CLS\], \[SEP\], \[MASK\]\."):
        AlbertWordPieceTokenizer(folder / "30k-clean.vocab")


@pytest.mark.parametrize(
    ("vocabulary", "message"),
    [
        ([*SPECIAL[:3], "a"], r"4 pieces without \[SEP\], \[MASK\]\."),
        ([*SPECIAL, "a", "b", "a"], r"1 repeated pieces, such as 'a' at \[5, 7\]"),
        ([*SPECIAL, "a\nb"], r"vocabulary\[5\]='a\\nb'"),
        ([*SPECIAL, None], r"vocabulary\[5\]=None"),
        ([], "0 pieces without"),
        ("no/such/vocab.txt", "Can't read"),
        (b"[PAD]\n", "vocabulary of type bytes"),
        (7, "vocabulary of type int"),
    ],
)
def test_bad_vocabularies_are_refused(vocabulary: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        AlbertWordPieceTokenizer(vocabulary)


def test_windows_line_ends_and_a_missing_last_one_are_read(tmp_path: Path) -> None:
    path = tmp_path / "vocab.txt"
    path.write_bytes("\r\n".join([*SPECIAL, "我"]).encode())
    assert AlbertWordPieceTokenizer(path).get_vocabulary() == [*SPECIAL, "我"]

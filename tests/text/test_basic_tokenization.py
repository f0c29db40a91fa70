import pytest

from keras_albert.text.basic_tokenization import CharacterTable, normalize_word, split_on_punctuation

pytestmark = pytest.mark.any_backend


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        (" \t\n\u3000", []),
        ("我爱ALBERT", ["我", "爱", "ALBERT"]),
        ("a，b", ["a，b"]),
        ("ab\u200bcd\x00e\ufffd", ["abcde"]),  # format and control characters vanish
        ("a\ud800b", ["ab"]),
        ("a\u2028b\u00a0c", ["a", "b", "c"]),
        ("a\u0085b", ["ab"]),  # a control character before it is white space
        ("カナ 한글", ["カナ", "한글"]),
        ("\ue000", ["\ue000"]),  # private use stays
        ("\U00020000x", ["\U00020000", "x"]),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    table = CharacterTable()
    assert table.words(text) == words
    with_positions = table.words_with_positions(text)
    assert [word for word, _ in with_positions] == words
    for word, positions in with_positions:
        assert "".join(text[position] for position in positions) == word


@pytest.mark.parametrize(
    ("word", "lowercase", "strip_accents", "expected"),
    [
        ("Été", True, True, "ete"),
        ("Été", True, False, "été"),
        ("Été", False, True, "Ete"),
        ("ΟΔΟΣ", True, True, "οδος"),
        ("İ", True, True, "i"),
        ("ﬁ", True, True, "ﬁ"),  # NFD keeps ligatures
    ],
)
def test_normalize_word(word: str, lowercase: bool, strip_accents: bool, expected: str) -> None:
    assert normalize_word(word, lowercase, strip_accents) == expected


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("abc1", ["abc1"]),
        ("$5.", ["$", "5", "."]),
        ("，。", ["，", "。"]),
        ("a~b", ["a", "~", "b"]),
        ("5€", ["5€"]),  # a currency sign outside ASCII is no punctuation
        ("", []),
    ],
)
def test_split_on_punctuation(word: str, parts: list[str]) -> None:
    assert split_on_punctuation(word) == parts

import pytest

from keras_albert.text.wordpiece import WordPieceModel

pytestmark = pytest.mark.any_backend

PIECES = ["[UNK]", "un", "##aff", "##able", "a", "##b", "b", ",", "我", "e", "##e"]


@pytest.fixture
def model() -> WordPieceModel:
    return WordPieceModel(PIECES, "[UNK]", lowercase=True, strip_accents=True)


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("unaffable", [1, 2, 3]),
        ("Unaffable, ab", [1, 2, 3, 7, 4, 5]),
        ("unaffablez", [0]),  # one part that can't be spelled makes the whole word unknown
        ("我ab我", [8, 4, 5, 8]),
        ("a" + "b" * 199, [4] + [5] * 199),
        ("a" + "b" * 200, [0]),  # words of more than 200 characters are unknown
        ("é e\u0301e", [9, 9, 10]),
    ],
)
def test_longest_match_first(model: WordPieceModel, text: str, ids: list[int]) -> None:
    assert model.encode([text]) == [ids]
    assert model.encode_with_offsets([text])[0][0] == ids


@pytest.mark.parametrize(
    ("text", "sources"),
    [
        ("Unaffable, ab", ["Un", "aff", "able", ",", "a", "b"]),
        ("xyz我", ["xyz", "我"]),
        ("ee\u0301 a", ["e", "e\u0301", "a"]),
        ("a\u200bb", ["a", "b"]),
        ("a" + "b" * 200, ["a" + "b" * 200]),
    ],
)
def test_offsets_index_the_original_text(model: WordPieceModel, text: str, sources: list[str]) -> None:
    ((_, offsets),) = model.encode_with_offsets([text])
    assert [text[start:end] for start, end in offsets] == sources


def test_decode_puts_blanks_between_words_but_not_beside_ideographs(model: WordPieceModel) -> None:
    assert model.decode([[1, 2, 3, 4, 5], [8, 8, 4, 6, 8], [], [2]]) == ["unaffable ab", "我我a b我", "", "aff"]


def test_a_word_met_again_is_encoded_the_same(model: WordPieceModel) -> None:
    assert model.encode(["unaffable"] * 3) == [[1, 2, 3]] * 3

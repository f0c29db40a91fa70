"""Words of raw texts: the rule, and that no character is lost."""

import numpy as np
import pytest

from keras_albert.tasks.token_classification.words import as_worded_texts, split_words

pytestmark = pytest.mark.any_backend


def words(text: str) -> list[str]:
    return [text[start:end] for start, end in split_words(text)]


@pytest.mark.parametrize(
    "text, expected",
    [
        ("", []),
        ("  \t\n ", []),
        ("a  b", ["a", "b"]),
        ("U.S.-based", ["U", ".", "S", ".", "-", "based"]),
        ("我爱New York吗", ["我", "爱", "New", "York", "吗"]),
        ("東京タワーへ", list("東京タワーへ")),
        ("서울 갔다", ["서울", "갔다"]),
        ("ok👍🏽!!", ["ok", "👍", "🏽", "!", "!"]),
        ("👩\u200d🚀 x", ["👩\u200d", "🚀", "x"]),
        ("cafe\u0301s", ["cafe\u0301s"]),
        ("❤\ufe0f", ["❤\ufe0f"]),
        ("\ufe0fx", ["\ufe0fx"]),
        ("a \x00 b", ["a", "\x00", "b"]),
    ],
)
def test_words_of_a_text(text, expected):
    assert words(text) == expected


def test_every_character_but_white_space_is_in_one_word(rng):
    alphabet = list("aB1 \t\n,。我カ서é\u0301\ufe0f\u200d👍\x00\u00a0\u3000")
    for _ in range(200):
        text = "".join(rng.choice(alphabet, 20))
        spans = split_words(text)
        covered = [position for start, end in spans for position in range(start, end)]
        # Marks stay with what stands before them, so that only white space can be between words.
        assert covered == sorted(set(covered))
        assert all(text[position].isspace() for position in set(range(len(text))) - set(covered))


def test_lists_of_words_stay_as_they_are():
    texts = as_worded_texts([["New York", "!"], [], [""]], "words")
    assert texts.texts == ["New York !", "", ""]
    assert texts.words == [["New York", "!"], [], [""]]


def test_characters_one_by_one_when_asked_for():
    assert as_worded_texts(["CS 我"], "characters").words == [["C", "S", "我"]]


@pytest.mark.parametrize(
    "x, message",
    [
        ("a text", "put it in a list"),
        ([], "no text at all"),
        ((["a"], ["b"]), "Received: a tuple"),
        (["a", ["b"]], r"\['b'\] \(list\) in row 1"),
        ([["a"], "b"], r"'b' \(str\) in row 1"),
        (["a", None], "row 1. Drop missing values"),
        ([["a", 5]], r"5 \(int\) in row 0, word 1"),
        (np.array([1.0]), "in row 0"),
    ],
)
def test_other_input_is_refused(x, message):
    with pytest.raises(ValueError, match=message):
        as_worded_texts(x, "words")

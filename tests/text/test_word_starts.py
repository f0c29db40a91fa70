"""Word starts: Google's over whole vocabularies, and the rule for any script."""

import numpy as np
import pytest
import sentencepiece

from keras_albert.text.masking import MaskingVocabulary
from keras_albert.text.word_starts import default_word_starts, google_word_starts, standing_alone


@pytest.fixture(scope="module")
def english_pieces(shared) -> list[str]:
    lines = (shared / "data" / "albert_vocab" / "30k-clean.vocab").read_text(encoding="utf-8").splitlines()
    return [line.split("\t")[0] for line in lines]


def test_googles_rule_over_the_30k_vocabulary(shared, english_pieces):
    expected = np.load(shared / "golden" / "data_creation" / "is_start_piece_30k.npz")["is_start_piece"]
    assert expected.sum() == 23_242
    np.testing.assert_array_equal(google_word_starts(english_pieces), expected)


def test_googles_rule_over_the_small_golden_vocabulary(shared, golden_pieces_1k):
    expected = np.load(shared / "golden" / "data_creation" / "is_start_piece_1k.npz")["is_start_piece"]
    np.testing.assert_array_equal(google_word_starts(golden_pieces_1k), expected)


def test_default_rule_is_googles_over_the_30k_vocabulary(english_pieces):
    # None of its pieces without a marker has a letter other than a to z, which is where the rules differ.
    np.testing.assert_array_equal(default_word_starts(english_pieces), google_word_starts(english_pieces))
    assert not standing_alone(english_pieces).any()


@pytest.mark.parametrize(
    ("piece", "google", "default", "alone"),
    [
        ("▁care", True, True, False),
        ("ful", False, False, False),
        ("Ful", False, False, False),
        ("ed.", False, False, False),
        ("--", False, False, False),
        (".", True, True, False),
        ("'s", True, True, False),
        ("2", True, True, False),
        ("2nd", True, True, False),
        ("€", True, True, False),
        ("<0xE4>", True, True, False),
        ("é", True, False, False),
        ("ние", True, False, False),
        ("λόγος", True, False, False),
        ("e\u0301", True, False, False),
        ("ات", True, False, False),
        ("ी", True, False, False),
        ("한국", True, False, False),
        ("山", True, True, True),
        ("▁山", True, True, True),
        ("ひら", True, True, True),
        ("ー", True, True, True),
        ("々", True, True, True),
        ("ไทย", True, True, True),
        ("ລາວ", True, True, True),
        ("ខ្មែរ", True, True, True),
        ("မြန်", True, True, True),
        ("བོད", True, True, True),
        ("a山", True, True, True),
        ("。", True, True, False),
    ],
)
def test_rules_for_a_piece(piece, google, default, alone):
    assert google_word_starts([piece]).tolist() == [google]
    assert default_word_starts([piece]).tolist() == [default]
    assert standing_alone([piece]).tolist() == [alone]


@pytest.mark.parametrize(
    ("names", "starts"),
    [
        # The other kind's marker is a character like any other.
        (["▁", "a", "##b", "##c", "d"], [True, True, False, False, True]),
        (["▁a", "b", "▁##", "##", "▁c"], [True, False, True, False, True]),
        # A vocabulary of single characters has no marker at all.
        (["我", "是", "a"], [True, True, True]),
    ],
    ids=["wordpiece", "sentencepiece", "characters"],
)
def test_kind_of_vocabulary_is_what_most_of_its_markers_say(names, starts):
    assert MaskingVocabulary.from_pieces(names, 0, [0]).word_starts.tolist() == starts


@pytest.fixture(scope="module")
def golden_pieces_1k(shared) -> list[str]:
    model = next((shared / "golden" / "model").rglob("*.model"))
    processor = sentencepiece.SentencePieceProcessor(model_file=str(model))
    return [processor.id_to_piece(id) for id in range(processor.get_piece_size())]

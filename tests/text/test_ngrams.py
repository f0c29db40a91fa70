"""Which words are chosen: whole ones, in n-grams, each as often as it should be."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keras_albert.text.masking import Masking, MaskingVocabulary, mask_tokens
from keras_albert.text.ngrams import choose_words, find_words

CLS, SEP, MASK = 2, 3, 4
SPECIALS = np.arange(5)  # <pad> <unk> [CLS] [SEP] [MASK]
# Ids 5..54 begin a word, ids 55..104 go on with it.
PIECES = MaskingVocabulary(MASK, SPECIALS, np.arange(105) < 55)
WORDS = MaskingVocabulary(MASK, SPECIALS, np.ones(2005, bool))
quick = settings(deadline=None, max_examples=60, derandomize=True)


def chosen(
    token_ids: np.ndarray, vocabulary: MaskingVocabulary, count: int, rng: np.random.Generator, **masking: bool
) -> list[tuple[int, ...]]:
    """Positions that are chosen in each row, or in a row's thousand copies."""
    rows = token_ids if token_ids.ndim == 2 else np.tile(token_ids, (1000, 1))
    settings = Masking(share=1.0, max_masks=count, **masking)
    _, slots = mask_tokens(rows, np.ones_like(rows), vocabulary, settings, rng)
    return [tuple(p[w == 1].tolist()) for p, w in zip(slots["mask_positions"], slots["mask_weights"], strict=True)]


def words_of(token_ids: np.ndarray, vocabulary: MaskingVocabulary) -> list[set[int]]:
    """Positions of each word: a run of ordinary ids from a word start, or from a special token, to the next."""
    words: list[set[int]] = []
    for position, id in enumerate(token_ids.tolist()):
        if id in vocabulary.special_ids:
            continue
        if token_ids[position - 1] in vocabulary.special_ids or vocabulary.word_starts[id]:
            words.append(set())
        words[-1].add(position)
    return words


@st.composite
def packed_rows(draw) -> tuple[np.ndarray, np.ndarray]:
    """Rows `[CLS] a [SEP]` or `[CLS] a [SEP] b [SEP]` with unknown tokens, and their padding masks."""
    ids = st.lists(st.sampled_from([1, 5, 6, 7, 60, 61]), min_size=0, max_size=25)
    rows = []
    for first, second in draw(st.lists(st.tuples(ids, st.none() | ids), min_size=1, max_size=6)):
        rows.append([CLS, *first, SEP, *([] if second is None else [*second, SEP])])
    width = max(map(len, rows)) + draw(st.integers(0, 3))
    pad = draw(st.sampled_from([0, 7]))
    padding_mask = np.array([[1] * len(row) + [0] * (width - len(row)) for row in rows])
    return np.array([row + [pad] * (width - len(row)) for row in rows]), padding_mask


@quick
@given(packed_rows(), st.integers(1, 12), st.floats(0.01, 1), st.integers(0, 9))
def test_whole_words_fill_the_count_exactly(rows, max_masks, share, seed):
    token_ids, padding_mask = rows
    masking = Masking(share=share, max_masks=max_masks)
    masked, slots = mask_tokens(token_ids, padding_mask, PIECES, masking, np.random.default_rng(seed))
    for row, length in enumerate(padding_mask.sum(axis=1).tolist()):
        weights = slots["mask_weights"][row]
        positions = slots["mask_positions"][row][weights == 1].tolist()
        assert positions == sorted(set(positions))
        target = min(max_masks, max(1, round(length * share)))
        words = words_of(token_ids[row, :length], PIECES)
        # Special tokens and padding are in no word.
        assert set(positions) <= set().union(*words)
        assert all(word <= set(positions) or not word & set(positions) for word in words)
        free = [len(word) for word in words if not word & set(positions)]
        assert len(positions) <= target
        assert all(size > target - len(positions) for size in free)
        restored = masked[row].copy()
        restored[positions] = slots["mask_ids"][row][weights == 1]
        np.testing.assert_array_equal(restored, token_ids[row])


def test_a_word_in_any_script_is_masked_together(rng):
    names = ["<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]", "▁care", "ful", "▁за", "меча", "ние", "▁a"]
    vocabulary = MaskingVocabulary.from_pieces(names, MASK, range(5))
    # Each word fits into the count by itself, any two words don't.
    token_ids = np.array([CLS, 7, 8, 9, 5, 6, 6, SEP])
    assert set(chosen(token_ids, vocabulary, 3, rng)) == {(1, 2, 3), (4, 5, 6)}


def test_pieces_of_scripts_without_spaces_are_words(rng):
    names = ["<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]", "▁", "山", "の", "ab", "c"]
    vocabulary = MaskingVocabulary.from_pieces(names, MASK, range(5))
    token_ids = np.array([CLS, 5, 6, 7, 8, 9, SEP])
    # "ab" begins a word behind "の", and "c" goes on with it.
    assert set(chosen(token_ids, vocabulary, 1, rng)) == {(1,), (2,), (3,)}
    assert (4, 5) in set(chosen(token_ids, vocabulary, 2, rng))


def test_a_word_of_a_wordpiece_vocabulary_is_masked_together(rng):
    names = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "care", "##ful", "我", "是", "."]
    vocabulary = MaskingVocabulary.from_pieces(names, MASK, range(5))
    assert set(chosen(np.array([CLS, 5, 6, SEP]), vocabulary, 2, rng)) == {(1, 2)}
    assert set(chosen(np.array([CLS, 7, 8, SEP]), vocabulary, 1, rng)) == {(1,), (2,)}


def test_pieces_are_masked_alone_without_whole_words(rng):
    token_ids = np.array([CLS, 5, 60, 61, SEP])
    assert set(chosen(token_ids, PIECES, 1, rng)) == {()}
    assert set(chosen(token_ids, PIECES, 1, rng, whole_words=False)) == {(1,), (2,), (3,)}


def test_a_segment_that_begins_inside_a_word_does_not_join_the_segment_before(rng):
    token_ids = np.array([CLS, 5, SEP, 60, SEP])
    assert set(chosen(token_ids, PIECES, 1, rng)) == {(1,), (3,)}
    # Google's code takes both together, and so finds no word of one piece here.
    assert set(chosen(token_ids, PIECES, 1, rng, across_segments=True)) == {()}
    assert set(chosen(token_ids, PIECES, 2, rng, across_segments=True)) == {(1, 3)}


@pytest.mark.parametrize("across", [False, True])
def test_ngrams_cross_sep_only_where_asked(rng, across):
    # [CLS] three words [SEP] two words [SEP] one word [SEP]
    in_word = np.array([[False, True, True, True, False, True, True, False, True, False]] * 500)
    border = np.zeros_like(in_word) if across else in_word & ~np.roll(in_word, 1, axis=1)
    words = find_words(in_word, in_word, border, max_ngram=3)
    _, draws = choose_words(words, np.full(500, 6), np.array([0.2, 0.3, 0.5]), rng)
    reached = {(start, start + size) for _, start, _, size in draws.tolist() if size}
    crossing = {(start, stop) for start, stop in reached if start < 3 < stop or start < 5 < stop}
    assert bool(crossing) == across
    assert {stop - start for start, stop in reached} == {1, 2, 3}


@pytest.mark.parametrize(("favor_shorter", "shares"), [(True, (6, 3, 2)), (False, (2, 3, 6))])
def test_sizes_of_ngrams_have_their_shares(rng, favor_shorter, shares):
    in_word = np.ones((400, 2000), bool)
    words = find_words(in_word, in_word, np.zeros_like(in_word), max_ngram=3)
    masking = Masking(favor_shorter_ngrams=favor_shorter)
    _, draws = choose_words(words, np.full(400, 60), masking.ngram_shares, rng)
    drawn, taken = (Counter(draws[:, column].tolist()) for column in (2, 3))
    assert drawn.total() > 10_000
    for size, share in zip((1, 2, 3), shares, strict=True):
        error = (share / 11 * (1 - share / 11) / drawn.total()) ** 0.5
        assert drawn[size] / drawn.total() == pytest.approx(share / 11, abs=3 * error)
        # Few words of long rows are chosen: n-grams hardly meet, so most are taken as they were drawn.
        assert taken[size] / taken.total() == pytest.approx(share / 11, abs=0.03)


def test_every_position_inside_a_segment_is_as_likely(rng):
    token_ids = np.array([CLS, *range(10, 50), SEP])
    counted = Counter(position for _ in range(4) for row in chosen(token_ids, WORDS, 6, rng) for position in row)
    # The first two and the last two words are in fewer n-grams, or are the end of fewer.
    inner = [counted[position] for position in range(3, 39)]
    assert set(counted) == set(range(1, 41))
    assert np.ptp(inner) < 0.3 * np.mean(inner)


def test_what_is_excluded_is_neither_taken_nor_returned(rng):
    in_word = np.ones((200, 12), bool)
    words = find_words(in_word, in_word, np.zeros_like(in_word), max_ngram=3)
    excluded = np.zeros((200, 12), bool)
    excluded[:, 4:7] = True
    taken, _ = choose_words(words, np.full(200, 9), np.ones(3) / 3, rng, excluded)
    np.testing.assert_array_equal(taken, ~excluded)

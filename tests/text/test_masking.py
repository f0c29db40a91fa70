from collections import Counter

import numpy as np
import pytest

from keras_albert.text import masking
from keras_albert.text.masking import MaskingVocabulary, choose_positions, mask_tokens, number_to_mask

CLS, SEP, MASK = 2, 3, 4
SPECIALS = np.arange(5)  # <pad> <unk> [CLS] [SEP] [MASK]


@pytest.fixture
def words() -> MaskingVocabulary:
    """2,000 ordinary pieces, each a word."""
    return MaskingVocabulary(MASK, SPECIALS, np.ones(2005, bool))


@pytest.fixture
def pieces() -> MaskingVocabulary:
    """Ids 5..54 begin a word, ids 55..104 go on with it."""
    return MaskingVocabulary(MASK, SPECIALS, np.arange(105) < 55)


def single_rows(rng: np.random.Generator, rows: int, length: int, vocabulary: MaskingVocabulary) -> np.ndarray:
    """Rows `[CLS] ... [SEP]` of random ordinary ids, int32 (rows, length)."""
    token_ids = rng.integers(5, len(vocabulary.word_starts), (rows, length)).astype("int32")
    token_ids[:, 0], token_ids[:, -1] = CLS, SEP
    return token_ids


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


def used(slots: dict[str, np.ndarray], row: int) -> tuple[np.ndarray, np.ndarray]:
    """Positions and labels of a row, without the unused slots."""
    is_used = slots["mask_weights"][row] == 1
    return slots["mask_positions"][row][is_used], slots["mask_ids"][row][is_used]


@pytest.mark.parametrize(
    ("num_tokens", "expected"),
    # 0.15 times 10, 30, 50, 70, 90 and 110 is a half: 1.5 -> 2, 4.5 -> 4, 7.5 -> 8, 10.5 -> 10, 13.5 -> 14, 16.5 -> 16.
    [(0, 1), (2, 1), (3, 1), (9, 1), (10, 2), (30, 4), (50, 8), (70, 10), (90, 14), (110, 16), (128, 19), (512, 77)],
)
def test_number_to_mask_rounds_halves_to_even(num_tokens, expected):
    assert number_to_mask(num_tokens, max_masks=100) == expected


def test_number_to_mask_has_a_cap():
    assert number_to_mask(512, max_masks=20) == 20
    assert number_to_mask(512, max_masks=1) == 1
    assert number_to_mask(20, max_masks=20, share=0.5) == 10


def test_as_many_are_masked_as_the_length_says(rng, words):
    # DAT-15
    lengths = np.array([3, 4, 10, 20, 30, 64, 128, 130, 140, 200])
    token_ids = np.zeros((10, 200), "int32")
    for row, length in enumerate(lengths):
        token_ids[row, :length] = single_rows(rng, 1, length, words)
    padding_mask = (np.arange(200) < lengths[:, None]).astype("int32")
    _, slots = mask_tokens(token_ids, padding_mask, words, 20, rng)
    # round(0.15 * length) with its halves to even, at least 1 and at most the 20 slots.
    assert slots["mask_weights"].sum(axis=1).tolist() == [1, 1, 2, 3, 4, 10, 19, 20, 20, 20]


def test_slots_have_their_dtypes_and_shapes_and_zeros_where_unused(rng, words):
    token_ids = single_rows(rng, 6, 20, words)
    masked, slots = mask_tokens(token_ids.astype("int64"), np.ones_like(token_ids), words, 7, rng)
    assert (masked.dtype, masked.shape) == (np.dtype("int32"), (6, 20))
    assert {name: (str(array.dtype), array.shape) for name, array in slots.items()} == {
        "mask_positions": ("int32", (6, 7)),
        "mask_ids": ("int32", (6, 7)),
        "mask_weights": ("float32", (6, 7)),
    }
    for row in range(6):
        assert slots["mask_weights"][row].tolist() == [1, 1, 1, 0, 0, 0, 0]
        positions = slots["mask_positions"][row]
        assert sorted(set(positions[:3].tolist())) == positions[:3].tolist()
        assert positions[3:].tolist() == slots["mask_ids"][row, 3:].tolist() == [0] * 4


def test_labels_put_back_rebuild_the_input(rng, pieces):
    # DAT-05
    token_ids = single_rows(rng, 1000, 40, pieces)
    original = token_ids.copy()
    masked, slots = mask_tokens(token_ids, np.ones_like(token_ids), pieces, 8, rng)
    np.testing.assert_array_equal(token_ids, original)
    for row in range(1000):
        positions, ids = used(slots, row)
        np.testing.assert_array_equal(ids, original[row, positions])
        masked[row, positions] = ids
    np.testing.assert_array_equal(masked, original)


@pytest.mark.parametrize("pad", [0, 104])
def test_special_tokens_and_padding_are_never_chosen(rng, pieces, pad):
    # DAT-10: 104 is an ordinary id of this vocabulary; only the padding mask says that it is padding.
    token_ids = np.full((1000, 64), pad, "int32")
    content = [CLS, 5, 60, 7, SEP, 8, 9, 61, 10, SEP]
    token_ids[:, :10] = content
    padding_mask = np.zeros_like(token_ids)
    padding_mask[:, :10] = 1
    masked, slots = mask_tokens(token_ids, padding_mask, pieces, 20, rng)
    ordinary = [position for position, id in enumerate(content) if id not in (CLS, SEP)]
    chosen = Counter(position for row in range(1000) for position in used(slots, row)[0].tolist())
    assert set(chosen) == set(ordinary)
    unchanged = np.setdiff1d(np.arange(64), ordinary)
    np.testing.assert_array_equal(masked[:, unchanged], token_ids[:, unchanged])


def test_unknown_tokens_are_special(rng, words):
    token_ids = np.tile(np.array([CLS, 9, 1, 1, 8, SEP], "int32"), (300, 1))
    _, slots = mask_tokens(token_ids, np.ones_like(token_ids), words, 3, rng)
    assert {used(slots, row)[0].tolist()[0] for row in range(300)} == {1, 4}


def test_of_the_chosen_80_percent_are_masked_10_replaced_and_10_kept(rng, words):
    # DAT-07: one draw for each piece.
    token_ids = single_rows(rng, 300, 450, words)
    masked, slots = mask_tokens(token_ids, np.ones_like(token_ids), words, 100, rng)
    outcomes: Counter[str] = Counter()
    for row in range(300):
        positions, ids = used(slots, row)
        for now, before in zip(masked[row, positions].tolist(), ids.tolist(), strict=True):
            outcomes["mask" if now == MASK else "kept" if now == before else "random"] += 1
    total = outcomes.total()
    assert total == 300 * 68  # 67.5 is rounded to an even number
    assert outcomes["mask"] / total == pytest.approx(0.8, abs=0.01)
    assert outcomes["random"] / total == pytest.approx(0.1, abs=0.01)
    assert outcomes["kept"] / total == pytest.approx(0.1, abs=0.01)


def test_pieces_of_one_word_are_drawn_one_by_one(rng, pieces):
    token_ids = np.tile(np.array([CLS, *[5, 60] * 9, SEP], "int32"), (500, 1))
    masked, slots = mask_tokens(token_ids, np.ones_like(token_ids), pieces, 2, rng)
    outcomes = {tuple((masked[row, used(slots, row)[0]] == MASK).tolist()) for row in range(500)}
    assert outcomes == {(True, True), (True, False), (False, True), (False, False)}


def test_replacements_are_any_ordinary_token_and_never_a_special_one(rng):
    # A small vocabulary, so that each id is drawn often; ids 0, 4 and 9 are special.
    vocabulary = MaskingVocabulary(4, np.array([0, 4, 9]), np.ones(12, bool))
    token_ids = np.full((400, 60), 5, "int32")
    masked, _ = mask_tokens(token_ids, np.ones_like(token_ids), vocabulary, 9, rng)
    replaced = Counter(masked[(masked != 4) & (masked != 5)].tolist())
    assert set(replaced) == {1, 2, 3, 6, 7, 8, 10, 11}
    assert min(replaced.values()) > 0.6 * max(replaced.values())


def test_whole_words_are_masked_together(rng, pieces):
    # DAT-09
    for row in single_rows(rng, 1000, 40, pieces):
        chosen = set(choose_positions(row, pieces, 6, rng).tolist())
        assert len(chosen) <= 6
        for word in words_of(row, pieces):
            assert word <= chosen or not word & chosen


def test_word_of_a_sentencepiece_vocabulary_is_masked_together(rng):
    # DAT-08, DAT-09: the marker decides in any script.
    names = ["<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]", "▁care", "ful", "▁за", "меча", "ние", "▁a"]
    vocabulary = MaskingVocabulary.from_pieces(names, MASK, range(5))
    assert np.flatnonzero(vocabulary.word_starts).tolist() == [5, 7, 10]
    # Each word fits into the count by itself, any two words don't.
    token_ids = np.array([CLS, 7, 8, 9, 5, 6, 6, SEP])
    drawn = {tuple(choose_positions(token_ids, vocabulary, 3, rng).tolist()) for _ in range(1000)}
    assert drawn == {(1, 2, 3), (4, 5, 6)}


def test_word_of_a_wordpiece_vocabulary_is_masked_together(rng):
    names = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "care", "##ful", "我", "是", "."]
    vocabulary = MaskingVocabulary.from_pieces(names, MASK, range(5))
    assert np.flatnonzero(vocabulary.word_starts).tolist() == [0, 1, 2, 3, 4, 5, 7, 8, 9]
    token_ids = np.array([CLS, 5, 6, SEP])
    assert {tuple(choose_positions(token_ids, vocabulary, 2, rng).tolist()) for _ in range(50)} == {(1, 2)}
    token_ids = np.array([CLS, 7, 8, SEP])
    assert {tuple(choose_positions(token_ids, vocabulary, 1, rng).tolist()) for _ in range(50)} == {(1,), (2,)}


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


@pytest.mark.parametrize("count", [1, 10, 19, 20, 21])
def test_no_position_is_chosen_twice(rng, words, count):
    token_ids = np.array([CLS, *range(10, 30), SEP])
    for _ in range(50):
        positions = choose_positions(token_ids, words, count, rng).tolist()
        assert positions == sorted(set(positions))
        assert len(positions) == min(count, 20)


def test_a_word_that_does_not_fit_is_left_out(rng, pieces):
    token_ids = np.array([CLS, 5, 60, 61, 62, 6, 63, SEP])
    drawn = {tuple(choose_positions(token_ids, pieces, 3, rng).tolist()) for _ in range(200)}
    assert drawn == {(5, 6)}
    assert choose_positions(token_ids[:5], pieces, 3, rng).tolist() == []


def test_a_segment_that_begins_inside_a_word_does_not_join_the_segment_before(rng, pieces):
    token_ids = np.array([CLS, 5, SEP, 60, SEP])
    drawn = {tuple(choose_positions(token_ids, pieces, 1, rng).tolist()) for _ in range(100)}
    assert drawn == {(1,), (3,)}


def test_ngrams_never_cross_sep(monkeypatch, rng, words):
    taken: list[list[int]] = []
    is_free = masking._is_free

    def record(ngram, all_words, already_taken):
        free = is_free(ngram, all_words, already_taken)
        if free:
            taken.append([position for word in ngram for position in all_words[word]])
        return free

    monkeypatch.setattr(masking, "_is_free", record)
    token_ids = np.array([CLS, 10, 11, 12, SEP, 13, 14, SEP, 15, SEP])
    for _ in range(500):
        choose_positions(token_ids, words, 9, rng)
    assert {len(ngram) for ngram in taken} == {1, 2, 3}
    assert all(ngram == list(range(ngram[0], ngram[-1] + 1)) for ngram in taken)


def test_share_of_ngrams_is_one_by_their_size(rng, words):
    # DAT-15: few words of long rows are chosen, so that n-grams hardly meet and are read off as runs.
    token_ids = rng.integers(5, 2005, 20_000)
    runs: Counter[int] = Counter()
    for _ in range(40):
        positions = choose_positions(token_ids, words, 300, rng)
        assert len(positions) == 300
        runs.update(len(run) for run in np.split(positions, np.flatnonzero(np.diff(positions) != 1) + 1))
    assert runs.total() > 7000
    for size, share in ((1, 6 / 11), (2, 3 / 11), (3, 2 / 11)):
        assert runs[size] / runs.total() == pytest.approx(share, abs=0.02)
    assert sum(runs[size] for size in runs if size > 3) < 0.01 * runs.total()


def test_every_position_is_as_likely_inside_a_segment(rng, words):
    token_ids = np.array([CLS, *range(10, 50), SEP])
    chosen = Counter(position for _ in range(4000) for position in choose_positions(token_ids, words, 6, rng).tolist())
    # The first two and the last two words are in fewer n-grams, or are the end of fewer.
    inner = [chosen[position] for position in range(3, 39)]
    assert set(chosen) == set(range(1, 41))
    assert np.ptp(inner) < 0.3 * np.mean(inner)


def test_same_seed_gives_the_same_masks(pieces):
    token_ids = single_rows(np.random.default_rng(1), 8, 40, pieces)

    def run(seed: int) -> tuple[np.ndarray, ...]:
        masked, slots = mask_tokens(token_ids, np.ones_like(token_ids), pieces, 8, np.random.default_rng(seed))
        return masked, *slots.values()

    for first, second in zip(run(7), run(7), strict=True):
        np.testing.assert_array_equal(first, second)
    assert not np.array_equal(run(7)[0], run(8)[0])


def test_every_call_masks_anew(rng, words):
    token_ids = single_rows(rng, 8, 60, words)
    first, second = (mask_tokens(token_ids, np.ones_like(token_ids), words, 8, rng)[1] for _ in range(2))
    assert not np.array_equal(first["mask_positions"], second["mask_positions"])


def test_a_row_without_words_has_no_masks(rng, words):
    # The last row holds nothing but padding.
    token_ids = np.array([[CLS, SEP, 0, 0, 0, 0], [CLS, 7, 8, 9, 10, SEP], [0] * 6], "int32")
    padding_mask = np.array([[1, 1, 0, 0, 0, 0], [1] * 6, [0] * 6])
    masked, slots = mask_tokens(token_ids, padding_mask, words, 4, rng)
    assert slots["mask_weights"].sum(axis=1).tolist() == [0, 1, 0]
    for row in (0, 2):
        np.testing.assert_array_equal(masked[row], token_ids[row])
        assert not slots["mask_positions"][row].any()
        assert not slots["mask_ids"][row].any()

from collections import Counter

import numpy as np
import pytest

from keras_albert.text.masking import Masking, MaskingVocabulary, mask_tokens, number_to_mask

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
    lengths = np.array([3, 4, 10, 20, 30, 64, 128, 130, 140, 200])
    token_ids = np.zeros((10, 200), "int32")
    for row, length in enumerate(lengths):
        token_ids[row, :length] = single_rows(rng, 1, length, words)
    padding_mask = (np.arange(200) < lengths[:, None]).astype("int32")
    _, slots = mask_tokens(token_ids, padding_mask, words, Masking(max_masks=20), rng)
    # round(0.15 * length) with its halves to even, at least 1 and at most the 20 slots.
    assert slots["mask_weights"].sum(axis=1).tolist() == [1, 1, 2, 3, 4, 10, 19, 20, 20, 20]


def test_slots_have_their_dtypes_and_shapes_and_zeros_where_unused(rng, words):
    token_ids = single_rows(rng, 6, 20, words)
    masked, slots = mask_tokens(token_ids.astype("int64"), np.ones_like(token_ids), words, Masking(max_masks=7), rng)
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
    token_ids = single_rows(rng, 1000, 40, pieces)
    original = token_ids.copy()
    masked, slots = mask_tokens(token_ids, np.ones_like(token_ids), pieces, Masking(max_masks=8), rng)
    np.testing.assert_array_equal(token_ids, original)
    for row in range(1000):
        positions, ids = used(slots, row)
        np.testing.assert_array_equal(ids, original[row, positions])
        masked[row, positions] = ids
    np.testing.assert_array_equal(masked, original)


@pytest.mark.parametrize("pad", [0, 104])
def test_special_tokens_and_padding_are_never_chosen(rng, pieces, pad):
    # 104 is an ordinary id of this vocabulary; only the padding mask says that it is padding.
    token_ids = np.full((1000, 64), pad, "int32")
    content = [CLS, 5, 60, 7, SEP, 8, 9, 61, 10, SEP]
    token_ids[:, :10] = content
    padding_mask = np.zeros_like(token_ids)
    padding_mask[:, :10] = 1
    masked, slots = mask_tokens(token_ids, padding_mask, pieces, Masking(max_masks=20), rng)
    ordinary = [position for position, id in enumerate(content) if id not in (CLS, SEP)]
    chosen = Counter(position for row in range(1000) for position in used(slots, row)[0].tolist())
    assert set(chosen) == set(ordinary)
    unchanged = np.setdiff1d(np.arange(64), ordinary)
    np.testing.assert_array_equal(masked[:, unchanged], token_ids[:, unchanged])


def test_unknown_tokens_are_special(rng, words):
    token_ids = np.tile(np.array([CLS, 9, 1, 1, 8, SEP], "int32"), (300, 1))
    _, slots = mask_tokens(token_ids, np.ones_like(token_ids), words, Masking(max_masks=3), rng)
    assert {used(slots, row)[0].tolist()[0] for row in range(300)} == {1, 4}


def test_of_the_chosen_80_percent_are_masked_10_replaced_and_10_kept(rng, words):
    # one draw for each piece.
    token_ids = single_rows(rng, 300, 450, words)
    masked, slots = mask_tokens(token_ids, np.ones_like(token_ids), words, Masking(max_masks=100), rng)
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
    masked, slots = mask_tokens(token_ids, np.ones_like(token_ids), pieces, Masking(max_masks=2), rng)
    outcomes = {tuple((masked[row, used(slots, row)[0]] == MASK).tolist()) for row in range(500)}
    assert outcomes == {(True, True), (True, False), (False, True), (False, False)}


def test_replacements_are_any_ordinary_token_and_never_a_special_one(rng):
    # A small vocabulary, so that each id is drawn often; ids 0, 4 and 9 are special.
    vocabulary = MaskingVocabulary(4, np.array([0, 4, 9]), np.ones(12, bool))
    token_ids = np.full((400, 60), 5, "int32")
    masked, _ = mask_tokens(token_ids, np.ones_like(token_ids), vocabulary, Masking(max_masks=9), rng)
    replaced = Counter(masked[(masked != 4) & (masked != 5)].tolist())
    assert set(replaced) == {1, 2, 3, 6, 7, 8, 10, 11}
    assert min(replaced.values()) > 0.6 * max(replaced.values())


def test_same_seed_gives_the_same_masks(pieces):
    token_ids = single_rows(np.random.default_rng(1), 8, 40, pieces)

    def run(seed: int) -> tuple[np.ndarray, ...]:
        masked, slots = mask_tokens(
            token_ids, np.ones_like(token_ids), pieces, Masking(max_masks=8), np.random.default_rng(seed)
        )
        return masked, *slots.values()

    for first, second in zip(run(7), run(7), strict=True):
        np.testing.assert_array_equal(first, second)
    assert not np.array_equal(run(7)[0], run(8)[0])


def test_every_call_masks_anew(rng, words):
    token_ids = single_rows(rng, 8, 60, words)
    first, second = (
        mask_tokens(token_ids, np.ones_like(token_ids), words, Masking(max_masks=8), rng)[1] for _ in range(2)
    )
    assert not np.array_equal(first["mask_positions"], second["mask_positions"])


def test_a_row_without_words_has_no_masks(rng, words):
    # The last row holds nothing but padding.
    token_ids = np.array([[CLS, SEP, 0, 0, 0, 0], [CLS, 7, 8, 9, 10, SEP], [0] * 6], "int32")
    padding_mask = np.array([[1, 1, 0, 0, 0, 0], [1] * 6, [0] * 6])
    masked, slots = mask_tokens(token_ids, padding_mask, words, Masking(max_masks=4), rng)
    assert slots["mask_weights"].sum(axis=1).tolist() == [0, 1, 0]
    for row in (0, 2):
        np.testing.assert_array_equal(masked[row], token_ids[row])
        assert not slots["mask_positions"][row].any()
        assert not slots["mask_ids"][row].any()


def test_permutation_moves_as_many_tokens_again_among_themselves(rng, words):
    token_ids = single_rows(rng, 500, 64, words)
    masking = Masking(max_masks=20, permutation=True)
    masked, slots = mask_tokens(token_ids, np.ones_like(token_ids), words, masking, rng)
    assert slots["mask_ids"].shape == (500, 40)
    # round(0.15 * 64) masks, and as many permuted tokens.
    assert slots["mask_weights"].sum(axis=1).tolist() == [20] * 500
    for row in range(500):
        positions, ids = used(slots, row)
        np.testing.assert_array_equal(ids, token_ids[row, positions])
        kept = np.setdiff1d(np.arange(64), positions)
        np.testing.assert_array_equal(masked[row, kept], token_ids[row, kept])
    moved = (masked != MASK) & (masked != token_ids)
    # A permutation of 10 leaves one in place on average, and one of the masked tokens is replaced by another.
    assert moved.sum() / 500 == pytest.approx(9 + 1, abs=0.3)


def test_permuted_tokens_are_the_rows_own(rng):
    # Nothing is masked or replaced but by the piece itself, so that what changes is what was permuted.
    vocabulary = MaskingVocabulary(MASK, SPECIALS, np.ones(2005, bool))
    token_ids = np.array([[CLS, *range(100, 160), SEP]] * 200, "int32")
    masked, _ = mask_tokens(token_ids, np.ones_like(token_ids), vocabulary, Masking(permutation=True), rng)
    own = [set(row) & set(range(100, 160)) for row in masked.tolist()]
    replaced = (masked == MASK).sum(axis=1)
    # Every token is there once, but for those that were masked, or replaced by a random one.
    assert all(60 - len(there) - lost <= 9 for there, lost in zip(own, replaced.tolist(), strict=True))
    assert all(len(there) >= 60 - 9 for there in own)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"share": 0.0}, r"share to be above 0.*share=0\.0"),
        ({"share": 1.5}, r"share=1\.5"),
        ({"max_masks": 0}, r"max_masks to be at least 1.*max_masks=0"),
        ({"max_ngram": 0}, r"max_ngram to be at least 1.*max_ngram=0"),
    ],
)
def test_settings_out_of_range_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        Masking(**wrong)


def test_googles_vocabulary_replaces_by_any_id():
    pieces = ["<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]", "▁a", "é"]
    ours = MaskingVocabulary.from_pieces(pieces, MASK, range(5))
    googles = MaskingVocabulary.as_google(pieces, MASK, [0, 2, 3])
    assert ours.replacement_ids.tolist() == [5, 6]
    assert googles.replacement_ids.tolist() == list(range(7))
    assert (ours.word_starts[6], googles.word_starts[6]) == (False, True)

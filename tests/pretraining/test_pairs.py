"""Pairs: spans of the documents, labels, lengths, and what each kind does with a chunk of one sentence."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keras_albert.pretraining.pairs import PairSettings, make_pairs
from keras_albert.pretraining.token_documents import TokenDocuments

quick = settings(deadline=None, max_examples=80, derandomize=True)


def numbered(sentence_lengths: list[list[int]]) -> TokenDocuments:
    """Documents whose tokens are numbered from 0 on."""
    total = 0
    documents = []
    for lengths in sentence_lengths:
        documents.append([])
        for length in lengths:
            documents[-1].append(list(range(total, total + length)))
            total += length
    return TokenDocuments.from_lists(documents)


def document_of(documents: TokenDocuments, token: np.ndarray) -> np.ndarray:
    """The document that a token belongs to."""
    starts = documents.sentence_offsets[documents.document_offsets]
    return np.searchsorted(starts, token, side="right") - 1


document_lengths = st.lists(st.lists(st.integers(1, 12), min_size=1, max_size=8), min_size=2, max_size=6)


@quick
@given(
    document_lengths,
    st.sampled_from(["sentence_order", "google", "next_sentence", "none"]),
    st.integers(5, 24),
    st.sampled_from([0.0, 0.5, 1.0]),
    st.integers(0, 99),
)
def test_segments_are_spans_of_one_document_that_fit(lengths, kind, sequence_length, short, seed):
    documents = numbered(lengths)
    pairs = make_pairs(documents, PairSettings(kind, sequence_length, short), np.random.default_rng(seed))
    start_a, stop_a, start_b, stop_b = pairs.spans.T
    assert (pairs.spans.dtype, pairs.labels.dtype) == (np.dtype("int64"), np.dtype("int32"))
    assert (start_a < stop_a).all()
    np.testing.assert_array_equal(document_of(documents, start_a), document_of(documents, stop_a - 1))
    counts = pairs.counts
    kinds = ("in_order", "swapped", "other_document", "one_segment")
    assert sum(counts[name] for name in kinds) == len(pairs.spans)
    if kind == "none":
        assert counts["one_segment"] == len(pairs.spans)
        assert not start_b.any() and not stop_b.any() and not pairs.labels.any()
        assert (stop_a - start_a <= sequence_length - 2).all()
        return
    assert (start_b < stop_b).all()
    assert (stop_a - start_a + stop_b - start_b <= sequence_length - 3).all()
    same = document_of(documents, start_a) == document_of(documents, start_b)
    np.testing.assert_array_equal(document_of(documents, start_b), document_of(documents, stop_b - 1))
    in_order, swapped = same & (stop_a <= start_b), same & (stop_b <= start_a)
    # Two segments of one document never overlap.
    np.testing.assert_array_equal(in_order | swapped, same)
    np.testing.assert_array_equal(pairs.labels == 0, in_order)
    found = {"in_order": in_order.sum(), "swapped": swapped.sum(), "other_document": (~same).sum(), "one_segment": 0}
    assert {name: counts[name] for name in kinds} == found
    assert kind != "sentence_order" or same.all()
    assert kind != "next_sentence" or not swapped.any()


@quick
@given(document_lengths, st.integers(0, 99))
def test_every_token_is_used_once_where_chunks_fit(lengths, seed):
    # Short enough sentences and a long row: each document is one chunk, which loses nothing.
    documents = numbered(lengths)
    pairs = make_pairs(documents, PairSettings("sentence_order", 200, 0.0), np.random.default_rng(seed))
    used = np.concatenate([np.arange(0), *(np.arange(*span) for span in pairs.spans.reshape(-1, 2))])
    expected = sum(sum(document) for document in lengths if sum(document) > 1)
    assert len(used) == len(set(used.tolist())) == expected
    assert pairs.counts["skipped"] == sum(document == [1] for document in lengths)
    assert pairs.counts["split_sentences"] == sum(len(document) == 1 for document in lengths if document != [1])


def test_pairs_never_mix_documents_by_default(rng):
    documents = numbered([[7] * 40, [5] * 40])
    pairs = make_pairs(documents, PairSettings(sequence_length=32), rng)
    np.testing.assert_array_equal(
        document_of(documents, pairs.spans[:, 0]), document_of(documents, pairs.spans[:, 3] - 1)
    )
    assert pairs.counts["swapped"] and pairs.counts["in_order"]


def test_label_1_is_swapped(rng):
    pairs = make_pairs(numbered([[3, 4] * 500]), PairSettings(sequence_length=32), rng)
    first_comes_first = pairs.spans[:, 0] < pairs.spans[:, 2]
    np.testing.assert_array_equal(pairs.labels, (~first_comes_first).astype("int32"))
    assert pairs.labels.mean() == pytest.approx(0.5, abs=3 * 0.5 / len(pairs.labels) ** 0.5)


@pytest.mark.parametrize("kind", ["sentence_order", "google", "next_sentence"])
def test_documents_of_one_sentence(rng, kind):
    pairs = make_pairs(numbered([[30]] * 300), PairSettings(kind, 64, 0.0), rng)
    counts = {name: count for name, count in pairs.counts.items() if count}
    if kind == "sentence_order":
        assert counts.pop("in_order") + counts.pop("swapped") == counts.pop("split_sentences") == 300
        inner = np.minimum(pairs.spans[:, 1], pairs.spans[:, 3]) - 30 * np.arange(300)
        assert set(inner.tolist()) == set(range(1, 30))
    else:
        assert counts.pop("other_document") == 300
        assert pairs.labels.all()
        assert (pairs.spans[:, 0] != pairs.spans[:, 2]).all()
    assert not counts


def test_google_kind_pairs_only_lone_sentences_with_others(rng):
    documents = numbered([[10, 10, 10, 10]] * 50 + [[10]] * 50)
    pairs = make_pairs(documents, PairSettings("google", 43, 0.0), rng)
    assert pairs.counts["other_document"] == 50
    is_lone = document_of(documents, pairs.spans[:, 0]) >= 50
    is_other = document_of(documents, pairs.spans[:, 0]) != document_of(documents, pairs.spans[:, 2])
    # The first segment's own document tells; a swapped pair is of one document.
    np.testing.assert_array_equal(is_lone, is_other)


def test_every_other_document_is_as_likely_and_never_the_own(rng):
    documents = numbered([[3]] * 5)
    seen: Counter[tuple[int, int]] = Counter()
    for _ in range(400):
        pairs = make_pairs(documents, PairSettings("google", 32, 0.0), rng)
        seen.update(zip(*(document_of(documents, pairs.spans[:, column]).tolist() for column in (0, 2)), strict=True))
    assert set(seen) == {(own, other) for own in range(5) for other in range(5) if own != other}
    assert all(count == pytest.approx(100, abs=4 * (400 * 0.25 * 0.75) ** 0.5) for count in seen.values())


def test_sentences_that_give_way_to_another_document_are_used_next(rng):
    documents = numbered([[4] * 60, [4] * 60])
    pairs = make_pairs(documents, PairSettings("next_sentence", 35, 0.0), rng)
    is_other = pairs.labels == 1
    assert is_other.any() and not is_other.all()
    # What follows a pair in the document begins the next pair.
    ends = np.where(is_other, pairs.spans[:, 1], pairs.spans[:, 3])
    inside = document_of(documents, pairs.spans[1:, 0]) == document_of(documents, pairs.spans[:-1, 0])
    np.testing.assert_array_equal(pairs.spans[1:, 0][inside], ends[:-1][inside])


def test_short_sequences_have_a_random_length_for_each_document(rng):
    documents = numbered([[1] * 200] * 400)
    pairs = make_pairs(documents, PairSettings("sentence_order", 43, 0.5), rng)
    lengths = pairs.spans[:, 1] - pairs.spans[:, 0] + pairs.spans[:, 3] - pairs.spans[:, 2]
    first_pair = np.unique(document_of(documents, pairs.spans[:, 0]), return_index=True)[1]
    firsts = lengths[first_pair]
    assert (firsts == 40).mean() == pytest.approx(0.5, abs=3 * (0.25 / 400) ** 0.5 + 1 / 39)
    assert firsts.min() == 2 and len(set(firsts.tolist())) > 30


@pytest.mark.parametrize(
    ("lengths", "kept"),
    # The longer segment loses; once both are level both do.
    [((9, 4), (6, 4)), ((4, 30), (4, 6)), ((9, 30), (5, 5)), ((6, 5), (5, 5)), ((5, 6), (5, 5)), ((1, 40), (1, 9))],
)
def test_segments_lose_tokens_at_both_ends_until_they_fit(rng, lengths, kept):
    documents = numbered([list(lengths)] * 300)
    pairs = make_pairs(documents, PairSettings("sentence_order", 13, 0.0), rng)
    is_swapped = pairs.labels == 1
    assert is_swapped.any() and not is_swapped.all()
    in_order = np.where(is_swapped[:, None], pairs.spans[:, [2, 3, 0, 1]], pairs.spans)
    assert set(zip(*(in_order[:, 1::2] - in_order[:, ::2]).T.tolist(), strict=True)) == {kept}
    offset = in_order[:, 0] - sum(lengths) * np.arange(300)
    assert offset.mean() == pytest.approx((lengths[0] - kept[0]) / 2, abs=1)
    assert len(set(offset.tolist())) == lengths[0] - kept[0] + 1


def test_odd_token_goes_to_the_first_segment(rng):
    pairs = make_pairs(numbered([[10, 30]] * 50), PairSettings("sentence_order", 14, 0.0), rng)
    assert {tuple(row) for row in (pairs.spans[:, 1::2] - pairs.spans[:, ::2]).tolist()} == {(6, 5)}


def test_one_document_is_enough_where_no_other_is_needed(rng):
    one = numbered([[6] * 30])
    for kind in ("sentence_order", "google", "none"):
        assert len(make_pairs(one, PairSettings(kind, 32, 0.0), rng).spans) > 3
    with pytest.raises(ValueError, match=r'kind "next_sentence" need a second document.*1 document.*blank line'):
        make_pairs(one, PairSettings("next_sentence", 32), rng)
    with pytest.raises(ValueError, match='kind "google" need a second document'):
        make_pairs(numbered([[90]]), PairSettings("google", 32), rng)


def test_no_documents_make_no_pairs(rng):
    for kind in ("sentence_order", "google", "next_sentence", "none"):
        pairs = make_pairs(numbered([]), PairSettings(kind), rng)
        assert (pairs.spans.shape, pairs.labels.shape, sum(pairs.counts.values())) == ((0, 4), (0,), 0)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"pairs": "sop"}, "pairs to be one of .*pairs='sop'"),
        ({"sequence_length": 4}, "sequence_length to be at least 5.*sequence_length=4"),
        ({"short_sequences": 1.1}, r"short_sequences to be from 0 to 1.*short_sequences=1\.1"),
    ],
)
def test_settings_out_of_range_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        PairSettings(**wrong)


def test_same_seed_gives_the_same_pairs():
    documents = numbered([[5, 9, 2] * 20, [7] * 30])
    first, second, other = (
        make_pairs(documents, PairSettings(sequence_length=40), np.random.default_rng(seed)).spans for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(first, second)
    assert not np.array_equal(first, other)

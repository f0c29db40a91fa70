"""Whole instances: packed rows of spans, masked, and named as the pretrainer takes them."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keras_albert.pretraining import instances as instances_module
from keras_albert.pretraining.instances import make_instances
from keras_albert.pretraining.packing import pack_spans
from keras_albert.pretraining.pairs import PairSettings
from keras_albert.pretraining.token_documents import TokenDocuments
from keras_albert.text.masking import Masking, MaskingVocabulary
from keras_albert.text.packing import SpecialIds, pack

VOCABULARY = MaskingVocabulary(4, np.arange(5), np.arange(60) < 40)
SPECIAL = SpecialIds(start=2, end=3, pad=0)


def random_documents(rng: np.random.Generator, documents: int = 30) -> TokenDocuments:
    return TokenDocuments.from_lists(
        [
            [rng.integers(5, 60, rng.integers(1, 20)).tolist() for _ in range(rng.integers(1, 15))]
            for _ in range(documents)
        ]
    )


@settings(deadline=None, max_examples=40, derandomize=True)
@given(st.data())
def test_packed_spans_equal_packed_lists(data):
    tokens = np.arange(10, 60)
    spans = []
    for has_second in data.draw(st.lists(st.booleans(), max_size=5)):
        start, other = data.draw(st.integers(0, 40)), data.draw(st.integers(0, 40))
        stop = start + data.draw(st.integers(1, 8))
        spans.append([start, stop, *([other, other + data.draw(st.integers(1, 8))] if has_second else [0, 0])])
    packed = pack_spans(tokens.astype("uint16"), np.array(spans, "int64").reshape(-1, 4), SPECIAL, 20)
    for row, (start, stop, other_start, other_stop) in enumerate(spans):
        second = [tokens[other_start:other_stop]] if other_stop else None
        for name, expected in pack([tokens[start:stop]], second, SPECIAL, 20).items():
            assert packed[name].dtype == "int32"
            np.testing.assert_array_equal(packed[name][row], expected[0])


def test_spans_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match=r"at most 8 tokens.*a row of 9.*sequence_length=8"):
        pack_spans(np.arange(9), np.array([[0, 3, 3, 6]]), SPECIAL, 8)


def test_arrays_have_their_names_dtypes_and_shapes(rng):
    counts: Counter[str] = Counter()
    made = make_instances(
        random_documents(rng), PairSettings(sequence_length=48), Masking(max_masks=7), VOCABULARY, SPECIAL, rng, counts
    )
    rows = len(made["token_ids"])
    assert {name: (str(array.dtype), array.shape) for name, array in made.items()} == {
        "token_ids": ("int32", (rows, 48)),
        "segment_ids": ("int32", (rows, 48)),
        "padding_mask": ("int32", (rows, 48)),
        "mask_positions": ("int32", (rows, 7)),
        "mask_ids": ("int32", (rows, 7)),
        "mask_weights": ("float32", (rows, 7)),
        "sentence_order_label": ("int32", (rows,)),
    }
    assert rows == counts["in_order"] + counts["swapped"] > 50


@pytest.mark.parametrize("kind", ["sentence_order", "google", "next_sentence", "none"])
def test_labels_put_back_give_spans_of_the_documents(rng, kind):
    # A token's id tells where it stands, so that the text of each segment can be checked.
    lengths = [rng.integers(1, 20, rng.integers(1, 15)).tolist() for _ in range(40)]
    total = sum(map(sum, lengths))
    tokens = iter(range(5, 5 + total))
    documents = TokenDocuments.from_lists([[[next(tokens) for _ in range(n)] for n in row] for row in lengths])
    vocabulary = MaskingVocabulary(4, np.arange(5), np.arange(5 + total) % 3 > 0)
    made = make_instances(documents, PairSettings(kind, 40), Masking(), vocabulary, SPECIAL, rng)
    assert made["mask_weights"].any(axis=1).mean() > 0.9
    for row in range(len(made["token_ids"])):
        restored = made["token_ids"][row].copy()
        used = made["mask_weights"][row] == 1
        restored[made["mask_positions"][row][used]] = made["mask_ids"][row][used]
        length = made["padding_mask"][row].sum()
        assert restored[0] == 2 and restored[length - 1] == 3
        assert not restored[length:].any()
        ends = np.flatnonzero(restored == 3)
        assert len(ends) == (1 if kind == "none" else 2)
        parts = np.split(restored[1:length], ends)[: len(ends)]
        first, *second = [part[part != 3] for part in parts]
        assert (np.diff(first) == 1).all()
        assert made["segment_ids"][row].tolist() == [0] * (ends[0] + 1) + [1] * (length - ends[0] - 1) + [0] * (
            40 - length
        )
        if second and kind == "sentence_order":
            assert (np.diff(second[0]) == 1).all()
            assert made["sentence_order_label"][row] == int(second[0][0] < first[0])


def test_rows_are_the_same_however_many_are_masked_at_once(rng, monkeypatch):
    documents = random_documents(rng)
    monkeypatch.setattr(instances_module, "_ROWS_AT_ONCE", 16)
    made = make_instances(documents, PairSettings(sequence_length=32), Masking(max_masks=6), VOCABULARY, SPECIAL, rng)
    lengths = made["padding_mask"].sum(axis=1)
    # As many as 15% of the length, less what no whole word fits in.
    wanted = np.minimum(6, np.maximum(1, np.round(0.15 * lengths)))
    got = made["mask_weights"].sum(axis=1)
    assert (got <= wanted).all()
    assert (got == wanted).mean() > 0.95
    assert len(lengths) > 64


def test_same_seed_gives_the_same_instances(rng):
    documents = random_documents(rng)
    first, second = (
        make_instances(
            documents, PairSettings(sequence_length=32), Masking(), VOCABULARY, SPECIAL, np.random.default_rng(3)
        )
        for _ in range(2)
    )
    for name in first:
        np.testing.assert_array_equal(first[name], second[name])


def test_no_documents_make_no_instances(rng):
    made = make_instances(TokenDocuments.from_lists([]), PairSettings(), Masking(), VOCABULARY, SPECIAL, rng)
    assert {len(array) for array in made.values()} == {0}

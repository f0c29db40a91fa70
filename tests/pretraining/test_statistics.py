"""Statistics of many instances, as Google's script makes them from the same corpus under the same settings."""

import gzip
import json
from functools import cache

import numpy as np
import pytest
from statistics_of_passes import count_pass, google_counts

from keras_albert.pretraining.pairs import PairSettings
from keras_albert.pretraining.token_documents import TokenDocuments
from keras_albert.text.masking import Masking, MaskingVocabulary, number_to_mask
from keras_albert.text.word_starts import google_word_starts

# Google's word starts go by the text of a piece, of an unknown one too. Most of these begin words, and so does id 1;
# the corpus has one, two backticks, that does not, which gets an id of its own behind the vocabulary.
UNKNOWN_INSIDE_WORD = 30_000
PASSES = 60
ENOUGH = 60
# What a statistic is a share of; all others are counts of one pass through the corpus.
SHARE_OF = {
    "label_1": "instances",
    "in_order": "instances",
    "swapped": "instances",
    "other_document": "instances",
    "tokens": "instances",
    "squared_length": "instances",
    "full": "instances",
    "boundaries": "tokens",
    "segment_a": "instances",
    "segment_b": "instances",
    "predictions": "instances",
    "padding": "positions",
    "target": "instances",
    "mask": "predictions",
    "kept": "predictions",
    "random": "predictions",
    "spanning": "ngrams",
    "drawn": "draws",
    "accepted_words": "ngrams",
    "accepted_pieces": "ngrams",
    "sampled_to_accepted": "ngrams",
    "pieces_per_word": "words",
    "length": "instances",
}
# Settings of the original's runs beside its defaults.
SETTINGS = {
    "base": ({}, {}),
    "len512": ({"sequence_length": 512}, {}),
    "nowwm": ({}, {"whole_words": False}),
    "ngram1": ({}, {"max_ngram": 1}),
    "longer": ({}, {"favor_shorter_ngrams": False}),
    "rns": ({"pairs": "next_sentence"}, {}),
    "perm": ({}, {"permutation": True}),
}


@pytest.fixture(scope="module")
def folder(shared):
    return shared / "golden" / "data_creation"


@pytest.fixture(scope="module")
def documents(folder) -> TokenDocuments:
    documents: dict[int, list[list[int]]] = {}
    with gzip.open(folder / "corpus_pieces.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if row["document"] is not None:
                is_unknown_inside = (np.array(row["ids"]) == 1) & ~google_word_starts(row["pieces"])
                ids = np.where(is_unknown_inside, UNKNOWN_INSIDE_WORD, row["ids"]).tolist()
                documents.setdefault(row["document"], []).append(ids)
    return TokenDocuments.from_lists(list(documents.values()))


@pytest.fixture(scope="module")
def vocabulary(folder) -> MaskingVocabulary:
    starts = np.load(folder / "is_start_piece_30k.npz")["is_start_piece"]
    # Google masks unknown pieces as any other, and replaces by any piece.
    return MaskingVocabulary(4, np.array([0, 2, 3]), np.append(starts, False), np.arange(len(starts)))


@pytest.fixture(scope="module")
def stored(folder) -> dict[str, dict]:
    runs = json.loads((folder / "statistics_variants.json").read_text())
    return runs | {"base": json.loads((folder / "statistics.json").read_text())}


def joined_bins(google: dict[str, float], ours: dict[str, float]) -> dict[str, list[str]]:
    """Statistics by name; neighbouring bins of a histogram are joined until each has enough for a normal law."""
    bins: dict[str, list[str]] = {name: [name] for name in google if " " not in name}
    families: dict[str, list[str]] = {}
    for name in sorted(set(google) | set(ours), key=lambda name: (len(name), name)):
        if " " in name:
            families.setdefault(name.split(" ")[0], []).append(name)
    for names in families.values():
        waiting: list[str] = []
        for name in names:
            waiting.append(name)
            if min(sum(counts.get(one, 0) for one in waiting) for counts in (google, ours)) >= ENOUGH:
                bins[f"{waiting[0]}..{waiting[-1]}"] = waiting
                waiting = []
    return bins


def standard_errors_off(passes: list[dict[str, int]], google: dict[str, float], google_passes: int) -> dict[str, float]:
    """By how many standard errors each of Google's statistics differs from the mean of our passes.

    Passes are independent of each other, instances of one pass are not: the error is that of sums over passes.
    """
    off = {}
    expected = {name: sum(counts[name] for counts in passes) * google_passes / len(passes) for name in passes[0]}
    for label, names in joined_bins(google, expected).items():
        whole = SHARE_OF.get(label.split(" ")[0])
        ours = np.array([sum(counts[name] for name in names) for counts in passes], float)
        base = np.array([counts[whole] for counts in passes], float) if whole else np.ones(len(passes))
        share = ours.sum() / base.sum()
        googles = sum(google.get(name, 0) for name in names) / (google[whole] if whole else google_passes)
        error = (ours - share * base).std(ddof=1) * (1 / google_passes + 1 / len(passes)) ** 0.5 / base.mean()
        if error < 1e-12:  # the same in every pass
            assert googles == pytest.approx(share, rel=1e-5), label
        else:
            off[label] = (googles - share) / error
    return off


@pytest.fixture(scope="module")
def passes_of(documents, vocabulary):
    """Return a function that counts passes under the settings of one of Google's runs, once for each settings."""

    @cache
    def count(run: str) -> list[dict[str, int]]:
        rng = np.random.default_rng(1909_11942)
        pair_options, masking_options = SETTINGS[run]
        pairs = PairSettings(**{"pairs": "google", "sequence_length": 128} | pair_options)
        masking = Masking(across_segments=True, **masking_options)
        return [count_pass(documents, pairs, masking, vocabulary, rng) for _ in range(PASSES)]

    return count


@pytest.mark.parametrize("run", ["base", "base40", *list(SETTINGS)[1:]])
def test_statistics_are_googles(run, passes_of, stored):
    flags = stored[run]["flags"]
    google, dupe_factor = google_counts(stored[run]["statistics"], flags["max_seq_length"]), flags["dupe_factor"]
    off = standard_errors_off(passes_of(run.removesuffix("40")), google, dupe_factor)
    assert len(off) > 25
    far = {name: round(errors, 2) for name, errors in off.items() if abs(errors) > 3}
    assert not far


def test_number_to_mask_is_googles_for_every_length(stored):
    for max_masks in (20, 80):
        expected = stored["num_to_predict"][f"max_predictions_{max_masks}"]
        pairs = expected.items() if isinstance(expected, dict) else enumerate(expected)
        assert len(expected) == 513
        assert all(number_to_mask(int(length), max_masks) == count for length, count in pairs)

"""What is counted in instances, as sums over one pass through a corpus, and the same sums of Google's statistics."""

from collections import Counter
from typing import Any

import numpy as np

from keras_albert.pretraining.packing import pack_spans
from keras_albert.pretraining.pairs import PairSettings, make_pairs
from keras_albert.pretraining.token_documents import TokenDocuments
from keras_albert.text import masking as masking_module
from keras_albert.text.masking import Masking, MaskingVocabulary, mask_tokens
from keras_albert.text.packing import SpecialIds

SPECIAL = SpecialIds(start=2, end=3, pad=0)


def count_pass(
    documents: TokenDocuments,
    pairs: PairSettings,
    masking: Masking,
    vocabulary: MaskingVocabulary,
    rng: np.random.Generator,
) -> Counter[str]:
    """Make the instances of one pass through the documents, and count."""
    made = make_pairs(documents, pairs, rng)
    packed = pack_spans(documents.token_ids, made.spans, SPECIAL, pairs.sequence_length)
    choices = []

    def choose_and_keep(*args: Any) -> Any:
        result = real(*args)
        choices.append((args[0], result[1]))
        return result

    real, masking_module.choose_words = masking_module.choose_words, choose_and_keep
    try:
        masked, slots = mask_tokens(packed["token_ids"], packed["padding_mask"], vocabulary, masking, rng)
    finally:
        masking_module.choose_words = real
    counts = Counter({name: made.counts[name] for name in ("in_order", "swapped", "other_document")})
    counts += _of_rows(documents, made.spans, made.labels, packed, vocabulary, pairs.sequence_length)
    counts += _of_masks(packed, masked, slots)
    counts += _of_ngrams(*choices[0], packed)
    return counts


def _of_rows(documents, spans, labels, packed, vocabulary, sequence_length) -> Counter[str]:
    lengths = packed["padding_mask"].sum(axis=1)
    real = packed["padding_mask"] == 1
    begins = vocabulary.word_starts | vocabulary.is_special
    counts = Counter(
        instances=len(spans),
        label_1=int(labels.sum()),
        tokens=int(lengths.sum()),
        squared_length=int((lengths**2).sum()),
        full=int((lengths == sequence_length).sum()),
        positions=real.size,
        padding=int((~real).sum()),
        boundaries=int(begins[packed["token_ids"]][real].sum()),
        segment_a=int((spans[:, 1] - spans[:, 0]).sum()),
        segment_b=int((spans[:, 3] - spans[:, 2]).sum()),
        nonstart_a=int((~vocabulary.word_starts[documents.token_ids[spans[:, 0]]]).sum()),
        nonstart_b=int((~vocabulary.word_starts[documents.token_ids[spans[:, 2]]]).sum()),
    )
    return counts + histogram("length", lengths // 8 * 8)


def _of_masks(packed, masked, slots) -> Counter[str]:
    used = slots["mask_weights"] == 1
    rows = np.nonzero(used)[0]
    now, before = masked[rows, slots["mask_positions"][used]], slots["mask_ids"][used]
    target = np.array([masking_module.number_to_mask(n, 20) for n in packed["padding_mask"].sum(axis=1).tolist()])
    counts = Counter(
        predictions=int(used.sum()),
        target=int(target.sum()),
        mask=int((now == 4).sum()),
        kept=int((now == before).sum()),
        random=int(((now != 4) & (now != before)).sum()),
    )
    return counts + histogram("predictions", used.sum(axis=1))


def _of_ngrams(words, draws, packed) -> Counter[str]:
    row, start, drawn, size = draws.T
    taken = size > 0
    row, start, size = row[taken], start[taken], size[taken]
    begin, end = words.offsets[row, start], words.offsets[row, start + size]
    position_of = np.argsort(~words.is_in_word, axis=1, kind="stable")  # of the n-th token that is in a word
    separator = np.argmax(packed["token_ids"] == SPECIAL.end, axis=1)[row]
    spanning = (position_of[row, begin] < separator) & (position_of[row, end - 1] > separator)
    widths = np.diff(words.offsets, axis=1)
    counts = Counter(
        ngrams=int(taken.sum()), draws=len(draws), spanning=int(spanning.sum()), words=int((widths > 0).sum())
    )
    counts += histogram("drawn", drawn) + histogram("accepted_words", size) + histogram("accepted_pieces", end - begin)
    counts += histogram("pieces_per_word", widths[widths > 0])
    changes, times = np.unique(np.stack([drawn[taken], size]), axis=1, return_counts=True)
    for before, after, count in zip(*changes.tolist(), times.tolist(), strict=True):
        counts[f"sampled_to_accepted {before}->{after}"] = count
    return counts


def histogram(name: str, values: np.ndarray) -> Counter[str]:
    found, counts = np.unique(values, return_counts=True)
    return Counter({f"{name} {value}": count for value, count in zip(found.tolist(), counts.tolist(), strict=True)})


def google_counts(stored: dict[str, Any], max_length: int) -> dict[str, float]:
    """The same sums from the stored statistics of Google's run."""
    length, instances = stored["sequence_length"], stored["instances"]
    tokens = length["mean"] * instances
    counts = {
        "instances": instances,
        "label_1": stored["label_1"],
        "tokens": tokens,
        "squared_length": (length["std"] ** 2 + length["mean"] ** 2) * instances,
        "full": length["full"],
        "positions": instances * max_length,
        "padding": stored["padded_positions_fraction"] * instances * max_length,
        "boundaries": stored["token_boundary_fraction_of_real_tokens"] * tokens,
        "segment_a": stored["segment_a_length_mean"] * instances,
        "segment_b": stored["segment_b_length_mean"] * instances,
        "nonstart_a": stored["segment_a_nonstart_first_piece"],
        "nonstart_b": stored["segment_b_nonstart_first_piece"],
        "predictions": stored["predictions_total"],
        "target": stored["target_mean"] * instances,
        "words": sum(stored["pieces_per_word_hist"].values()),
    }
    counts |= {kind: stored["pair_kinds"].get(kind, 0) for kind in ("in_order", "swapped", "other_document")}
    counts |= _named("length", length["hist_by_8"]) | _named("pieces_per_word", stored["pieces_per_word_hist"])
    counts |= _named("predictions", stored["predictions_per_sequence_hist"])
    counts |= stored.get("replacement", {})
    if "ngram_draws" in stored:
        counts |= {"draws": stored["ngram_draws"], "spanning": stored["ngram_spanning_sep"]}
        counts["ngrams"] = sum(stored["ngram_accepted_words_hist"].values())
        for ours, theirs in (("drawn", "sampled_hist"), ("accepted_words", "accepted_words_hist")):
            counts |= _named(ours, stored[f"ngram_{theirs}"])
        counts |= _named("accepted_pieces", stored["ngram_accepted_pieces_hist"])
        counts |= _named("sampled_to_accepted", stored["ngram_sampled_to_accepted"])
    return counts


def _named(name: str, histogram: dict[str, int]) -> dict[str, float]:
    return {f"{name} {value}": count for value, count in histogram.items()}

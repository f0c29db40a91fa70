"""Token documents to rows that a pretrainer trains on: pairs, packed and masked."""

from collections import Counter

import numpy as np

from keras_albert.pretraining.packing import pack_spans
from keras_albert.pretraining.pairs import PairSettings, make_pairs
from keras_albert.pretraining.token_documents import TokenDocuments
from keras_albert.text.masking import Masking, MaskingVocabulary, mask_tokens
from keras_albert.text.packing import SpecialIds

# Rows that are masked at once: many enough to be quick, few enough for their arrays to stay in the processor's cache.
_ROWS_AT_ONCE = 1024


def make_instances(
    documents: TokenDocuments,
    pair_settings: PairSettings,
    masking: Masking,
    masking_vocabulary: MaskingVocabulary,
    special_ids: SpecialIds,
    rng: np.random.Generator,
    counts: Counter[str] | None = None,
) -> dict[str, np.ndarray]:
    """Make the rows of documents, in the order of the documents: neighbours are alike, shuffle them for training.

    Args:
        documents: the documents.
        pair_settings: how pairs are made; their `sequence_length` is S.
        masking: how tokens are masked; its `num_slots` is P.
        masking_vocabulary: what masking has to know of the vocabulary.
        special_ids: the ids of `[CLS]`, `[SEP]` and padding.
        rng: the random generator.
        counts: what was made is added to it; see `Pairs.counts`.

    Returns:
        `token_ids`, `segment_ids`, `padding_mask` int32 (N, S); `mask_positions`, `mask_ids` int32 and `mask_weights`
        float32 (N, P); `sentence_order_label` int32 (N,), 0 = in order, 1 = swapped or of another document.

    Raises:
        ValueError: a pair needs another document and there is none.
    """
    pairs = make_pairs(documents, pair_settings, rng)
    if counts is not None:
        counts.update(pairs.counts)
    rows, length = len(pairs.spans), pair_settings.sequence_length
    instances = {name: np.zeros((rows, length), "int32") for name in ("token_ids", "segment_ids", "padding_mask")}
    instances |= {name: np.zeros((rows, masking.num_slots), "int32") for name in ("mask_positions", "mask_ids")}
    instances["mask_weights"] = np.zeros((rows, masking.num_slots), "float32")
    for start in range(0, rows, _ROWS_AT_ONCE):
        part = slice(start, start + _ROWS_AT_ONCE)
        packed = pack_spans(documents.token_ids, pairs.spans[part], special_ids, length)
        token_ids, slots = mask_tokens(packed["token_ids"], packed["padding_mask"], masking_vocabulary, masking, rng)
        for name, array in (packed | {"token_ids": token_ids} | slots).items():
            instances[name][part] = array
    return instances | {"sentence_order_label": pairs.labels}

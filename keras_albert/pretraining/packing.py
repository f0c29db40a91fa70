"""Spans of token documents as padded rows `[CLS] a [SEP] b [SEP]`, all rows at once."""

import numpy as np

from keras_albert.text.packing import SpecialIds


def pack_spans(token_ids: np.ndarray, spans: np.ndarray, special: SpecialIds, length: int) -> dict[str, np.ndarray]:
    """Pack spans that fit into one length.

    Args:
        token_ids: int (tokens,), what the spans are of.
        spans: int64 (N, 4), start and stop of the first and of the second segment; a row whose second segment is empty
            is `[CLS] a [SEP]`.
        special: the ids of `[CLS]`, `[SEP]` and padding.
        length: the length S of every row.

    Returns:
        `token_ids`, `segment_ids` (1 on the second segment and its `[SEP]`) and `padding_mask` (1 on tokens), each
        int32 (N, S).

    Raises:
        ValueError: spans are too long for a row.

    Example:
        >>> tokens, spans = np.array([7, 8, 9]), np.array([[0, 2, 2, 3], [1, 3, 0, 0]])
        >>> packed = pack_spans(tokens, spans, SpecialIds(start=2, end=3, pad=0), length=7)
        >>> packed["token_ids"].tolist()
        [[2, 7, 8, 3, 9, 3, 0], [2, 8, 9, 3, 0, 0, 0]]
        >>> packed["segment_ids"].tolist()
        [[0, 0, 0, 0, 1, 1, 0], [0, 0, 0, 0, 0, 0, 0]]
    """
    first_end = 1 + spans[:, 1:2] - spans[:, 0:1]  # position of the first [SEP]
    second_length = spans[:, 3:4] - spans[:, 2:3]
    last = first_end + second_length + (second_length > 0)  # position of the last [SEP]
    if last.max(initial=0) >= length:
        raise ValueError(
            f"Expected spans whose rows have at most {length} tokens with [CLS] and [SEP]. Received: a row of "
            f"{int(last.max()) + 1}. Make the pairs with sequence_length={length}."
        )
    position = np.arange(length)
    is_second = position > first_end
    source = np.where(is_second, spans[:, 2:3] - first_end - 1, spans[:, 0:1] - 1) + position
    is_token = (position > 0) & (position < last) & (position != first_end)
    packed = np.full(is_token.shape, special.pad, "int32")
    packed[is_token] = token_ids[source[is_token]]
    packed[:, 0] = special.start
    rows = np.arange(len(spans))
    packed[rows, first_end[:, 0]] = special.end
    packed[rows, last[:, 0]] = special.end
    return {
        "token_ids": packed,
        "segment_ids": (is_second & (position <= last)).astype("int32"),
        "padding_mask": (position <= last).astype("int32"),
    }

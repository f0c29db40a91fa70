"""Checking token ids before a model sees them."""

from typing import Any

import numpy as np


def check_token_ids(token_ids: Any, vocabulary_size: int) -> np.ndarray:
    """Return ids as an int32 array, once they are known to lie in the vocabulary.

    Out-of-range ids raise on some backends, and are silently clamped or zeroed on others.

    Raises:
        ValueError: an id is negative or not below `vocabulary_size`.
    """
    ids = np.asarray(token_ids)
    if ids.size and (ids.min() < 0 or ids.max() >= vocabulary_size):
        raise ValueError(
            f"Expected token ids from 0 to {vocabulary_size - 1}, the vocabulary of this model. "
            f"Received: ids from {ids.min()} to {ids.max()}. Is this the tokenizer of another model?"
        )
    return ids.astype("int32")

"""Whether a text goes on with another one, or comes after it: what the sentence-order head says of raw pairs."""

from typing import Any

import keras
import keras_hub
import numpy as np

from keras_albert.tasks.preprocessor import AlbertPreprocessor
from keras_albert.text.batching import batches_in_order_of_length
from keras_albert.text.segments import as_segments


def sentence_order(self: keras_hub.models.Task, pairs: Any, batch_size: int = 32) -> np.ndarray:
    """Tell how probable it is that the second text of a pair follows the first one, and not the other way round.

    Nothing is masked. A pair that is longer than the model's rows is cut at the end of its longer text.

    Args:
        self: an `AlbertPretrainer` with a preprocessor.
        pairs: N pairs, or a tuple of N first and N second texts.
        batch_size: pairs in a batch.

    Returns:
        Probabilities, float32 (N,): the softmax of the head's two logits for class 0, in order.

    Raises:
        ValueError: texts without a second one, or a model without preprocessor.
    """
    if self.preprocessor is None:
        raise ValueError(
            "sentence_order needs a tokenizer: build the model with preprocessor=. Received: preprocessor=None"
        )
    first, second = as_segments(pairs)
    if second is None:
        raise ValueError(
            "Expected pairs of texts: a list of pairs, or a tuple of two lists. "
            f"Received: {len(first)} texts without a second one, such as {first[0]!r:.100}"
        )
    encoded = self.preprocessor.encode((first, second))
    probabilities = np.empty(len(encoded), "float32")
    for rows in batches_in_order_of_length(encoded.lengths, batch_size):
        x = AlbertPreprocessor.features(self.preprocessor, encoded, rows)
        x["mask_positions"] = np.zeros((len(rows), 1), "int32")  # the MLM head needs one
        logits = keras.Model.predict_on_batch(self, x)["sentence_order"].astype("float64")
        probabilities[rows] = 0.5 + 0.5 * np.tanh(0.5 * (logits[:, 0] - logits[:, 1]))  # softmax, without overflow
    return probabilities

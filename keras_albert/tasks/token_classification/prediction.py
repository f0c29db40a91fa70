"""From a model's rows to the logits and tags of each text's words."""

from collections.abc import Sequence
from typing import Any

import keras
import numpy as np

from keras_albert.tasks.text_batches import TextBatches


def word_logits(
    model: keras.Model, batches: TextBatches, verbose: str | int = 0, callbacks: Any = None
) -> list[np.ndarray]:
    """Return the logits of the words of each text, float32 (words, T), each from the window with most context.

    Keras's own `predict` joins the outputs of all batches, and these have the lengths of their rows.

    Args:
        model: from a batch's features to logits (B, S, T).
        batches: raw input in batches.
        verbose: 0 for nothing, else a progress bar.
        callbacks: Keras's callbacks, or None.
    """
    encoded = batches.encoded
    logits = np.zeros((len(encoded.word_rows), model.output_shape[-1]), "float32")
    if not isinstance(callbacks, keras.callbacks.CallbackList):
        verbose = 1 if verbose == "auto" else verbose
        callbacks = keras.callbacks.CallbackList(
            callbacks, add_progbar=verbose != 0, verbose=verbose, epochs=1, steps=len(batches), model=model
        )
    callbacks.on_predict_begin()
    for step, rows in enumerate(batches.batches):
        callbacks.on_predict_batch_begin(step)
        outputs = keras.Model.predict_on_batch(model, batches[step])  # keras_hub's would preprocess again
        in_batch, positions, words = encoded.places(rows)
        logits[words] = outputs[in_batch, positions]
        callbacks.on_predict_batch_end(step, {"outputs": outputs})
    callbacks.on_predict_end()
    return np.split(logits, encoded.word_offsets[1:-1])


def best_tags(logits: np.ndarray, tags: Sequence[str]) -> tuple[list[str], list[float]]:
    """Return the most probable tag of each word, and its probability.

    Args:
        logits: float (words, T).
        tags: the T names.

    Example:
        >>> best_tags(np.array([[0.0, 0.0], [0.0, 99.0]]), ["O", "B-LOC"])
        (['O', 'B-LOC'], [0.5, 1.0])
    """
    x = np.asarray(logits, "float64")
    x = np.exp(x - x.max(axis=-1, keepdims=True))
    best = x.argmax(axis=-1)
    # The largest power is 1, so its share is one over the sum.
    return [tags[number] for number in best], (1.0 / x.sum(axis=-1)).tolist()

"""Hands batches to Keras so that their lengths may differ from batch to batch on every backend.

Under TensorFlow Keras fixes the shapes of a Python or grain dataset by its first two batches; here they stay open.
"""

import sys
from collections.abc import Callable, Iterator
from typing import Any

import keras
import numpy as np

from keras_albert.tasks.text_batches import TextBatches


def keras_dataset(batches: TextBatches | Any) -> Any:
    """Return batches (`TextBatches`, or what is used like it) in the form that `keras.Model.fit` takes here."""
    if keras.backend.backend() != "tensorflow":
        return batches

    def one_epoch() -> Iterator[Any]:
        batches.draw_batches()
        for index in range(len(batches)):
            yield batches[index]

    return _tensorflow_dataset(one_epoch, batches[0], len(batches))


def is_tensorflow_dataset(x: Any) -> bool:
    """Whether `x` is a `tf.data.Dataset`; TensorFlow is not imported for the question."""
    tensorflow = sys.modules.get("tensorflow")
    return tensorflow is not None and hasattr(tensorflow, "data") and isinstance(x, tensorflow.data.Dataset)


def is_grain_dataset(x: Any) -> bool:
    """Whether `x` is a grain dataset; grain is not imported for the question."""
    grain = sys.modules.get("grain")
    return grain is not None and isinstance(x, (grain.MapDataset, grain.IterDataset))


def preprocessed_grain_dataset(dataset: Any, preprocess: Callable[..., Any]) -> Any:
    """Return a grain dataset of batches of text, preprocessed, as a `tf.data.Dataset` (for the TensorFlow backend)."""

    def run(element: Any) -> Any:
        return preprocess(*keras.utils.unpack_x_y_sample_weight(element))

    mapped = dataset.map(run)
    first = next(iter(mapped))
    try:
        length = len(mapped)
    except TypeError:  # an IterDataset does not know
        length = None
    return _tensorflow_dataset(lambda: iter(mapped), first, None if length == sys.maxsize else length)


def _tensorflow_dataset(one_epoch: Callable[[], Iterator[Any]], first_batch: Any, length: int | None) -> Any:
    import tensorflow as tf

    def open_spec(array: Any) -> Any:
        # All that differ from batch to batch: its size, the options of a choice, the texts' length.
        return tf.TensorSpec([None] * np.ndim(array), tf.as_dtype(np.asarray(array).dtype))

    dataset = tf.data.Dataset.from_generator(
        one_epoch, output_signature=keras.tree.map_structure(open_spec, first_batch)
    )
    if length is not None:
        dataset = dataset.apply(tf.data.experimental.assert_cardinality(length))
    return dataset.prefetch(tf.data.AUTOTUNE)

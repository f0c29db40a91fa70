"""`fit`, `evaluate` and `predict` on raw text, in batches of similar length: the methods of every task.

Lists, arrays and pandas columns of strings, and pairs of these, are tokenized once and batched with texts of similar
length, so that little padding is computed; predictions come back in the order of the texts. `tf.data` and grain
datasets keep their own batches. Preprocessed arrays, and everything where `preprocessor` is None, go to Keras as they
are.

They are functions, which each task takes as its methods, and not a base class: Keras rewrites the bases of a functional
model's classes, and fails where two of them meet in one base.
"""

from typing import Any

import keras
import keras_hub
import numpy as np

from keras_albert.layers.token_ids import check_token_ids
from keras_albert.tasks.datasets import (
    is_grain_dataset,
    is_tensorflow_dataset,
    keras_dataset,
    preprocessed_grain_dataset,
)
from keras_albert.tasks.text_batches import TextBatches

DEFAULT_BATCH_SIZE = 32


def fit(
    self: keras_hub.models.Task,
    x: Any = None,
    y: Any = None,
    batch_size: int | None = None,
    sample_weight: Any = None,
    validation_data: Any = None,
    validation_split: float | None = None,
    shuffle: bool = True,
    class_weight: dict[int, float] | None = None,
    **kwargs: Any,
) -> keras.callbacks.History:
    """Train on raw text (or preprocessed data) for some epochs; arguments as of `keras.Model.fit`.

    Args:
        x: N texts or pairs of texts, or a dataset of batches.
        y: N labels.
        batch_size: rows in a batch, 32 by default.
        sample_weight: float (N,).
        validation_data: `(x, y)` or `(x, y, sample_weight)`, or a dataset.
        validation_split: share of the rows, from the end, kept for validation.
        shuffle: whether every epoch draws new batches.
        class_weight: weight of each class.
        **kwargs: `epochs`, `callbacks`, `verbose` and so on.

    Raises:
        ValueError: labels that don't fit the texts or the task.
    """
    if _takes_text(self, x) and validation_split and validation_data is None:
        x, y, sample_weight, validation_data = _split_off(x, y, sample_weight, validation_split)
    if _takes_text(self, x) and class_weight is not None:
        sample_weight = _fold_class_weight(_prepare_labels(self, y), sample_weight, class_weight)
        class_weight = None
    kwargs |= {} if class_weight is None else {"class_weight": class_weight}
    train = _own_dataset(self, x, y, sample_weight, batch_size, shuffle=shuffle)
    if train is None:
        return _parent(x).fit(
            self,
            x,
            y,
            batch_size=batch_size,
            sample_weight=sample_weight,
            validation_data=validation_data,
            validation_split=validation_split or 0.0,
            # Keras warns of shuffling where it can't, which is in datasets.
            shuffle=shuffle and not hasattr(x, "map"),
            **kwargs,
        )
    if validation_data is not None:
        is_dataset = not isinstance(validation_data, (tuple, list))
        parts = (validation_data,) if is_dataset else validation_data
        held_out, held_out_y, held_out_weight = keras.utils.unpack_x_y_sample_weight(tuple(parts))
        own = _own_dataset(self, held_out, held_out_y, held_out_weight, batch_size)
        kwargs["validation_data"] = _mapped(self, validation_data) if own is None else own
    return keras.Model.fit(self, train, shuffle=False, **kwargs)


def evaluate(
    self: keras_hub.models.Task,
    x: Any = None,
    y: Any = None,
    batch_size: int | None = None,
    sample_weight: Any = None,
    **kwargs: Any,
) -> Any:
    """Compute loss and metrics on raw text (or preprocessed data); arguments as of `keras.Model.evaluate`."""
    if kwargs.get("_use_cached_eval_dataset"):  # Keras's own call inside of `fit`
        return keras.Model.evaluate(self, x, y, batch_size=batch_size, sample_weight=sample_weight, **kwargs)
    dataset = _own_dataset(self, x, y, sample_weight, batch_size)
    if dataset is None:
        return _parent(x).evaluate(self, x, y, batch_size=batch_size, sample_weight=sample_weight, **kwargs)
    return keras.Model.evaluate(self, dataset, **kwargs)


def predict(self: keras_hub.models.Task, x: Any, batch_size: int | None = None, **kwargs: Any) -> Any:
    """Return the outputs for raw text (or preprocessed data), in the order of the texts."""
    if not _takes_text(self, x):
        dataset = _own_dataset(self, x, None, None, batch_size)
        if dataset is not None:
            return keras.Model.predict(self, dataset, **kwargs)
        return _parent(x).predict(self, x, batch_size=batch_size, **kwargs)
    batches = TextBatches(self.preprocessor, x, batch_size=batch_size or DEFAULT_BATCH_SIZE, keep_batch_size=True)
    outputs = keras.Model.predict(self, keras_dataset(batches), **kwargs)
    order = batches.order  # without shuffling it is the same at every pass; surplus rows come last
    back = np.empty_like(order)
    back[order] = np.arange(len(order))
    outputs = keras.tree.map_structure(lambda output: output[: len(order)][back], outputs)
    # A task whose examples become several rows (windows of a long text) puts them together again.
    return self.finish(outputs, batches.encoded) if hasattr(self, "finish") else outputs


def _takes_text(self: keras_hub.models.Task, x: Any) -> bool:
    return self.preprocessor is not None and self.preprocessor.takes(x)


def _parent(x: Any) -> type[keras.Model]:
    """Return whose method takes `x`: Keras's for arrays that are preprocessed already, keras_hub's for all else."""
    return keras.Model if isinstance(x, dict) and "token_ids" in x else keras_hub.models.Task


def _own_dataset(
    self: keras_hub.models.Task, x: Any, y: Any, sample_weight: Any, batch_size: int | None, shuffle: bool = False
) -> Any:
    """Return the dataset for `keras.Model`, or None where keras_hub's own way does as well."""
    if _takes_text(self, x):
        y = None if y is None else _prepare_labels(self, y)
        batches = TextBatches(self.preprocessor, x, y, sample_weight, batch_size or DEFAULT_BATCH_SIZE, shuffle)
        return keras_dataset(batches)
    if self.preprocessor is not None and is_tensorflow_dataset(x):
        return _mapped(self, x)
    if self.preprocessor is not None and is_grain_dataset(x) and keras.backend.backend() == "tensorflow":
        return preprocessed_grain_dataset(x, self.preprocessor)
    if isinstance(x, dict) and isinstance(x.get("token_ids"), (list, np.ndarray)):
        check_token_ids(x["token_ids"], self.backbone.vocabulary_size)
    return None


def _mapped(self: keras_hub.models.Task, dataset: Any) -> Any:
    """Preprocess the batches of a `tf.data` or grain dataset; other datasets hold preprocessed ones."""
    return dataset.map(lambda *parts: self.preprocessor(*parts)) if hasattr(dataset, "map") else dataset


def _prepare_labels(self: keras_hub.models.Task, y: Any) -> Any:
    """Let a task check and convert its labels, where it has a method for that."""
    return self.prepare_labels(y) if hasattr(self, "prepare_labels") else y


def _split_off(x: Any, y: Any, sample_weight: Any, share: float) -> tuple[Any, Any, Any, tuple[Any, ...]]:
    """Cut the last rows off for validation, as Keras does."""
    if not 0 < share < 1:
        raise ValueError(f"Expected validation_split between 0 and 1. Received: validation_split={share}")
    is_pair = isinstance(x, tuple) and not isinstance(x[0], (str, bytes))
    rows = len(x[0]) if is_pair else len(x)
    start = int(rows * (1 - share))
    if start in (0, rows):
        raise ValueError(f"validation_split={share} leaves nothing on one side. Received: {rows} texts")

    def part(values: Any, where: slice) -> Any:
        return None if values is None else values[where]

    def texts(where: slice) -> Any:
        return tuple(segment[where] for segment in x) if is_pair else x[where]

    train, held_out = slice(None, start), slice(start, None)
    validation = (texts(held_out), part(y, held_out), part(sample_weight, held_out))
    return texts(train), part(y, train), part(sample_weight, train), validation


def _fold_class_weight(y: Any, sample_weight: Any, class_weight: dict[int, float]) -> np.ndarray:
    if sample_weight is not None:
        raise ValueError("Pass either class_weight or sample_weight: multiply them beforehand where both are meant.")
    if y is None:
        raise ValueError("class_weight needs labels: pass y.")
    if not isinstance(y, np.ndarray) or y.size != len(y) or y.dtype.kind not in "iu":
        raise ValueError("class_weight needs one class for each text. Pass sample_weight= for other labels.")
    return np.array([class_weight.get(int(label), 1.0) for label in np.ravel(y)], "float32")

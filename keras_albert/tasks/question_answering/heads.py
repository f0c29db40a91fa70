"""What the two kinds of head are made of: layer, losses, metrics."""

from typing import Any

import keras

from keras_albert.backbone import AlbertBackbone
from keras_albert.layers import SpanHead, VerifierHead

# Kinds of head, and the name of each one's layer.
HEADS = {"span": "span_head", "verifier": "verifier_head"}


def new_head(head: str, backbone: AlbertBackbone, dropout: float) -> SpanHead | VerifierHead:
    """Return a head with random weights.

    Args:
        head: "span" or "verifier".
        backbone: the model before it.
        dropout: of the verifier's answerability part.
    """
    options: dict[str, Any] = {
        "initializer_range": backbone.initializer_range,
        "output_length": backbone.max_sequence_length,
        "dtype": backbone.dtype_policy,
        "name": HEADS[head],
    }
    return SpanHead(**options) if head == "span" else VerifierHead(backbone.hidden_dim, dropout=dropout, **options)


def new_loss(label: str) -> keras.losses.Loss:
    """Return the loss of one label: "start", "end" or "unanswerable"."""
    if label == "unanswerable":
        return keras.losses.BinaryCrossentropy(from_logits=True)
    return keras.losses.SparseCategoricalCrossentropy(from_logits=True)


def new_accuracy(label: str) -> keras.metrics.Metric:
    """Return the accuracy of one label: "start", "end" or "unanswerable"."""
    if label == "unanswerable":
        return keras.metrics.BinaryAccuracy(threshold=0.0, name="accuracy")
    return keras.metrics.SparseCategoricalAccuracy(name="accuracy")

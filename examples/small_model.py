"""A small untrained ALBERT for the examples: its vocabulary comes from the texts that an example brings along."""

from collections.abc import Iterable

import keras_albert


def small_tokenizer(texts: Iterable[str], vocabulary_size: int = 400) -> keras_albert.AlbertTokenizer:
    """Return a tokenizer trained on texts."""
    return keras_albert.AlbertTokenizer(keras_albert.train_vocabulary(list(texts), vocabulary_size=vocabulary_size))


def small_backbone(
    tokenizer: keras_albert.AlbertTokenizer, max_sequence_length: int = 64
) -> keras_albert.AlbertBackbone:
    """Return two layers of 64, 80,000 weights or so."""
    return keras_albert.AlbertBackbone(
        vocabulary_size=tokenizer.vocabulary_size(),
        num_layers=2,
        num_heads=4,
        hidden_dim=64,
        intermediate_dim=256,
        embedding_dim=32,
        max_sequence_length=max_sequence_length,
        initializer_range=0.1,
    )

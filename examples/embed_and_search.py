"""Search texts by what they say of a service: vectors of the demo's small model.

    python examples/embed_and_search.py

Trains the classifier of `classify_short_texts.py`, embeds the test texts with its backbone, prints the nearest ones to
a query, and how often a text's nearest neighbour has the same label (expect more than 0.7; guessing gives 0.5). Any
backend does: KERAS_BACKEND=jax, for example.
"""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
from classify_short_texts import read_split, train_once

import keras_albert

QUERIES = ["The food was cold and the waiter rude.", "A helpful and friendly team, thank you!"]


def main() -> float:
    """Train, embed, search, and return the share of neighbours with the same label."""
    classifier, *_ = train_once(seed=0, verbose=2)
    preprocessor = keras_albert.AlbertTextEmbedderPreprocessor(
        classifier.preprocessor.tokenizer, max_sequence_length=128
    )
    embedder = keras_albert.AlbertTextEmbedder(classifier.backbone, preprocessor, pooling="mean", normalize=True)
    texts, labels = read_split("test")
    similarity = embedder.similarity(texts, texts)
    np.fill_diagonal(similarity, -1)
    nearest = similarity.argmax(axis=1)
    same = float(np.mean([labels[place] == label for place, label in zip(nearest, labels, strict=True)]))
    print(f"\nNearest neighbours of {len(texts)} texts with the same label: {same:.2f}")
    for query, row in zip(QUERIES, embedder.similarity(QUERIES, texts), strict=True):
        print(f"  {query}")
        for place in np.argsort(-row)[:3]:
            print(f"    {row[place]:.2f}  {texts[place]}")
    return same


if __name__ == "__main__":
    main()

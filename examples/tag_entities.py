"""Find people and places in sentences: a small model learns it in half a minute.

    python examples/tag_entities.py

Trains on made-up sentences, then tags sentences with names that it never saw, and prints the F1 over entities
(expect more than 0.7) and where each entity stands. Any backend does: KERAS_BACKEND=jax, for example.
"""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras
import numpy as np
from small_model import small_backbone, small_tokenizer

import keras_albert
from keras_albert.finetuning.kinds import Tagging
from keras_albert.finetuning.readers.tagged import TaggedExamples

FIRST = ["Anna", "Bruno", "Clara", "David", "Emma", "Felix", "Greta", "Hugo", "Ines", "Jonas"]
LAST = ["Berg", "Costa", "Dahl", "Evans", "Fuchs", "Gomez", "Hansen", "Ito", "Jensen", "Kaya"]
CITIES = ["Oslo", "Rome", "Lima", "Kyoto", "Cairo", "Quito", "Paris", "Riga", "New York", "San Marino"]
SENTENCES = ["{p} lives in {c} .", "In {c} we met {p} .", "{p} and {q} left {c} today .", "The train to {c} was late ."]
TAGS = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]


def sentences(rows: int, first: list[str], rng: np.random.Generator) -> TaggedExamples:
    """Return made-up sentences with the tags of their words."""
    words: list[list[str]] = []
    tags: list[list[str]] = []
    for _ in range(rows):
        row_words, row_tags = [], []
        for word in str(rng.choice(SENTENCES)).split():
            if word in ("{p}", "{q}"):
                found, kind = [str(rng.choice(first)), str(rng.choice(LAST))], "PER"
            elif word == "{c}":
                found, kind = str(rng.choice(CITIES)).split(), "LOC"
            else:
                found, kind = [word], ""
            row_words += found
            row_tags += [f"{'B' if place == 0 else 'I'}-{kind}" if kind else "O" for place in range(len(found))]
        words.append(row_words)
        tags.append(row_tags)
    return TaggedExamples.from_words(words, tags)


def main(train_rows: int = 600, epochs: int = 7) -> float:
    """Train, tag, and return the F1."""
    keras.utils.set_random_seed(0)
    rng = np.random.default_rng(0)
    train, test = sentences(train_rows, FIRST[:7], rng), sentences(100, FIRST[7:], rng)
    tokenizer = small_tokenizer([*train.texts, " ".join(FIRST)], 72)
    preprocessor = keras_albert.AlbertTokenClassifierPreprocessor(tokenizer, max_sequence_length=64, sequence_length=48)
    model = keras_albert.AlbertTokenClassifier(small_backbone(tokenizer), TAGS, preprocessor)
    model.compile(optimizer=keras.optimizers.Adam(2e-3))
    model.fit(train.words, train.tags, epochs=epochs, verbose=2)

    kind = Tagging()
    metrics = kind.score(test, kind.answer(model, test, batch_size=32))
    print(f"\nF1 over entities of {len(test)} new sentences: {metrics.value:.2f}")
    for text in ("Hugo Berg lives in San Marino.", "In Riga we met Ines Ito."):
        print(f"  {text}")
        for entity in model.tag([text])[0]:
            print(f"    {entity.label} {entity.text!r} at {entity.start}:{entity.end}, {entity.score:.2f}")
    return metrics.value


if __name__ == "__main__":
    main()

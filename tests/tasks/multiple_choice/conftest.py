"""Fixtures of the multiple-choice tests: questions with two to five options that a tiny model can learn."""

import pytest

from keras_albert import AlbertBackbone, AlbertMultipleChoice, AlbertMultipleChoicePreprocessor, AlbertTokenizer
from keras_albert.text import train_vocabulary

COLOURS = ["blue", "green", "red", "white", "black"]
THINGS = ["sky", "sea", "car", "hat"]


@pytest.fixture(scope="session")
def colours() -> tuple[tuple[list[str], list[str], list[list[str]]], list[int]]:
    """Sixteen questions whose right option is the colour in the context, and the positions of these."""
    contexts, questions, options, labels = [], [], [], []
    for row in range(16):
        colour = COLOURS[row % 5]
        others = [other for other in COLOURS if other != colour][: 1 + row % 4]
        label = row // 4 % (len(others) + 1)
        contexts.append(f"the {THINGS[row % 4]} is {colour}")
        questions.append(("what is it like?", "it is _")[row % 2])
        options.append([*others[:label], colour, *others[label:]])
        labels.append(label)
    return (contexts, questions, options), labels


@pytest.fixture(scope="session")
def colour_tokenizer(colours) -> AlbertTokenizer:
    (contexts, questions, _), _ = colours
    return AlbertTokenizer(train_vocabulary((contexts + questions + COLOURS) * 4, vocabulary_size=38))


@pytest.fixture
def model(colour_tokenizer) -> AlbertMultipleChoice:
    """A tiny untrained model; all its rows have one length, so that few shapes are compiled."""
    backbone = AlbertBackbone(
        vocabulary_size=38,
        num_layers=1,
        num_heads=2,
        hidden_dim=24,
        intermediate_dim=40,
        embedding_dim=16,
        max_sequence_length=96,
        initializer_range=0.2,
    )
    preprocessor = AlbertMultipleChoicePreprocessor(colour_tokenizer, sequence_length=48, max_sequence_length=96)
    return AlbertMultipleChoice(backbone, preprocessor, choice_dropout=0.0)

"""Choose among options by a text: a small model learns it in under a minute.

    python examples/rank_choices.py

Trains on made-up texts, each with a gap and three options, and prints the accuracy on new ones (expect more than 0.8;
guessing gives 0.33) and the probability of each option. Any backend does: KERAS_BACKEND=jax, for example.
"""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras
import numpy as np
from small_model import small_backbone, small_tokenizer

import keras_albert

# What a weather brings, and what it does not.
FITS = {
    "It has rained since Monday": ["wet", "muddy", "soaked"],
    "The sun has burnt for weeks": ["dry", "dusty", "cracked"],
    "It froze hard last night": ["icy", "slippery", "frozen"],
}
PLACES = ["road", "garden", "yard", "path", "field", "square", "bridge", "platform"]
ENDINGS = ["", " and the radio says so", " as everybody knows", " here in the north"]


def places_of(weather: str, is_test: bool) -> list[str]:
    """Return the places that meet a weather in the test texts alone (two of eight), or in the training texts."""
    shift = list(FITS).index(weather)
    return [place for number, place in enumerate(PLACES) if ((number + shift) % 4 == 0) == is_test]


def choices(rows: int, is_test: bool, rng: np.random.Generator) -> tuple[tuple[list, list, list], list[int]]:
    """Return contexts, questions and options, and the position of the right one."""
    contexts, questions, options, labels = [], [], [], []
    for _ in range(rows):
        weather = str(rng.choice(list(FITS)))
        words = {name: str(rng.choice(found)) for name, found in FITS.items()}
        order = rng.permutation(list(FITS))
        contexts.append(f"{weather}{rng.choice(ENDINGS)}.")
        questions.append(f"The {rng.choice(places_of(weather, is_test))} is _ .")
        options.append([words[name] for name in order])
        labels.append(list(order).index(weather))
    return (contexts, questions, options), labels


def main(train_rows: int = 400, epochs: int = 12) -> float:
    """Train, choose, and return the accuracy."""
    keras.utils.set_random_seed(0)
    rng = np.random.default_rng(0)
    (train, labels), (test, right) = choices(train_rows, False, rng), choices(100, True, rng)
    texts = [*train[0], *train[1], *(word for row in train[2] for word in row)]
    tokenizer = small_tokenizer(texts, 72)
    preprocessor = keras_albert.AlbertMultipleChoicePreprocessor(
        tokenizer, max_sequence_length=64, sequence_length=64, max_option_length=24
    )
    model = keras_albert.AlbertMultipleChoice(small_backbone(tokenizer), preprocessor)
    model.compile(optimizer=keras.optimizers.Adam(1e-3))
    model.fit(train, labels, batch_size=16, epochs=epochs, verbose=2)

    accuracy = float(np.mean(model.predict(test, verbose=0).argmax(axis=1) == np.array(right)))
    print(f"\nAccuracy on {len(right)} new texts: {accuracy:.2f}")
    choice = model.choose("It froze hard last night.", "The field is _ .", ["dusty", "icy", "muddy", "soaked"])
    print(f"  It froze hard last night. The field is … {choice.option} ({choice.probability:.2f})")
    return accuracy


if __name__ == "__main__":
    main()

"""Put sentences in order with `albert_tiny`, the model that comes with the package; no download, no training.

    python examples/sentence_order.py

Asks for each pair of passages, both ways round, how probable it is that the second follows the first, and says which
way the model prefers. It learned the task on Victorian novels (the paper's section 3.1): cues are who speaks, what a
pronoun means, and what is named first. Any backend does: KERAS_BACKEND=jax, for example.
"""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras_albert

# Consecutive passages, in the order in which they were written.
PASSAGES = [
    (
        "There lived in our village an old carpenter, whose name was Thomas Reed.",
        "He had a wife and three sons, and was known to everyone for his honesty.",
    ),
    (
        "Are you quite sure that you saw him? asked the lady.",
        "As sure as I stand here, madam, replied the gardener.",
    ),
    (
        "One evening in October a stranger knocked at the door of the inn.",
        "The landlord, who had gone to bed, came down with a candle and asked him what he wanted.",
    ),
    (
        "My dear Harriet, I have something to tell you, said her mother.",
        "Harriet put down her book and waited.",
    ),
    (
        "Mr. Collier had been for many years a merchant in the city.",
        "At the age of sixty he sold his business and took a house in the country.",
    ),
    (
        "Where have you been all day? cried the boy.",
        "I have been to town to see your uncle, she answered.",
    ),
    (
        "The letter lay upon the table, and for some time she did not dare to open it.",
        "At last she broke the seal and began to read.",
    ),
    (
        "He was born in a small town near the sea, where his father kept a school.",
        "When he was twelve years old he was sent to London.",
    ),
    (
        "Will you take a glass of wine, doctor? said the host.",
        "The doctor thanked him, and said that he never drank before dinner.",
    ),
    (
        "They walked on in silence until they came to the bridge.",
        "There she stopped, and held out her hand to him.",
    ),
]


def main(preset: str = "albert_tiny") -> float:
    """Judge every pair both ways round, and return the share whose written order the model prefers."""
    model = keras_albert.AlbertPretrainer.from_preset(preset)
    in_order = model.sentence_order(PASSAGES)
    swapped = model.sentence_order([(second, first) for first, second in PASSAGES])
    print("as written  swapped")
    for (first, second), written, other in zip(PASSAGES, in_order, swapped, strict=True):
        print(f"      {written:.2f}     {other:.2f}  {'right' if written > other else 'wrong'}   {first} | {second}")
    right = int((in_order > swapped).sum())
    print(f"\nWritten order preferred: {right} of {len(PASSAGES)}")
    return right / len(PASSAGES)


if __name__ == "__main__":
    main()

"""Fill gaps in texts: a small masked language model learns how weather and words go together in half a minute.

    python examples/fill_mask.py

Trains on made-up sentences of a vocabulary of whole words, then fills gaps where a weather meets places that it never
met in training, and prints how often the first suggestion fits the weather (expect more than 0.8; a third would by
chance). Any backend does: KERAS_BACKEND=jax, for example.
"""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras
import numpy as np
from rank_choices import FITS, choices, places_of
from small_model import small_backbone

import keras_albert

SPECIAL_TOKENS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def main(train_rows: int = 1000, epochs: int = 9) -> float:
    """Train, fill gaps, and return the share of fitting words."""
    keras.utils.set_random_seed(0)
    (contexts, questions, options), labels = choices(train_rows, False, np.random.default_rng(0))
    rows = zip(contexts, questions, options, labels, strict=True)
    texts = [f"{context} {question.replace('_', words[label])}".lower() for context, question, words, label in rows]
    words = sorted({word for text in texts for word in text.replace(".", " . ").split()})
    tokenizer = keras_albert.AlbertWordPieceTokenizer([*SPECIAL_TOKENS, *words])
    preprocessor = keras_albert.AlbertMaskedLMPreprocessor(
        tokenizer, max_sequence_length=24, sequence_length=24, max_masks=3
    )
    model = keras_albert.AlbertMaskedLM(small_backbone(tokenizer, 24), preprocessor)
    model.compile(optimizer=keras.optimizers.Adam(2e-3))
    model.fit(texts, epochs=epochs, verbose=2)

    gaps = [(weather, f"{weather}. The {place} is [MASK] .") for weather in FITS for place in places_of(weather, True)]
    filled = model.fill_mask([gap for _, gap in gaps], top_k=3)
    fits = [fills[0][0].token in FITS[weather] for (weather, _), fills in zip(gaps, filled, strict=True)]
    print(f"\nFirst suggestions that fit the weather: {np.mean(fits):.2f} of {len(fits)}")
    for (_, gap), fills in list(zip(gaps, filled, strict=True))[::2]:
        print(f"  {gap}  {', '.join(f'{fill.token} {fill.probability:.2f}' for fill in fills[0])}")
    return float(np.mean(fits))


if __name__ == "__main__":
    main()

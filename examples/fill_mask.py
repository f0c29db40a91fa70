"""Fill gaps in sentences with `albert_tiny`, the model that comes with the package; no download, no training.

    python examples/fill_mask.py

Prints the five most probable pieces for each gap, and in how many sentences a fitting word is among them. The model
learned from Victorian novels, so the sentences could stand in one. Any backend does: KERAS_BACKEND=jax, for example.
"""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras_albert

# Each with the words that a reader would accept.
GAPS = {
    "She burst into [MASK] and hid her face in her hands.": {"tears", "sobs", "weeping", "laughter"},
    "I beg your [MASK], sir, said the clerk.": {"pardon", "forgiveness"},
    "He shook his [MASK] and answered that he did not know.": {"head"},
    "It was ten o'clock in the [MASK] when the carriage came.": {"morning", "evening"},
    "She opened the [MASK] and went into the garden.": {"door", "gate", "window"},
    "They sat by the [MASK], for the night was cold.": {"fire", "hearth", "stove"},
    "He was a young man of about five and twenty [MASK] of age.": {"years"},
    "Tell me the truth: do you [MASK] her?": {"love", "know", "like", "hate", "believe", "remember", "trust", "want"},
    "His father and [MASK] died when he was a child.": {"mother"},
    "The captain went on board the [MASK] and sailed for India.": {"ship", "boat", "vessel", "steamer", "yacht"},
    "The old lady and her two [MASK] were dressed in black.": {"daughters", "sisters", "sons", "nieces", "children"},
    "Pray, my dear, sit [MASK] and take a cup of tea.": {"down", "here", "still", "by", "up"},
}


def main(preset: str = "albert_tiny") -> float:
    """Fill the gaps, and return in which share of them a fitting word is among the five most probable."""
    model = keras_albert.AlbertMaskedLM.from_preset(preset)
    filled = model.fill_mask(list(GAPS), top_k=5)
    fits = 0
    for (text, words), (fills,) in zip(GAPS.items(), filled, strict=True):
        suggestions = [fill.token.replace("\u2581", " ").strip() for fill in fills]
        fits += not words.isdisjoint(suggestions)
        print(text)
        for word, fill in zip(suggestions, fills, strict=True):
            print(f"  {fill.probability:.2f}  {word}{'  <' if word in words else ''}")
    print(f"\nA fitting word among the first five: {fits} of {len(GAPS)}")
    return fits / len(GAPS)


if __name__ == "__main__":
    main()

"""Short texts that a tiny model can learn to classify."""

from keras_albert.finetuning import Examples

THINGS = ["train", "knife", "bank", "meal", "film", "room", "chair", "phone"]


def remarks(rows: int, source: str = "remarks") -> Examples:
    """Texts whose label is a word in them."""
    texts = [f"a {('good', 'bad')[row % 2]} {THINGS[row // 2 % 8]} {row}" for row in range(rows)]
    return Examples(texts, labels=[("yes", "no")[row % 2] for row in range(rows)], source=source)

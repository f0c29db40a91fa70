"""Recognizing checkpoints that are not Google's ALBERT, so that the error can say what they are."""

from collections.abc import Sequence

# Parts of names that only that layout has. BERT's layers are numbered and not shared.
_LAYOUTS = (
    (("encoder/layer_0/",), "BERT's layout, whose layers share nothing"),
    ((".ATTRIBUTES/VARIABLE_VALUE",), "a TensorFlow 2 object checkpoint; export it under Google's TensorFlow 1 names"),
    (
        ("albert.embeddings.", "albert.encoder.", "albert_layer_groups"),
        "Hugging Face's layout; pass its folder, with the config.json",
    ),
)


def foreign_layout(names: Sequence[str]) -> str | None:
    """Explains what a checkpoint is that does not follow Google's layout.

    Args:
        names: The names of its weights.

    Returns:
        A sentence that names the layout, or `None` if it is no layout that is known.
    """
    for marks, layout in _LAYOUTS:
        marked = [name for name in names if any(mark in name for mark in marks)]
        if marked:
            return f"not Google's layout: by names such as {marked[0]} it looks like {layout}."
    return None


def unshared_layer_norms(names: Sequence[str]) -> str:
    """Explains why a checkpoint whose layers have their own layer norms is refused.

    Args:
        names: The stored names of layer norms that hold different values for one shared weight.
    """
    return (
        f"layer norms are not shared between the layers ({len(names)} variables, such as {names[0]} and {names[-1]}, "
        "hold different values): the code that trained it did not reuse their scope, so it is not an ALBERT with "
        "shared layers, and none of them can stand for the others."
    )

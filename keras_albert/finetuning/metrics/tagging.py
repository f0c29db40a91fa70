"""Entity-level precision, recall and F1, as the scorer of the CoNLL tasks (conlleval) computes them.

An entity is right where its type and both of its ends are; counts are taken over all texts (micro average).
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.metrics import confusion_matrix

from keras_albert.finetuning.metrics.metrics import Metrics
from keras_albert.tasks.token_classification.entities import OUTSIDE, chunks, parse_tag

TAGGING_FIGURES = ("f1", "precision", "recall", "accuracy")
_MOST_CLASSES = 15  # more can't be read in a picture


def tagging_metrics(gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]], main: str = "f1") -> Metrics:
    """Compare predicted tags with the right ones.

    Args:
        gold: for each text the right tag of each word.
        predicted: for each text the predicted ones, as many.
        main: the main figure.

    Returns:
        "f1", "precision" and "recall" of entities and the "accuracy" of words' tags, all in [0, 1]; a share of nothing
        is 0. In `details` the same by type and their counts. Where there are 2 to 15 types, O included, `confusion`
        counts words by the types of their tags.

    Raises:
        ValueError: no text, or another number of tags; with the row.

    Example:
        >>> metrics = tagging_metrics([["B-PER", "I-PER", "O", "B-LOC"]], [["B-PER", "O", "O", "B-LOC"]])
        >>> {name: round(value, 3) for name, value in metrics.figures.items()}
        {'f1': 0.5, 'precision': 0.5, 'recall': 0.5, 'accuracy': 0.75}
    """
    if not len(gold) or len(gold) != len(predicted):
        raise ValueError(f"Expected tags of as many texts. Received: {len(gold)} and {len(predicted)}")
    there, found, right = _counted(gold, predicted)
    words = [pair for pairs in zip(gold, predicted, strict=True) for pair in zip(*pairs, strict=True)]
    totals = right.total(), found.total(), there.total()
    accuracy = sum(true == given for true, given in words) / max(len(words), 1)
    by_type = {
        label: _figures(right[label], found[label], there[label])
        | {"entities": there[label], "predicted": found[label], "right": right[label]}
        for label in sorted(there | found)
    }
    counts = {"words": len(words), "entities": totals[2], "predicted": totals[1], "right": totals[0]}
    confusion, names = _confusion(words)
    return Metrics(
        figures=_figures(*totals) | {"accuracy": accuracy},
        main=main,
        rows=len(gold),
        # Who marks every word as outside finds no entity; of words it is the share of O.
        baseline=0.0 if main != "accuracy" else sum(true == OUTSIDE for true, _ in words) / max(len(words), 1),
        baseline_name="no entities",
        confusion=confusion,
        class_names=names,
        details={**counts, "by_type": by_type},
    )


def _counted(
    gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]
) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """Count the entities of each type: the right ones, the predicted ones, and those that are both."""
    there: Counter[str] = Counter()
    found: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for row, (true_tags, given_tags) in enumerate(zip(gold, predicted, strict=True)):
        if len(true_tags) != len(given_tags):
            raise ValueError(
                f"Expected as many predicted tags as right ones. "
                f"Received: {len(given_tags)} and {len(true_tags)} in row {row}"
            )
        true, given = set(chunks(true_tags)), set(chunks(given_tags))
        there.update(chunk.label for chunk in true)
        found.update(chunk.label for chunk in given)
        right.update(chunk.label for chunk in true & given)
    return there, found, right


def _figures(right: int, found: int, there: int) -> dict[str, float]:
    precision = right / found if found else 0.0
    recall = right / there if there else 0.0
    f1 = 2 * right / (found + there) if found + there else 0.0
    return {"f1": f1, "precision": precision, "recall": recall}


def _confusion(words: Sequence[tuple[str, str]]) -> tuple[Any, tuple[str, ...]]:
    true, given = ([parse_tag(pair[side])[1] or OUTSIDE for pair in words] for side in (0, 1))
    names = sorted({*true, *given}, key=lambda name: (name != OUTSIDE, name))
    if not 1 < len(names) <= _MOST_CLASSES:
        return None, ()
    numbers = {name: number for number, name in enumerate(names)}
    true_numbers, given_numbers = (np.array([numbers[name] for name in column]) for column in (true, given))
    return confusion_matrix(true_numbers, given_numbers, labels=range(len(names))), tuple(names)

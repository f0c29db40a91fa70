"""Predicted classes, their probabilities, and tables of them.

`probabilities` of google-research/albert run_classifier.py (`create_model`).
"""

import csv
import io
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from keras_albert.finetuning.examples import Examples


@dataclass(frozen=True)
class Predictions:
    """The classes of N texts.

    Args:
        probabilities: float64 (N, C), each row sums to 1.
        class_names: the C names.
    """

    probabilities: np.ndarray
    class_names: tuple[str, ...]

    @property
    def numbers(self) -> np.ndarray:
        """The number of the most probable class of each text, int (N,)."""
        return self.probabilities.argmax(axis=-1)

    @property
    def labels(self) -> list[str]:
        """The name of the most probable class of each text."""
        return [self.class_names[number] for number in self.numbers]

    @property
    def confidences(self) -> list[float]:
        """The probability of that class."""
        return self.probabilities.max(axis=-1).tolist()


def softmax(logits: np.ndarray) -> np.ndarray:
    """Return probabilities, float (N, C), without overflow.

    Example:
        >>> softmax(np.array([[1000.0, 1000.0]]))
        array([[0.5, 0.5]])
    """
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def prediction_table(examples: Examples, predictions: Predictions, ending: str = ".tsv") -> str:
    """Return a table of texts and predictions, which `read_examples` reads again.

    Args:
        examples: the texts.
        predictions: their predictions.
        ending: `.tsv` (tabs and line ends inside of a text become blanks), `.csv` or `.jsonl`.

    Returns:
        The columns `text`, `text_pair` and `label` (those that there are), `prediction` and `probability`.

    Raises:
        ValueError: another ending.

    Example:
        >>> predictions = Predictions(np.array([[0.25, 0.75]]), ("no", "yes"))
        >>> prediction_table(Examples(["fine"]), predictions)
        'text\\tprediction\\tprobability\\nfine\\tyes\\t0.750000\\n'
    """
    columns = {"text": examples.texts, "text_pair": examples.pairs, "label": examples.labels}
    columns |= {"prediction": predictions.labels}
    there = {name: column for name, column in columns.items() if column is not None}
    names = [*there, "probability"]
    rows = [
        [*cells, f"{confidence:.6f}"]
        for *cells, confidence in zip(*there.values(), predictions.confidences, strict=True)
    ]
    if ending == ".tsv":
        return "".join("\t".join(" ".join(cell.split()) for cell in row) + "\n" for row in [names, *rows])
    if ending == ".csv":
        content = io.StringIO()
        csv.writer(content, lineterminator="\n").writerows([names, *rows])
        return content.getvalue()
    if ending == ".jsonl":
        objects = ({**dict(zip(names, row, strict=True)), "probability": float(row[-1])} for row in rows)
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in objects)
    raise ValueError(f"Expected a table that ends in .tsv, .csv or .jsonl. Received: {ending!r}")


def check_ending(path: str | Path) -> str:
    """Return a table's ending, before anything is computed for it; a ValueError for one that can't be written."""
    ending = Path(path).suffix.lower()
    if ending not in (".tsv", ".csv", ".jsonl"):
        raise ValueError(f"Expected a file that ends in .tsv, .csv or .jsonl. Received: {path}")
    return ending

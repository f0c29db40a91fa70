"""Predictions for test files without labels, as the benchmarks' servers take them.

GLUE: a table of `index` and `prediction` for each task (https://gluebenchmark.com/faq). CLUE: JSON lines of `id` and
`label` (https://github.com/CLUEbenchmark/CLUE).
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True)
class Submission:
    """The file of one task.

    Args:
        file: its official name.
        layout: "glue" or "clue".
        score_range: the least and the greatest score; None for classes.
    """

    file: str
    layout: Literal["glue", "clue"] = "glue"
    score_range: tuple[float, float] | None = None


def submission_text(submission: Submission, ids: Sequence[str] | None, labels: Sequence[Any]) -> str:
    """Return what the file holds.

    Args:
        submission: the task's file.
        ids: what the test file calls each of the N rows; None numbers them from 0.
        labels: N names of classes, or N scores, which are cut to the task's range and rounded to three decimals.

    Raises:
        ValueError: another number of ids than of labels.

    Example:
        >>> submission_text(Submission("RTE.tsv"), ["0", "1"], ["entailment", "not_entailment"])
        'index\\tprediction\\n0\\tentailment\\n1\\tnot_entailment\\n'
    """
    ids = [str(number) for number in range(len(labels))] if ids is None else ids
    if len(ids) != len(labels):
        raise ValueError(f"Expected an id for each label. Received: {len(ids)} ids, {len(labels)} labels")
    if submission.score_range is not None:
        least, greatest = submission.score_range
        labels = [f"{min(greatest, max(least, float(score))):.3f}" for score in labels]
    if submission.layout == "glue":
        return "index\tprediction\n" + "".join(f"{id}\t{label}\n" for id, label in zip(ids, labels, strict=True))
    rows = ({"id": int(id) if id.isdecimal() else id, "label": label} for id, label in zip(ids, labels, strict=True))
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)

"""Small files of labelled rows of each kind that `--kind` names; a tiny model can learn every one of them."""

import json
from collections.abc import Sequence
from math import gcd
from pathlib import Path
from typing import Any

THINGS = ["train", "knife", "bank", "meal"]
NAMES = ["ada", "bob", "eve", "kim"]
GRADES = ["bad", "poor", "fair", "good"]
WORDS = [*THINGS, *NAMES, *GRADES, "sang", "danced", "who", "and", "left", "?", "."]
ROWS = 64
# Numbers of good and of bad words, no two with the same quotient.
SHARES = [(good, bad) for good in range(1, 8) for bad in range(1, 8) if gcd(good, bad) == 1]


def write_labelled_files(folder: Path, has_mistakes: bool) -> dict[str, Path]:
    """Write a file of each kind.

    Args:
        folder: where to.
        has_mistakes: whether every eighth label is wrong, so that a model that has learnt the others is not perfect.

    Returns:
        the path of each file by the word that `--kind` takes.
    """
    folder.mkdir()
    files = {}
    for kind, rows in (
        ("classification", _opinions()),
        ("multi-label", _topics()),
        ("regression", _grades()),
        ("tagging", _named_words()),
        ("multiple-choice", _choices()),
    ):
        label = "tags" if kind == "tagging" else "label"
        # Scores of equal words with unequal labels would make a rank correlation of the last digits.
        can_be_wrong = has_mistakes and kind != "regression"
        labels = [rows[row - 1 if can_be_wrong and row % 8 == 7 else row][label] for row in range(len(rows))]
        lines = [json.dumps({**row, label: value}) for row, value in zip(rows, labels, strict=True)]
        files[kind] = folder / f"{kind}.jsonl"
        files[kind].write_text("\n".join(lines), encoding="utf-8")
    for kind in ("span", "verifier"):
        files[kind] = folder / f"{kind}.json"
        files[kind].write_text(json.dumps(_questions(kind == "verifier", has_mistakes)), encoding="utf-8")
    return files


def _opinions() -> Sequence[dict[str, Any]]:
    return [
        {"text": f"{NAMES[row // 2 % 4]} and {THINGS[row // 8 % 4]}", "second": GRADES[row % 2 * 3], "label": row % 2}
        for row in range(ROWS)
    ]


def _topics() -> Sequence[dict[str, Any]]:
    labels = [[NAMES[position] for position in range(4) if row >> position & 1] for row in range(ROWS)]
    return [{"text": " and ".join([*names, THINGS[row % 4]]), "label": list(names)} for row, names in enumerate(labels)]


def _grades() -> Sequence[dict[str, Any]]:
    # The score is a share of words, so that no two outputs are equal but for their last digits, which would decide on
    # ranks.
    return [
        {"text": "good " * good + "bad " * bad, "second": "who ?", "label": round(5 * good / (good + bad), 3)}
        for good, bad in SHARES
    ]


def _named_words() -> Sequence[dict[str, Any]]:
    rows = []
    for row in range(ROWS):
        words = [NAMES[row % 4], "sang", "and", THINGS[row // 8 % 4], "left"]
        tags = ["B-PER", "O", "O", "B-OBJ", "O"]
        turn = row % 5
        rows.append({"words": words[turn:] + words[:turn], "tags": tags[turn:] + tags[:turn]})
    return rows


def _choices() -> Sequence[dict[str, Any]]:
    rows = []
    for row in range(ROWS):
        options = [f"good {THINGS[row // 8 % 4]}", f"bad {THINGS[row // 2 % 4]}"]
        options = options if row % 2 else options[::-1]
        rows.append(
            {"context": f"{NAMES[row // 4 % 4]} sang", "question": "who?", "options": options, "label": 1 - row % 2}
        )
    return rows


def _questions(has_unanswerable: bool, has_mistakes: bool) -> dict[str, Any]:
    """Return questions for who sang, in SQuAD's layout, or for who danced, which nobody did."""
    paragraphs = []
    for row in range(ROWS):
        is_impossible = has_unanswerable and row % 2 == 0
        context = f"{NAMES[row // 2 % 4]} sang and {THINGS[row // 8 % 4]} left."
        text = "left" if has_mistakes and row % 8 == 7 else context.split()[0]
        question = {
            "id": str(row),
            "question": "who danced?" if is_impossible else "who sang?",
            "answers": [] if is_impossible else [{"text": text, "answer_start": context.index(text)}],
            "is_impossible": is_impossible,
        }
        paragraphs.append({"context": context, "qas": [question]})
    return {"version": "v2.0", "data": [{"title": "singers", "paragraphs": paragraphs}]}

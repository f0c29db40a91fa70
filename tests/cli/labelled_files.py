"""A small file of labelled rows of each kind that `--kind` names; a tiny model can learn every one of them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

THINGS = ["train", "knife", "bank", "meal"]
NAMES = ["ada", "bob", "eve", "kim"]
GRADES = ["bad", "poor", "fair", "good"]
ROWS = 32


def write_labelled_files(folder: Path) -> dict[str, Path]:
    """Write the files; return the path of each by the word that `--kind` takes."""
    tables = {
        "classification": _opinions(),
        "multi-label": _topics(),
        "regression": _grades(),
        "tagging": _named_words(),
        "multiple-choice": _choices(),
    }
    files = {}
    for kind, rows in tables.items():
        files[kind] = folder / f"{kind}.jsonl"
        files[kind].write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    for kind, shared in (("span", False), ("verifier", True)):
        files[kind] = folder / f"{kind}.json"
        files[kind].write_text(json.dumps(_questions(has_unanswerable=shared)), encoding="utf-8")
    return files


def _opinions() -> Iterator[dict[str, Any]]:
    for row in range(ROWS):
        yield {"text": f"{NAMES[row // 2 % 4]} and {THINGS[row // 8]}", "second": GRADES[row % 2 * 3], "label": row % 2}


def _topics() -> Iterator[dict[str, Any]]:
    for row in range(ROWS):
        names = [NAMES[position] for position in range(4) if row >> position & 1]
        yield {"text": " and ".join([*names, THINGS[row % 4]]), "label": names}


def _grades() -> Iterator[dict[str, Any]]:
    for row in range(ROWS):
        yield {"text": f"{GRADES[row % 4]} {THINGS[row // 8]}", "second": NAMES[row // 4 % 4], "label": row % 4 + 0.5}


def _named_words() -> Iterator[dict[str, Any]]:
    for row in range(ROWS):
        yield {
            "words": [NAMES[row % 4], "sang", "and", THINGS[row // 8], NAMES[row // 4 % 4]],
            "tags": ["B-PER", "O", "O", "B-OBJ", "B-PER"],
        }


def _choices() -> Iterator[dict[str, Any]]:
    for row in range(ROWS):
        good, bad = f"good {THINGS[row // 8]}", f"bad {THINGS[row // 2 % 4]}"
        options = [good, bad] if row % 2 else [bad, good]
        yield {"context": f"{NAMES[row // 4 % 4]} sang", "question": "who?", "options": options, "label": 1 - row % 2}


def _questions(has_unanswerable: bool) -> dict[str, Any]:
    """Return who sang, in SQuAD's layout; nobody danced."""
    paragraphs = []
    for row in range(ROWS):
        is_impossible = has_unanswerable and row % 2 == 0
        name = NAMES[row // 2 % 4]
        question = {
            "id": str(row),
            "question": "who danced?" if is_impossible else "who sang?",
            "answers": [] if is_impossible else [{"text": name, "answer_start": 0}],
            "is_impossible": is_impossible,
        }
        paragraphs.append({"context": f"{name} sang and {THINGS[row // 8]} left.", "qas": [question]})
    return {"version": "v2.0", "data": [{"title": "singers", "paragraphs": paragraphs}]}

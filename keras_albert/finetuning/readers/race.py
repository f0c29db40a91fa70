"""Reading RACE's layout: a folder for each split, in it one for each level, in these passages with their questions.

`RaceProcessor` of google-research/albert race_utils.py, which wants the passages of a level joined in `all.txt`.
"""

from pathlib import Path
from typing import Any

from keras_albert.finetuning.readers.choices import (
    ChoiceCollector,
    ChoiceExamples,
    check_options,
    letter_position,
)
from keras_albert.finetuning.readers.json_members import member, shown
from keras_albert.finetuning.readers.json_objects import json_objects

_LEVELS = ("middle", "high")  # Google's order; other folders follow by name
_ENDINGS = (".txt", ".jsonl", ".json")


def read_race(folder: str | Path, split: str) -> ChoiceExamples:
    """Read a split of RACE, or of other data in its layout.

    Each passage is an object with `article`, `questions`, `options` (a list for each question), `answers` (a letter for
    each question; a test split may lack them) and `id`. It stands in a file of its own or with others in one file. A
    level that has a file `all.txt` (or `all.jsonl`) is read from that alone.

    Args:
        folder: the folder of the splits.
        split: `train`, `dev` or `test`: the name of a folder in it.

    Returns:
        The questions, passages by level and number. `levels` holds the folder of each, and `ids` the passage's id
        and the question's number from 1: `high1.txt-2`.

    Raises:
        FileNotFoundError: there is no such folder.
        ValueError: no passage in it, not JSON, lists of different lengths in a passage, an article that is missing, no
            list of at least two options, or an answer that is no letter of them; with the file, line and question.

    Example:
        >>> import json, tempfile
        >>> passage = {"id": "high1.txt", "article": "It rains.", "questions": ["It is _ ."]}
        >>> passage |= {"options": [["dry", "wet"]], "answers": ["B"]}
        >>> folder = Path(tempfile.mkdtemp())
        >>> (folder / "dev" / "high").mkdir(parents=True)
        >>> _ = (folder / "dev" / "high" / "1.txt").write_text(json.dumps(passage), encoding="utf-8")
        >>> rows = read_race(folder, "dev")
        >>> rows.labels, rows.ids, rows.levels
        ([1], ['high1.txt-1'], ['high'])
    """
    root = Path(folder) / split
    if not root.is_dir():
        raise FileNotFoundError(f"There is no folder {root}. Expected RACE's layout, {root}/middle/1.txt for example.")
    collector = ChoiceCollector(str(root))
    levels = sorted((path for path in root.iterdir() if path.is_dir()), key=_order_of_level)
    for level in levels:
        for path in _passage_files(level):
            for line, passage in json_objects(path):
                _add_passage(collector, passage, level.name, path, f"{path}, line {line}")
    if not collector.contexts:
        raise ValueError(f"Expected passages in folders of {root}, {root}/middle/1.txt for example. Received: none")
    return collector.examples()


def _order_of_level(path: Path) -> tuple[int, str]:
    return _LEVELS.index(path.name) if path.name in _LEVELS else len(_LEVELS), path.name


def _passage_files(level: Path) -> list[Path]:
    files = [path for path in level.iterdir() if path.suffix in _ENDINGS and not path.name.startswith(".")]
    joined = [path for path in files if path.stem == "all"]
    return sorted(joined or files, key=_order_of_file)


def _order_of_file(path: Path) -> tuple[int, str]:
    return int(path.stem) if path.stem.isdecimal() else 0, path.name


def _add_passage(collector: ChoiceCollector, passage: Any, level: str, path: Path, where: str) -> None:
    article = member(passage, "article", str, where)
    if not article.strip():
        raise ValueError(f"{where}: expected an article with text. Received: {shown(article)}")
    columns = {name: member(passage, name, list, where) for name in ("questions", "options")}
    if passage.get("answers") is not None:
        columns["answers"] = member(passage, "answers", list, where)
    _check_lengths(columns, where)
    name = str(passage.get("id", f"{level}/{path.name}"))
    for number, question in enumerate(columns["questions"], start=1):
        place = f"{where}: question {number}"
        options = columns["options"][number - 1]
        check_options(options, place)
        answer = columns["answers"][number - 1] if "answers" in columns else None
        label = None if "answers" not in columns else letter_position(answer, len(options), place)
        collector.add(article, question, options, label, f"{name}-{number}", level, place)


def _check_lengths(columns: dict[str, list[Any]], where: str) -> None:
    if len({len(column) for column in columns.values()}) > 1:
        received = ", ".join(f"{len(column)} {name}" for name, column in columns.items())
        raise ValueError(f"{where}: expected as many options and answers as questions. Received: {received}")

"""Reading C3, multiple choice on Chinese texts and dialogues (arXiv 1904.09679), as CLUE distributes it."""

import re
from pathlib import Path
from typing import Any

from keras_albert.finetuning.readers.choices import ChoiceCollector, ChoiceExamples, check_options
from keras_albert.finetuning.readers.json_members import member, read_json, shown

_LEVEL_OF = {"m": "mixed", "d": "dialogue"}
_LEVEL = re.compile(r"(?:^|-)([md])-")  # m-train.json, c3-d-dev.json


def read_c3(*paths: str | Path) -> ChoiceExamples:
    """Read questions from files of C3.

    A file is a list of `[paragraphs, questions, id]`. The context is the paragraphs (the turns of a dialogue), a line
    each; a question is an object with `question`, `choice` (a list of texts) and `answer` (the text of one of them; a
    test file may lack it).

    Args:
        *paths: `.json` files, such as `m-train.json` (mixed genres) and `d-train.json` (dialogues).

    Returns:
        The questions, in the order of the files. `levels` holds "mixed" or "dialogue" where every file's name has its
        `m-` or `d-`. `ids` holds the question's own id where it has one, else the text's and the question's number
        from 1.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: no file or no question; not JSON, another layout, fewer than two choices, or an answer that is none
            of them; with the file and the place.

    Example:
        >>> import json, tempfile
        >>> question = {"question": "天气怎么样?", "choice": ["晴", "雨"], "answer": "雨"}
        >>> content = [[["男:下雨了。", "女:是啊。"], [question], "1-1"]]
        >>> path = Path(tempfile.mkdtemp()) / "d-dev.json"
        >>> _ = path.write_text(json.dumps(content), encoding="utf-8")
        >>> rows = read_c3(path)
        >>> rows.labels, rows.levels, rows.contexts
        ([1], ['dialogue'], ['男:下雨了。\\n女:是啊。'])
    """
    if not paths:
        raise ValueError('Expected files of C3: read_c3("m-train.json", "d-train.json"). Received: none')
    marks = [_LEVEL.search(Path(path).name) for path in paths]
    has_levels = all(marks)
    collector = ChoiceCollector(" and ".join(map(str, paths)))
    for path, mark in zip(paths, marks, strict=True):
        level = _LEVEL_OF[mark.group(1)] if has_levels and mark else None
        content = read_json(path)
        if not isinstance(content, list):
            raise ValueError(f"{path}: expected a list of [paragraphs, questions, id]. Received: {shown(content)}")
        for number, entry in enumerate(content):
            _add_text(collector, entry, level, f"{path}: [{number}]")
    return collector.examples()


def _add_text(collector: ChoiceCollector, entry: Any, level: str | None, where: str) -> None:
    if not isinstance(entry, list) or len(entry) < 2 or not all(isinstance(part, list) for part in entry[:2]):
        raise ValueError(f"{where}: expected [paragraphs, questions, id]. Received: {shown(entry)}")
    paragraphs, questions = entry[:2]
    if not paragraphs or not all(isinstance(paragraph, str) for paragraph in paragraphs):
        raise ValueError(f"{where}: expected paragraphs as a list of texts. Received: {shown(paragraphs)}")
    name = str(entry[2]) if len(entry) > 2 else str(len(collector.contexts))
    for number, content in enumerate(questions, start=1):
        place = f"{where}, question {number}"
        question = member(content, "question", str, place)
        options = member(content, "choice", list, place)
        check_options(options, place)
        answer = content.get("answer")
        if answer not in (None, "", *options):
            raise ValueError(f"{place}: expected an answer that is one of {shown(options)}. Received: {shown(answer)}")
        label = options.index(answer) if answer in options else None
        id = str(content.get("id", f"{name}-{number}"))
        collector.add("\n".join(paragraphs), question, options, label, id, level, place)

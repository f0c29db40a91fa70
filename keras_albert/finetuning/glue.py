"""GLUE's tasks in the files and columns that GLUE gives them.

`Sst2Processor` of google-research/albert classifier_utils.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from keras_albert.finetuning.examples import Examples
from keras_albert.finetuning.readers import read_examples

Split = Literal["train", "dev", "test"]


@dataclass(frozen=True)
class GlueTask:
    """How one task lies on disk.

    Args:
        name: what the user writes.
        text: the column of the texts, in each of `train.tsv`, `dev.tsv` and `test.tsv`.
        label: the column of the labels, which `test.tsv` lacks.
        class_names: the classes, in the order of Google's numbers.
    """

    name: str
    text: str
    label: str
    class_names: tuple[str, ...]


GLUE_TASKS: Mapping[str, GlueTask] = MappingProxyType(
    {task.name: task for task in (GlueTask("sst-2", text="sentence", label="label", class_names=("0", "1")),)}
)


def glue_task(name: str) -> GlueTask:
    """Return a task by its name, in either case; a ValueError lists the names that there are."""
    if name.lower() not in GLUE_TASKS:
        raise ValueError(f"Expected one of the tasks {', '.join(GLUE_TASKS)}. Received: task={name!r}")
    return GLUE_TASKS[name.lower()]


def read_glue(task: GlueTask, folder: str | Path, split: Split) -> Examples:
    """Read one part of a task.

    Args:
        task: the task.
        folder: the directory with `train.tsv`, `dev.tsv` and `test.tsv`.
        split: which of them; the test part comes without labels.

    Raises:
        FileNotFoundError: the directory or the file is not there.
        ValueError: the file is not as GLUE's, or a label is no class; see `read_examples`.
    """
    path = Path(folder) / f"{split}.tsv"
    if not path.is_file():
        found = sorted(entry.name for entry in Path(folder).iterdir()) if Path(folder).is_dir() else None
        there = "no such directory" if found is None else ", ".join(found[:20]) or "nothing"
        raise FileNotFoundError(f"Expected {path.name} of GLUE's {task.name} in {folder}. Received: {there}")
    examples = read_examples(path, text=task.text, label=None if split == "test" else task.label)
    if examples.labels is not None:
        examples.label_numbers(task.class_names)  # raises where a label is no class
    return examples

"""The one list of data sets that have names: how each lies on disk, what kind of task it is, and Google's settings.

`processors` of google-research/albert run_classifier.py, run_squad_v1.py, run_squad_v2.py and run_race.py.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from keras_albert.finetuning.kinds.classification import Classification
from keras_albert.finetuning.kinds.kind import Kind
from keras_albert.finetuning.kinds.multiple_choice import MultipleChoice
from keras_albert.finetuning.kinds.question_answering import QuestionAnswering
from keras_albert.finetuning.kinds.regression import Regression
from keras_albert.finetuning.kinds.tagging import Tagging
from keras_albert.finetuning.readers.c3 import read_c3
from keras_albert.finetuning.readers.clue import CLUE_LAYOUTS
from keras_albert.finetuning.readers.cluener import read_cluener
from keras_albert.finetuning.readers.conll import read_conll
from keras_albert.finetuning.readers.glue import GLUE_LAYOUTS
from keras_albert.finetuning.readers.layouts import Layout
from keras_albert.finetuning.readers.race import read_race
from keras_albert.finetuning.readers.rows import Rows
from keras_albert.finetuning.readers.squad_json import read_questions
from keras_albert.finetuning.recipes import RECIPES, Recipe
from keras_albert.finetuning.submission import Submission
from keras_albert.finetuning.task_files import Files, files_of_splits, find_files


@dataclass(frozen=True)
class NamedTask:
    """A data set that has a name.

    Args:
        name: what a user writes.
        title: its name in print.
        kind: the kind of task, with the classes and the main figure.
        files: the names of each split's files or folders, the official one first.
        reader: reads them; a `Layout` reads one file.
        folder: the official name of its folder, which is looked into where the files are not in the given one.
        recipe: Google's settings; None where there are none.
        submission: the file that its server takes; None where there is none.
        joint: whether every file that is found is read, and not the first alone.
    """

    name: str
    title: str
    kind: Kind
    files: Files
    reader: Layout | Callable[..., Rows]
    folder: str = ""
    recipe: Recipe | None = None
    submission: Submission | None = None
    joint: bool = False

    def read(self, source: str | Path, split: str, max_rows: int | None = None, seed: int = 0) -> Rows:
        """Read one split.

        Args:
            source: the task's folder, the one above it, or a file.
            split: "train", "dev" or "test"; test files may lack labels.
            max_rows: how many rows to keep at most, drawn at random; None for all.
            seed: the same seed draws the same rows.

        Raises:
            FileNotFoundError: none of the split's files is there.
            ValueError: no such split, or a file that is not in the official layout.
        """
        paths = find_files(Path(source), self.title, self.files, split, self.folder)
        if isinstance(self.reader, Layout):
            return self.reader.read(paths[0], split != "test", max_rows, seed)
        rows = self.reader(*(paths if self.joint else paths[:1]))
        return rows.sample(max_rows, seed)


def named_task(name: str) -> NamedTask:
    """Return a task by its name, whatever its case and separators; a ValueError lists the names.

    Example:
        >>> named_task("SST2").name, named_task("MNLI-mm").title
        ('sst-2', 'MNLI, mismatched')
    """
    key = _key(name)
    found = {_key(task): task for task in NAMED_TASKS} | _OTHER_NAMES
    if key not in found:
        raise ValueError(f"Expected one of the tasks {', '.join(NAMED_TASKS)}. Received: task={name!r}")
    return NAMED_TASKS[found[key]]


def _key(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


_OTHER_NAMES = {
    "sst": "sst-2",
    "sts": "sts-b",
    "mnlim": "mnli",
    "mnlimatched": "mnli",
    "mnlimismatched": "mnli-mm",
    "mismnli": "mnli-mm",
    "diagnostic": "ax",
    "squad1": "squad-1.1",
    "squadv1": "squad-1.1",
    "squadv11": "squad-1.1",
    "squad2": "squad-2.0",
    "squadv2": "squad-2.0",
    "squadv20": "squad-2.0",
    "conll": "conll-2003",
    "ner": "conll-2003",
    "wnut": "wnut-17",
    "wnut2017": "wnut-17",
    "cmrc": "cmrc-2018",
}


def _glue(name: str, title: str, main_metric: str | None = None, **more: object) -> NamedTask:
    layout = GLUE_LAYOUTS[name]
    kind = Regression() if layout.class_names is None else Classification(main_metric, class_names=layout.class_names)
    options = {"files": files_of_splits("{}.tsv"), "folder": title, "submission": Submission(f"{title}.tsv")} | more
    return NamedTask(name, title, kind, reader=layout, recipe=RECIPES.get(name), **options)  # type: ignore[arg-type]


def _clue(name: str, title: str, file: str | None, files: Files | None = None) -> NamedTask:
    layout = CLUE_LAYOUTS[name]
    submission = None if file is None else Submission(file, "clue")
    kind = Classification(class_names=layout.class_names)
    return NamedTask(name, title, kind, files or files_of_splits("{}.json"), layout, name, submission=submission)


def _squad(name: str, title: str, version: str, kind: QuestionAnswering) -> NamedTask:
    return NamedTask(name, title, kind, files_of_splits(f"{{}}-v{version}.json"), read_questions, recipe=RECIPES[name])


def _read_race(split: Path) -> Rows:
    return read_race(split.parent, split.name)


_MISMATCHED: Files = {"train": ("train.tsv",), "dev": ("dev_mismatched.tsv",), "test": ("test_mismatched.tsv",)}
_TASKS = (
    _glue("cola", "CoLA", main_metric="matthews"),
    _glue("sst-2", "SST-2"),
    _glue(
        "mrpc",
        "MRPC",
        files={
            "train": ("train.tsv", "msr_paraphrase_train.txt"),
            "dev": ("dev.tsv",),
            "test": ("test.tsv", "msr_paraphrase_test.txt"),
        },
    ),
    _glue("sts-b", "STS-B", submission=Submission("STS-B.tsv", score_range=(0.0, 5.0))),
    _glue("qqp", "QQP"),
    _glue(
        "mnli",
        "MNLI",
        files={"train": ("train.tsv",), "dev": ("dev_matched.tsv",), "test": ("test_matched.tsv",)},
        submission=Submission("MNLI-m.tsv"),
    ),
    _glue("mnli-mm", "MNLI, mismatched", files=_MISMATCHED, folder="MNLI", submission=Submission("MNLI-mm.tsv")),
    _glue("qnli", "QNLI"),
    _glue("rte", "RTE"),
    _glue("wnli", "WNLI"),
    _glue("ax", "AX", main_metric="matthews", files={"test": ("diagnostic.tsv", "AX.tsv")}, folder="diagnostic"),
    _squad("squad-1.1", "SQuAD 1.1", "1.1", QuestionAnswering()),
    _squad("squad-2.0", "SQuAD 2.0", "2.0", QuestionAnswering(head="verifier")),
    NamedTask("race", "RACE", MultipleChoice(), files_of_splits("{}"), _read_race, "RACE", RECIPES["race"]),
    NamedTask(
        "conll-2003",
        "CoNLL 2003",
        Tagging(),
        {
            "train": ("eng.train", "train.txt", "train.conll"),
            "dev": ("eng.testa", "valid.txt", "dev.txt", "dev.conll", "valid.conll"),
            "test": ("eng.testb", "test.txt", "test.conll"),
        },
        read_conll,
    ),
    NamedTask(
        "wnut-17",
        "WNUT 17",
        Tagging(),
        {"train": ("wnut17train.conll",), "dev": ("emerging.dev.conll",), "test": ("emerging.test.annotated",)},
        read_conll,
    ),
    NamedTask("cluener", "CLUENER", Tagging(), files_of_splits("{}.json"), read_cluener),
    _clue("tnews", "TNEWS", "tnews11_predict.json"),
    _clue("afqmc", "AFQMC", "afqmc_predict.json"),
    _clue(
        "ocnli",
        "OCNLI",
        "ocnli_50k_predict.json",
        {"train": ("train.50k.json", "train.json"), "dev": ("dev.json",), "test": ("test.json",)},
    ),
    _clue("cmnli", "CMNLI", "cmnli_predict.json"),
    NamedTask(
        "cmrc-2018",
        "CMRC 2018",
        QuestionAnswering(normalization="cmrc"),
        {split: (f"cmrc2018_{split}.json", f"{split}.json") for split in ("train", "dev", "test")},
        read_questions,
    ),
    NamedTask(
        "c3",
        "C3",
        MultipleChoice(),
        {split: (f"m-{split}.json", f"d-{split}.json") for split in ("train", "dev", "test")},
        read_c3,
        joint=True,
    ),
    _clue("lcqmc", "LCQMC", None, {split: (f"{split}.txt", f"{split}.tsv") for split in ("train", "dev", "test")}),
)
NAMED_TASKS: Mapping[str, NamedTask] = MappingProxyType({task.name: task for task in _TASKS})

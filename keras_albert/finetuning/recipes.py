"""Google's settings of each task, for its official training set.

GLUE: run_glue.sh of google-research/albert. SQuAD and RACE: the commands of its README. WNLI, which run_glue.sh leaves
out: table 14 of the paper (appendix A.4). Encoder dropout stays the preset's own, as in those commands; table 14 has
0.1 for QQP, RTE, WNLI and RACE, and 0 for the others.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any


@dataclass(frozen=True)
class Recipe:
    """How Google fine-tunes on one task; None where it leaves a setting open.

    Args:
        learning_rate: the rate that the warm-up rises to.
        batch_size: rows in a batch.
        train_rows: rows of the official training set, which the steps are for.
        train_steps: steps of the training; None where `epochs` are given.
        warmup_steps: steps of the rise; None is a tenth of all steps.
        eval_steps: steps after which the dev rows are scored; None is an epoch.
        epochs: passes over the training rows; None where `train_steps` are given.
        max_sequence_length: tokens after which a text is truncated.
        preprocessor_options: more arguments of the task's preprocessor.
        task_options: more arguments of the task.
        note: what a comparison with published figures has to mind.
    """

    learning_rate: float
    batch_size: int
    train_rows: int
    train_steps: int | None = None
    warmup_steps: int | None = None
    eval_steps: int | None = None
    epochs: int | None = None
    max_sequence_length: int = 512
    preprocessor_options: Mapping[str, Any] = field(default_factory=dict)
    task_options: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""

    def settings(self, train_rows: int) -> dict[str, Any]:
        """Return arguments of `FineTuning` for a training set of another size: the same passes over fewer rows.

        Steps shrink in proportion where there are fewer rows than in the official set, and stay where there are more.
        The warm-up stays shorter than the training.

        Args:
            train_rows: rows of the training set, at least 1.

        Example:
            >>> settings = RECIPES["cola"].settings(train_rows=855)
            >>> settings["train_steps"], settings["warmup_steps"], settings["eval_steps"]
            (534, 32, 10)
        """
        if train_rows < 1:
            raise ValueError(f"Expected at least one training row. Received: train_rows={train_rows}")
        share = min(1.0, train_rows / self.train_rows)
        steps = {
            name: max(1, round(value * share))
            for name in ("train_steps", "warmup_steps", "eval_steps")
            if (value := getattr(self, name)) is not None
        }
        if "train_steps" in steps and "warmup_steps" in steps:
            steps["warmup_steps"] = min(steps["warmup_steps"], steps["train_steps"] - 1)
        return {
            "learning_rate": self.learning_rate,
            "batch_size": self.batch_size,
            "epochs": self.epochs,
            "max_sequence_length": self.max_sequence_length,
            "preprocessor_options": dict(self.preprocessor_options),
            "task_options": dict(self.task_options),
            **steps,
        }


_FROM_MNLI = (
    "The paper's figures start from a model fine-tuned on MNLI, not from the pretrained one (section 4.9, note 4)."
)
# A single dev score says little: the paper's are the median of five runs.
_SMALL = "The paper reports the median of five runs; with few rows, runs differ by several points."


def _glue(warmup_steps: int, learning_rate: float, train_steps: int, eval_steps: int, batch_size: int, rows: int,
          note: str = "") -> Recipe:  # fmt: skip
    """Return a line of run_glue.sh, in its order, and the number of training rows."""
    return Recipe(learning_rate, batch_size, rows, train_steps, warmup_steps, eval_steps, note=note)


def _squad(rows: int, note: str = "") -> Recipe:
    return Recipe(
        learning_rate=5e-5,
        batch_size=48,
        train_rows=rows,
        epochs=2,
        max_sequence_length=384,
        preprocessor_options={"doc_stride": 128, "max_question_length": 64},
        task_options={"n_best_size": 20, "max_answer_length": 30},
        note=note,
    )


# Numbers of training rows: CoLA, SST-2, STS-B, RTE, MRPC and WNLI were counted in GLUE's files; QNLI, QQP (rows with
# all columns) and MNLI are from the data card of nyu-mll/glue at huggingface.co. SQuAD's give table 14's steps: two
# epochs of 87,599 rows are 3,649 whole batches of 48, three of 130,319 are 8,144. RACE's is from its own paper.
RECIPES: Mapping[str, Recipe] = MappingProxyType(
    {
        "cola": _glue(320, 1e-5, 5336, 100, 16, 8551, _SMALL),
        "sst-2": _glue(1256, 1e-5, 20935, 100, 32, 67349),
        "mrpc": _glue(200, 2e-5, 800, 100, 32, 3668, f"{_FROM_MNLI} {_SMALL}"),
        "sts-b": _glue(214, 2e-5, 3598, 100, 16, 5749, _FROM_MNLI),
        "qqp": _glue(1000, 5e-5, 14000, 100, 128, 363846),
        "mnli": _glue(1000, 3e-5, 10000, 100, 128, 392702),
        "qnli": _glue(1986, 1e-5, 33112, 200, 32, 104743),
        "rte": _glue(200, 3e-5, 800, 100, 32, 2490, f"{_FROM_MNLI} {_SMALL}"),
        "wnli": Recipe(
            2e-5,
            16,
            635,
            2000,
            250,
            note="The paper changes the task for its submission (appendix A.3), not the rows here.",
        ),
        "squad-1.1": _squad(87599),
        "squad-2.0": _squad(130319, "Table 14 of the paper: rate 3e-5, 8,144 steps, 814 of them warm-up, length 512."),
        "race": Recipe(
            learning_rate=1e-5,
            batch_size=32,
            train_rows=87866,
            train_steps=12000,
            warmup_steps=1000,
            preprocessor_options={"max_option_length": 128},
            note="For version 2 models, without encoder dropout. Version 1: rate 2e-5, encoder dropout 0.1 (table 14).",
        ),
    }
)

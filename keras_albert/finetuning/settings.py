"""The settings of a fine-tuning run, and the steps that follow from them.

Defaults follow run_classifier.py and run_glue.sh of google-research/albert; paper appendix A.4.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from keras_albert.training import default_learning_rate

_POLICIES = ("float32", "mixed_bfloat16", "mixed_float16")
DEFAULT_EPOCHS = 3


@dataclass(frozen=True)
class FineTuning:
    """How to fine-tune a model.

    Args:
        preset: what to start from: anything that the task's `from_preset` takes.
        output: the folder to write; see `keras_albert.finetuning.finetune`.
        epochs: passes over the training rows; None is 3, or what `train_steps` come to.
        train_steps: steps of the training, instead of `epochs`.
        eval_steps: steps after which the dev rows are scored and the state is saved; None is an epoch.
        batch_size: rows in a batch.
        learning_rate: the rate that the warm-up rises to and that falls to 0 from there; None follows the model's width
            (`keras_albert.training.default_learning_rate`).
        recipe_learning_rate: Google's rate for the task, used where `learning_rate` is None: as it is by models at
            least 768 wide, times 768 / width by narrower ones, which it would not train.
        warmup_steps: steps of the rise; None is a tenth of all steps.
        patience: evaluations without a better one after which the training ends; None never ends it early.
        class_weights: "balanced", or the weight of each class by its name; None weighs every row alike.
        max_sequence_length: tokens after which a text is truncated; None is the model's number of positions.
        sequence_length: one fixed number of tokens for every batch (TPUs want one shape); None follows the batch.
        max_train_rows: how many training rows at most, drawn at random; None for all.
        seed: seed of the order, the dropout, the new head and the drawn rows, in [0, 2**32).
        dropout: hidden and attention dropout of the encoder, in [0, 1); None is the preset's own (0 in Google's v2).
        head_dropout: dropout before the head, in [0, 1); None is the task's own.
        dtype: "float32", or "mixed_bfloat16" or "mixed_float16" for accelerators.
        random_init: whether to start from random weights instead of the preset's.
        preprocessor_options: more arguments of the task's preprocessor, such as `doc_stride`.
        task_options: more arguments of the task, such as `max_answer_length`.
        overwrite: whether an output folder that is there is replaced, and an unfinished run is dropped.

    Raises:
        ValueError: a value out of its range.
    """

    preset: str
    output: str
    epochs: int | None = None
    train_steps: int | None = None
    eval_steps: int | None = None
    batch_size: int = 32
    learning_rate: float | None = None
    recipe_learning_rate: float | None = None
    warmup_steps: int | None = None
    patience: int | None = None
    class_weights: str | Mapping[str, float] | None = None
    max_sequence_length: int | None = None
    sequence_length: int | None = None
    max_train_rows: int | None = None
    seed: int = 0
    dropout: float | None = None
    head_dropout: float | None = None
    dtype: str = "float32"
    random_init: bool = False
    preprocessor_options: Mapping[str, Any] = field(default_factory=dict)
    task_options: Mapping[str, Any] = field(default_factory=dict)
    overwrite: bool = False

    def __post_init__(self) -> None:
        """Check every range before anything is loaded."""
        for name in ("epochs", "train_steps", "eval_steps", "batch_size", "max_train_rows", "patience"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ValueError(f"Expected {name} to be at least 1. Received: {name}={value}")
        if self.epochs is not None and self.train_steps is not None:
            raise ValueError(
                f"Pass either epochs or train_steps. Received: epochs={self.epochs}, train_steps={self.train_steps}"
            )
        for name in ("learning_rate", "recipe_learning_rate"):
            rate = getattr(self, name)
            if rate is not None and not (rate > 0 and math.isfinite(rate)):
                raise ValueError(f"Expected a positive {name}. Received: {name}={rate}")
        if self.warmup_steps is not None and self.warmup_steps < 0:
            raise ValueError(f"Expected warmup_steps to be at least 0. Received: warmup_steps={self.warmup_steps}")
        if not 0 <= self.seed < 2**32:
            raise ValueError(f"Expected a seed from 0 to 2**32 - 1. Received: seed={self.seed}")
        for name in ("dropout", "head_dropout"):
            value = getattr(self, name)
            if value is not None and not 0 <= value < 1:
                raise ValueError(f"Expected {name} in [0, 1). Received: {name}={value}")
        if self.dtype not in _POLICIES:
            raise ValueError(f"Expected dtype to be one of {', '.join(_POLICIES)}. Received: dtype={self.dtype!r}")

    def rate(self, hidden_dim: int) -> float:
        """Return the highest rate for a model of that width.

        Example:
            >>> google = FineTuning("albert_base", "run", recipe_learning_rate=1e-5)
            >>> google.rate(768), google.rate(4096), google.rate(96), FineTuning("albert_base", "run").rate(768)
            (1e-05, 1e-05, 8e-05, 2e-05)
        """
        if self.learning_rate is not None:
            return self.learning_rate
        if self.recipe_learning_rate is not None:
            return self.recipe_learning_rate * max(1.0, 768 / hidden_dim)
        return default_learning_rate(hidden_dim)

    def steps(self, batches: int) -> "Steps":
        """Return the steps of the run.

        Args:
            batches: batches in a pass over the training rows.

        Raises:
            ValueError: the warm-up would last as long as the run.

        Example:
            >>> FineTuning("albert_base", "run", epochs=3).steps(batches=32)
            Steps(total=96, warmup=9, in_epoch=32, in_round=32)
        """
        total = self.train_steps or (self.epochs or DEFAULT_EPOCHS) * batches
        warmup = total // 10 if self.warmup_steps is None else self.warmup_steps
        if warmup >= total:
            raise ValueError(
                f"Expected the warm-up to be shorter than the training, which has {total:,} steps "
                f"({batches:,} in an epoch, in batches of {self.batch_size}). Received: warmup_steps={warmup:,}"
            )
        return Steps(total, warmup, batches, min(self.eval_steps or batches, total))


@dataclass(frozen=True)
class Steps:
    """The steps of a run; it goes in rounds, after each of which the dev rows are scored.

    Args:
        total: of the whole run.
        warmup: of the warm-up.
        in_epoch: of a pass over the training rows.
        in_round: from one evaluation to the next; the last round may be shorter.
    """

    total: int
    warmup: int
    in_epoch: int
    in_round: int

    @property
    def rounds(self) -> int:
        """The number of rounds."""
        return math.ceil(self.total / self.in_round)

    def of_round(self, number: int) -> range:
        """Return the steps of a round, counted from 0."""
        return range(number * self.in_round, min((number + 1) * self.in_round, self.total))

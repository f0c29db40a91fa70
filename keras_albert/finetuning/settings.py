"""The settings of a fine-tuning run.

Defaults follow run_classifier.py and run_glue.sh of google-research/albert; paper appendix A.4.
"""

import math
from dataclasses import dataclass

_POLICIES = ("float32", "mixed_bfloat16", "mixed_float16")


@dataclass(frozen=True)
class FineTuning:
    """How to fine-tune a classifier.

    Args:
        preset: what to start from: anything that `AlbertClassifier.from_preset` takes.
        output: the folder to write; see `keras_albert.finetuning.finetune`.
        epochs: passes over the training rows.
        batch_size: rows in a batch.
        learning_rate: the rate that the warm-up rises to and that falls to 0 from there; None follows the model's width
            (`keras_albert.training.default_learning_rate`).
        warmup_steps: steps of the rise; None is a tenth of all steps.
        max_sequence_length: tokens after which a text is truncated; None is the model's number of positions.
        sequence_length: one fixed number of tokens for every batch (TPUs want one shape); None follows the batch.
        max_train_rows: how many training rows at most, drawn at random; None for all.
        seed: seed of the order, the dropout, the new head and the drawn rows, in [0, 2**32).
        dropout: hidden and attention dropout of the encoder, in [0, 1); None is the preset's own (0 in Google's v2).
        classifier_dropout: dropout before the classifier's head, in [0, 1).
        dtype: "float32", or "mixed_bfloat16" or "mixed_float16" for accelerators.
        overwrite: whether an output folder that is there is replaced.

    Raises:
        ValueError: a value out of its range.
    """

    preset: str
    output: str
    epochs: int = 3
    batch_size: int = 32
    learning_rate: float | None = None
    warmup_steps: int | None = None
    max_sequence_length: int | None = None
    sequence_length: int | None = None
    max_train_rows: int | None = None
    seed: int = 0
    dropout: float | None = None
    classifier_dropout: float = 0.1
    dtype: str = "float32"
    overwrite: bool = False

    def __post_init__(self) -> None:
        """Check every range before anything is loaded."""
        for name in ("epochs", "batch_size", "max_train_rows"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ValueError(f"Expected {name} to be at least 1. Received: {name}={value}")
        if self.learning_rate is not None and not (self.learning_rate > 0 and math.isfinite(self.learning_rate)):
            raise ValueError(f"Expected a positive learning_rate. Received: learning_rate={self.learning_rate}")
        if self.warmup_steps is not None and self.warmup_steps < 0:
            raise ValueError(f"Expected warmup_steps to be at least 0. Received: warmup_steps={self.warmup_steps}")
        if not 0 <= self.seed < 2**32:
            raise ValueError(f"Expected a seed from 0 to 2**32 - 1. Received: seed={self.seed}")
        for name in ("dropout", "classifier_dropout"):
            value = getattr(self, name)
            if value is not None and not 0 <= value < 1:
                raise ValueError(f"Expected {name} in [0, 1). Received: {name}={value}")
        if self.dtype not in _POLICIES:
            raise ValueError(f"Expected dtype to be one of {', '.join(_POLICIES)}. Received: dtype={self.dtype!r}")

    def steps(self, train_rows: int) -> tuple[int, int]:
        """Return the steps of the whole run and of its warm-up.

        Args:
            train_rows: the number of training rows.

        Raises:
            ValueError: the warm-up would last as long as the run.

        Example:
            >>> FineTuning("albert_base", "run", epochs=3, batch_size=32).steps(train_rows=1000)
            (96, 9)
        """
        total = self.epochs * math.ceil(train_rows / self.batch_size)
        warmup = total // 10 if self.warmup_steps is None else self.warmup_steps
        if warmup >= total:
            raise ValueError(
                f"Expected the warm-up to be shorter than the training, which has {total:,} steps "
                f"({self.epochs} epochs of {train_rows:,} rows in batches of {self.batch_size}). "
                f"Received: warmup_steps={warmup:,}"
            )
        return total, warmup

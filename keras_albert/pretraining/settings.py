"""The settings of a pretraining run: each is a key of the configuration file and a flag of the command line.

Defaults follow create_pretraining_data.py and run_pretraining.py of google-research/albert; paper section 4.1.
"""

import math
from dataclasses import dataclass, field, fields
from typing import Any

POLICIES = ("float32", "mixed_bfloat16", "mixed_float16")
OPTIMIZERS = ("lamb", "adamw")
PAIRS = ("sentence_order", "google", "next_sentence", "none")
HELD_OUT = "held_out_"  # before the names of figures on held-out rows
# ALBERT-base, where no size is given (paper, Table 1).
BASE_SIZES = {
    "num_layers": 12, "num_heads": 12, "hidden_dim": 768, "intermediate_dim": 3072, "embedding_dim": 128,
    "sharing": "all", "num_groups": 1, "num_inner_repetitions": 1, "max_sequence_length": 512, "activation": "gelu",
    "initializer_range": 0.02,
}  # fmt: skip
# Google's rate for batches of 4,096 rows (run_pretraining.py); LAMB's goes with the square root of the batch.
_LAMB_RATE, _LAMB_BATCH = 0.00176, 4096
_ADAMW_RATE = 1e-4


def _key(default: Any, text: str, group: str) -> Any:
    return field(default=default, metadata={"help": text, "group": group})


def _data(default: Any, text: str) -> Any:
    return _key(default, text, "Data")


def _model(default: Any, text: str) -> Any:
    return _key(default, text, "Model")


def _training(default: Any, text: str) -> Any:
    return _key(default, text, "Training")


@dataclass(frozen=True)
class Pretraining:
    """How to pretrain a model.

    Each field's meaning stands in its metadata, which `keras-albert pretrain --help` shows.

    Raises:
        ValueError: a value out of its range.
    """

    data: str = _data("", "Folder that build-data wrote, or TFRecord files of Google's features (a glob).")
    output: str = _data("", "The run's folder; the same call after a kill goes on in it.")
    tokenizer: str | None = _data(None, "Preset or vocabulary of TFRecord files; documents have their own.")
    held_out_data: str | None = _data(None, "Folder or files to evaluate on, instead of a share of the data.")
    held_out_share: float = _data(0.01, "Share of the documents that is held out for evaluation.")
    pairs: str = _data("sentence_order", "How pairs are made: sentence_order, google, next_sentence or none.")
    sequence_length: int = _data(512, "Tokens of a row, special ones included.")
    short_sequences: float = _data(0.1, "Share of rows that are aimed at a random shorter length.")
    mask_share: float = _data(0.15, "Share of the tokens that are predicted.")
    max_masks: int | None = _data(None, "Slots for predictions in a row. By default that share of a row; Google: 20.")
    max_ngram: int = _data(3, "Longest run of words that is masked together.")
    favor_shorter_ngrams: bool = _data(
        True, "Whether n words are drawn with probability 1/n; else the other way round."
    )
    whole_words: bool = _data(True, "Whether words are masked whole.")
    permutation: bool = _data(False, "Whether as many tokens again are permuted and predicted.")
    shuffled_instances: int = _data(20_000, "Rows that are drawn from at random, in memory.")

    init_from: str | None = _model(None, "Preset or checkpoint to go on from, instead of random weights.")
    init_from_group0: bool = _model(False, "Whether every group starts as the first group of init_from.")
    num_layers: int | None = _model(None, "Layers.")
    num_heads: int | None = _model(None, "Attention heads.")
    hidden_dim: int | None = _model(None, "Width of the encoder.")
    intermediate_dim: int | None = _model(None, "Width inside the feed-forward block.")
    embedding_dim: int | None = _model(None, "Width of the embedding.")
    sharing: str | None = _model(None, "What layers share: all, attention, feed_forward or none.")
    num_groups: int | None = _model(None, "Groups of layers.")
    num_inner_repetitions: int | None = _model(None, "Blocks in a group.")
    max_sequence_length: int | None = _model(None, "Positions.")
    activation: str | None = _model(None, "Activation of the feed-forward block.")
    initializer_range: float | None = _model(None, "Standard deviation of the first kernels.")
    hidden_dropout: float = _model(0.0, "Dropout after embedding and blocks.")
    attention_dropout: float = _model(0.0, "Dropout on the attention.")

    optimizer: str = _training("lamb", "lamb or adamw, both as Google's.")
    learning_rate: float | None = _training(
        None, "Highest rate. By default Google's for LAMB, 0.00176 at batches of 4,096, by the batch's square root."
    )
    train_steps: int = _training(125_000, "Updates of the weights.")
    warmup_steps: int | None = _training(None, "Steps until the highest rate. By default a fortieth of all.")
    power: float = _training(1.0, "Exponent of the decay; 1 is linear.")
    weight_decay: float = _training(0.01, "Decay of the kernels.")
    clip_norm: float = _training(1.0, "Largest norm of all gradients together.")
    batch_size: int = _training(32, "Rows that are computed together.")
    gradient_accumulation_steps: int = _training(1, "Batches that make one step.")
    dtype: str = _training("float32", "float32, mixed_bfloat16 or mixed_float16.")
    remat: bool = _training(False, "Whether layers are computed twice to save memory.")
    eval_steps: int = _training(1000, "Steps after which the held-out rows are scored and the state is saved.")
    eval_batches: int = _training(50, "Batches of held-out rows at most.")
    log_steps: int = _training(100, "Steps that a logged figure is the mean of.")
    keep_checkpoints: int = _training(2, "Last states that are kept, beside the best.")
    seed: int = _training(0, "Seed of everything that is random.")
    overwrite: bool = _training(False, "Whether a run that is there is replaced.")

    def __post_init__(self) -> None:
        """Check every range before anything is read."""
        for name in ("data", "output"):
            if not getattr(self, name):
                raise ValueError(f"Expected {name} to be named. Received: {name}={getattr(self, name)!r}")
        counts = ("train_steps", "batch_size", "gradient_accumulation_steps", "eval_steps", "eval_batches", "log_steps")
        for name in (*counts, "keep_checkpoints", "max_ngram", "shuffled_instances", "max_masks"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ValueError(f"Expected {name} to be at least 1. Received: {name}={value}")
        for name in ("held_out_share", "short_sequences", "hidden_dropout", "attention_dropout"):
            if not 0 <= getattr(self, name) < 1:
                raise ValueError(f"Expected {name} in [0, 1). Received: {name}={getattr(self, name)}")
        for name in ("learning_rate", "clip_norm", "power"):
            value = getattr(self, name)
            if value is not None and not (value > 0 and math.isfinite(value)):
                raise ValueError(f"Expected a positive {name}. Received: {name}={value}")
        if not 0 < self.mask_share < 1:
            raise ValueError(f"Expected mask_share above 0 and below 1. Received: mask_share={self.mask_share}")
        if self.init_from_group0 and self.init_from is None:
            raise ValueError("init_from_group0 needs init_from. Name the model whose first group is copied.")
        _check_choice("pairs", self.pairs, PAIRS)
        _check_choice("dtype", self.dtype, POLICIES)
        _check_choice("optimizer", self.optimizer, OPTIMIZERS)
        if not 0 <= self.seed < 2**32:
            raise ValueError(f"Expected a seed from 0 to 2**32 - 1. Received: seed={self.seed}")
        if not 0 <= self.warmup < self.train_steps:
            raise ValueError(
                f"Expected the warm-up to be shorter than the training, which has {self.train_steps:,} steps. "
                f"Received: warmup_steps={self.warmup:,}"
            )

    @property
    def warmup(self) -> int:
        """The steps of the warm-up."""
        return self.train_steps // 40 if self.warmup_steps is None else self.warmup_steps

    @property
    def rate(self) -> float:
        """The highest learning rate.

        Example:
            >>> Pretraining("data", "run", batch_size=64, gradient_accumulation_steps=64).rate
            0.00176
        """
        if self.learning_rate is not None:
            return self.learning_rate
        if self.optimizer == "adamw":
            return _ADAMW_RATE
        return _LAMB_RATE * math.sqrt(self.batch_size * self.gradient_accumulation_steps / _LAMB_BATCH)

    @property
    def slots(self) -> int:
        """The number P of slots for predictions in a row."""
        return self.max_masks or max(1, round(self.sequence_length * self.mask_share))

    def sizes(self) -> dict[str, Any]:
        """Return the sizes of the model that were given."""
        return {name: getattr(self, name) for name in BASE_SIZES if getattr(self, name) is not None}

    def deciding(self) -> dict[str, Any]:
        """Return what decides the result, as JSON takes it: a run that goes on must have the same."""
        places = ("output", "overwrite", "keep_checkpoints")
        return {item.name: getattr(self, item.name) for item in fields(self) if item.name not in places}


def _check_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise ValueError(f"Expected {name} to be one of {', '.join(choices)}. Received: {name}={value!r}")

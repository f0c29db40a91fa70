"""Optimizers and schedules."""

from keras_albert.training.adamw import AdamW
from keras_albert.training.default_optimizer import adamw, default_learning_rate, default_optimizer
from keras_albert.training.lamb import Lamb
from keras_albert.training.schedules import LinearWarmup, WarmupPolynomialDecay

__all__ = [
    "AdamW",
    "Lamb",
    "LinearWarmup",
    "WarmupPolynomialDecay",
    "adamw",
    "default_learning_rate",
    "default_optimizer",
]

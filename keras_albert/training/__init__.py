"""Optimizers and schedules."""

from keras_albert.training.default_optimizer import adamw, default_learning_rate, default_optimizer
from keras_albert.training.schedules import LinearWarmup, WarmupPolynomialDecay

__all__ = ["LinearWarmup", "WarmupPolynomialDecay", "adamw", "default_learning_rate", "default_optimizer"]

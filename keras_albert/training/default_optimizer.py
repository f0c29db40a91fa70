"""The optimizer that a task compiles with where none is given."""

import keras

from keras_albert.training.schedules import LinearWarmup, WarmupPolynomialDecay

# Google's weight decay spares layer norms and biases (`exclude_from_weight_decay` of optimization.py).
WITHOUT_WEIGHT_DECAY = ["bias", "gamma", "beta"]
WEIGHT_DECAY = 0.01
CLIP_NORM = 1.0
EPSILON = 1e-6


def adamw(learning_rate: float | LinearWarmup | WarmupPolynomialDecay) -> keras.optimizers.Optimizer:
    """Return AdamW with Google's weight decay, epsilon and clipping of the global norm at 1."""
    optimizer = keras.optimizers.AdamW(
        learning_rate, weight_decay=WEIGHT_DECAY, epsilon=EPSILON, global_clipnorm=CLIP_NORM
    )
    optimizer.exclude_from_weight_decay(var_names=WITHOUT_WEIGHT_DECAY)
    return optimizer


def default_learning_rate(hidden_dim: int) -> float:
    """Return a rate at which a model of that width fine-tunes without collapse: 2e-5 at 768, inverse to the width.

    Never below 1e-5, which Google's GLUE recipes use for its widest model.

    Example:
        >>> default_learning_rate(768), default_learning_rate(4096), default_learning_rate(96)
        (2e-05, 1e-05, 0.00016)
    """
    return max(1e-5, 2e-5 * 768 / hidden_dim)


def default_optimizer(hidden_dim: int) -> keras.optimizers.Optimizer:
    """Return AdamW at `default_learning_rate`, warmed up over 100 steps, with the global norm clipped at 1."""
    return adamw(LinearWarmup(default_learning_rate(hidden_dim), warmup_steps=100))

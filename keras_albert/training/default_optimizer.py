"""The optimizer that a task compiles with where none is given."""

from keras_albert.training.adamw import AdamW
from keras_albert.training.schedules import LinearWarmup, WarmupPolynomialDecay


def adamw(learning_rate: float | LinearWarmup | WarmupPolynomialDecay) -> AdamW:
    """Return AdamW with Google's decay, epsilon and clipping of the global norm at 1, and with bias correction.

    Google's has no correction, so that its first updates are up to 6.6 times as long. Its recipes warm up over hundreds
    of steps; a few hundred rows of one's own are trained on in fewer.
    """
    return AdamW(learning_rate, bias_correction=True)


def default_learning_rate(hidden_dim: int) -> float:
    """Return a rate at which a model of that width fine-tunes without collapse: 2e-5 at 768, inverse to the width.

    Never below 1e-5, which Google's GLUE recipes use for its widest model.

    Example:
        >>> default_learning_rate(768), default_learning_rate(4096), default_learning_rate(96)
        (2e-05, 1e-05, 0.00016)
    """
    return max(1e-5, 2e-5 * 768 / hidden_dim)


def default_optimizer(hidden_dim: int) -> AdamW:
    """Return AdamW at `default_learning_rate`, warmed up over 100 steps, with the global norm clipped at 1."""
    return adamw(LinearWarmup(default_learning_rate(hidden_dim), warmup_steps=100))

"""What guessing gives: figures that a pretraining must beat to have learnt anything."""

import numpy as np


def unigram_baselines(piece_counts: np.ndarray, mask_ids: np.ndarray, mask_weights: np.ndarray) -> dict[str, float]:
    """Return loss and accuracy of predicting every masked token by how frequent the pieces are.

    Args:
        piece_counts: int (V,), how often each piece occurs in the training data.
        mask_ids: int (N, P), the right pieces.
        mask_weights: float (N, P), 1 where a piece is predicted.

    Returns:
        `masked_lm_loss` (nats), the cross-entropy of the pieces' shares, each count raised by one; and
        `masked_lm_accuracy`, how often the most frequent piece is right.

    Example:
        >>> figures = unigram_baselines(np.array([0, 5, 1]), np.array([[1, 2]]), np.array([[1.0, 0.0]]))
        >>> figures["masked_lm_accuracy"], round(figures["masked_lm_loss"], 4)
        (1.0, 0.4055)
    """
    raised = piece_counts + 1.0
    surprise = -np.log(raised / raised.sum())
    weight = max(float(mask_weights.sum()), 1.0)
    return {
        "masked_lm_loss": float((surprise[mask_ids] * mask_weights).sum() / weight),
        "masked_lm_accuracy": float(((mask_ids == piece_counts.argmax()) * mask_weights).sum() / weight),
    }

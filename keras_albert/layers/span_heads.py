"""The head that scores starts and ends of answers by themselves, and what it shares with the verifier head.

`create_v1_model` of google-research/albert squad_utils.py.
"""

from typing import Any

import keras
from keras import ops

from keras_albert.layers.initializer import kernel_initializer

# What Google's code adds where no answer may lie. float16 cannot hold it: logits are float32 throughout.
MASKED_LOGIT = -1e30


def masked_logits(logits: Any, answer_mask: Any) -> Any:
    """Return float32 logits with -1e30 where `answer_mask` is 0; the two broadcast."""
    return ops.where(ops.cast(answer_mask, "bool"), ops.cast(logits, "float32"), MASKED_LOGIT)


def top_log_probs(logits: Any, size: int) -> tuple[Any, Any]:
    """Return the largest log-softmax values along the last axis and their indices; of equal ones the first.

    Args:
        logits: float32 (..., S).
        size: how many.

    Returns:
        float32 and int32, each (..., size).
    """
    log_probs = ops.log_softmax(logits, axis=-1)
    # PyTorch's top_k returns equal values in any order; a sort keeps theirs under every backend.
    indices = ops.argsort(-log_probs, axis=-1)[..., :size]
    return ops.take_along_axis(log_probs, indices, axis=-1), ops.cast(indices, "int32")


def filled_up(logits: Any, output_length: int | None) -> Any:
    """Return logits (B, S) as (B, output_length): Keras joins the batches of a prediction, whose lengths differ."""
    if output_length is None:
        return logits
    batch_size, length = ops.shape(logits)
    filling = ops.full((batch_size, output_length - length), MASKED_LOGIT, dtype="float32")
    return ops.concatenate([logits, filling], axis=1)


def dense(width: int, initializer_range: float, name: str, dtype: Any = "float32", **kwargs: Any) -> Any:
    """Return a dense layer, in float32 unless another dtype is asked for."""
    return keras.layers.Dense(
        width, kernel_initializer=kernel_initializer(initializer_range), dtype=dtype, name=name, **kwargs
    )


@keras.saving.register_keras_serializable(package="keras_albert")
class SpanHead(keras.layers.Layer):
    """Scores every position as an answer's start and as its end, each by itself: Google's head for SQuAD 1.1.

    Its kernel (H, 2) is `cls/squad/output_weights` transposed, its bias (2,) `cls/squad/output_bias`. Logits are
    float32 under every dtype policy.

    Args:
        initializer_range: standard deviation of the initial kernel.
        output_length: length to which logits are filled up (with -1e30) outside of training; None leaves S.
    """

    def __init__(self, initializer_range: float = 0.02, output_length: int | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.initializer_range = initializer_range
        self.output_length = output_length
        self.dense = dense(2, initializer_range, "dense")

    def build(self, sequence_output_shape: tuple[int | None, ...]) -> None:
        """Create the weights for a sequence output of shape (B, S, H)."""
        self.dense.build(sequence_output_shape)

    def call(self, sequence_output: Any, training: bool | None = None) -> dict[str, Any]:
        """Score all positions, padding included.

        Args:
            sequence_output: float (B, S, H).
            training: whether the logits keep length S.

        Returns:
            "start" and "end", logits float32 (B, S), or (B, output_length) outside of training.
        """
        logits = self.dense(sequence_output)  # (B, S, 2)
        length = None if training else self.output_length
        return {"start": filled_up(logits[..., 0], length), "end": filled_up(logits[..., 1], length)}

    def compute_output_spec(self, sequence_output: Any, training: bool | None = None) -> dict[str, Any]:
        """Return the shapes and dtypes of the outputs."""
        batch_size, length, _ = sequence_output.shape
        shape = (batch_size, length if training else self.output_length or length)
        return {name: keras.KerasTensor(shape, "float32") for name in ("start", "end")}

    def get_config(self) -> dict[str, Any]:
        """Return the constructor's arguments."""
        return super().get_config() | {
            "initializer_range": self.initializer_range,
            "output_length": self.output_length,
        }

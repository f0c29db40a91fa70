"""The head that scores ends given a start, and whether there is an answer.

`create_v2_model` of google-research/albert squad_utils.py.
"""

from typing import Any

import keras
from keras import ops

from keras_albert.layers.initializer import LAYER_NORM_EPSILON
from keras_albert.layers.span_heads import dense, filled_up, masked_logits, top_log_probs


@keras.saving.register_keras_serializable(package="keras_albert")
class VerifierHead(keras.layers.Layer):
    """Scores starts, ends given a start, and whether there is an answer at all: Google's head for SQuAD 2.0.

    Starts: `start` (`start_logits/dense`), H -> 1. Ends given a start s: `end_transform` (`end_logits/dense_0`), dense
    with tanh of [h ; h_s], 2H -> H; `end_layer_norm` (`end_logits/LayerNorm`); `end` (`end_logits/dense_1`), H -> 1.
    No answer: `unanswerable_transform` (`answer_class/dense_0`), dense with tanh of [softmax(start) . h ; h_CLS],
    2H -> H; dropout; `unanswerable` (`answer_class/dense_1`), H -> 1 without bias. Logits and log-probabilities are
    float32 under every dtype policy.

    Args:
        hidden_dim: width H of the input.
        num_top_starts: starts in the beam, K.
        num_top_ends: ends in the beam for each start, M.
        dropout: share dropped in the answerability part, in [0, 1).
        initializer_range: standard deviation of the initial kernels.
        output_length: length to which logits are filled up (with -1e30) outside of training; None leaves S.
    """

    def __init__(
        self,
        hidden_dim: int,
        num_top_starts: int = 5,
        num_top_ends: int = 5,
        dropout: float = 0.1,
        initializer_range: float = 0.02,
        output_length: int | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.hidden_dim = hidden_dim
        self.num_top_starts = num_top_starts
        self.num_top_ends = num_top_ends
        self.dropout_rate = dropout
        self.initializer_range = initializer_range
        self.output_length = output_length
        wide, narrow = self.dtype_policy, "float32"
        self.start = dense(1, initializer_range, "start", narrow)
        self.end_transform = dense(hidden_dim, initializer_range, "end_transform", wide)
        self.end_layer_norm = keras.layers.LayerNormalization(
            epsilon=LAYER_NORM_EPSILON, dtype=narrow, name="end_layer_norm"
        )
        self.end = dense(1, initializer_range, "end", narrow)
        self.unanswerable_transform = dense(
            hidden_dim, initializer_range, "unanswerable_transform", narrow, activation="tanh"
        )
        self.dropout = keras.layers.Dropout(dropout, dtype=narrow, name="dropout")
        self.unanswerable = dense(1, initializer_range, "unanswerable", narrow, use_bias=False)

    def build(self, sequence_output_shape: Any, answer_mask_shape: Any, start_position_shape: Any) -> None:
        """Create the weights for a sequence output of shape (B, S, H)."""
        width = self.hidden_dim
        for layer in (self.start, self.end, self.end_layer_norm):
            layer.build((*sequence_output_shape[:-1], width))
        self.end_transform.build((*sequence_output_shape[:-1], 2 * width))
        self.unanswerable_transform.build((sequence_output_shape[0], 2 * width))
        self.unanswerable.build((sequence_output_shape[0], width))

    def call(
        self, sequence_output: Any, answer_mask: Any, start_position: Any, training: bool | None = None
    ) -> dict[str, Any]:
        """Score starts, ends and answerability; search the beam outside of training.

        Args:
            sequence_output: float (B, S, H).
            answer_mask: int (B, S), 1 where an answer may lie: context tokens and `[CLS]`.
            start_position: int (B,), the start that "end" is conditioned on.
            training: whether dropout is on, the beam is left out and the logits keep length S.

        Returns:
            "start", logits (B, S); "end", logits (B, S) given `start_position`; "unanswerable", logits (B, 1); and the
            beam: "top_starts" int32 (B, K) with "top_start_log_probs" (B, K), and "top_ends" int32 (B, K, M) with
            "top_end_log_probs" (B, K, M), zeros while training. The first two are (B, output_length) outside of
            training.
        """
        start = masked_logits(self.start(sequence_output)[..., 0], answer_mask)  # (B, S)
        unanswerable = self._unanswerable(sequence_output, start, training)
        starts = ops.expand_dims(ops.cast(start_position, "int32"), -1)  # (B, 1)
        if training:
            end = self._ends(sequence_output, answer_mask, starts)[:, 0]
            length, beam = None, self._no_beam(ops.shape(start)[0])
        else:
            start_log_probs, top_starts = top_log_probs(start, self.num_top_starts)
            ends = self._ends(sequence_output, answer_mask, ops.concatenate([starts, top_starts], axis=1))
            end_log_probs, top_ends = top_log_probs(ends[:, 1:], self.num_top_ends)
            end, length = ends[:, 0], self.output_length
            beam = self._beam(top_starts, start_log_probs, top_ends, end_log_probs)
        return {
            "start": filled_up(start, length),
            "end": filled_up(end, length),
            "unanswerable": unanswerable,
            **beam,
        }

    def _ends(self, sequence_output: Any, answer_mask: Any, starts: Any) -> Any:
        """Return the logits of all ends given each of n starts, (B, n, S)."""
        start_features = ops.take_along_axis(sequence_output, ops.expand_dims(starts, -1), axis=1)  # (B, n, H)
        # dense([h ; h_s]) is the sum of two products: nothing of shape (B, n, S, 2H) is needed.
        kernel = ops.cast(self.end_transform.kernel, self.compute_dtype)
        x = ops.expand_dims(ops.matmul(sequence_output, kernel[: self.hidden_dim]), 1)
        x = x + ops.expand_dims(ops.matmul(start_features, kernel[self.hidden_dim :]), 2)  # (B, n, S, H)
        x = ops.tanh(x + ops.cast(self.end_transform.bias, self.compute_dtype))
        logits = self.end(self.end_layer_norm(x))[..., 0]
        return masked_logits(logits, ops.expand_dims(answer_mask, 1))

    def _unanswerable(self, sequence_output: Any, start: Any, training: bool | None) -> Any:
        x = ops.cast(sequence_output, "float32")
        expected_start = ops.sum(ops.expand_dims(ops.softmax(start, axis=-1), -1) * x, axis=1)  # (B, H)
        x = ops.concatenate([expected_start, x[:, 0]], axis=-1)
        return self.unanswerable(self.dropout(self.unanswerable_transform(x), training=training))

    def _beam(self, top_starts: Any, start_log_probs: Any, top_ends: Any, end_log_probs: Any) -> dict[str, Any]:
        return {
            "top_starts": top_starts,
            "top_start_log_probs": start_log_probs,
            "top_ends": top_ends,
            "top_end_log_probs": end_log_probs,
        }

    def _no_beam(self, batch_size: Any) -> dict[str, Any]:
        starts, ends = (batch_size, self.num_top_starts), (batch_size, self.num_top_starts, self.num_top_ends)
        return self._beam(
            ops.zeros(starts, "int32"),
            ops.zeros(starts, "float32"),
            ops.zeros(ends, "int32"),
            ops.zeros(ends, "float32"),
        )

    def compute_output_spec(
        self, sequence_output: Any, answer_mask: Any, start_position: Any, training: bool | None = None
    ) -> dict[str, Any]:
        """Return the shapes and dtypes of the outputs."""
        batch_size, length, _ = sequence_output.shape
        shape = (batch_size, length if training else self.output_length or length)
        starts, ends = (batch_size, self.num_top_starts), (batch_size, self.num_top_starts, self.num_top_ends)
        tensor = keras.KerasTensor
        return {
            "start": tensor(shape, "float32"),
            "end": tensor(shape, "float32"),
            "unanswerable": tensor((batch_size, 1), "float32"),
            **self._beam(
                tensor(starts, "int32"), tensor(starts, "float32"), tensor(ends, "int32"), tensor(ends, "float32")
            ),
        }

    def get_config(self) -> dict[str, Any]:
        """Return the constructor's arguments."""
        return super().get_config() | {
            "hidden_dim": self.hidden_dim,
            "num_top_starts": self.num_top_starts,
            "num_top_ends": self.num_top_ends,
            "dropout": self.dropout_rate,
            "initializer_range": self.initializer_range,
            "output_length": self.output_length,
        }

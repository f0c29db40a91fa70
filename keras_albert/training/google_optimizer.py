"""What Google's LAMB and AdamW share: slots, the names that are spared, clipping, and when a rate is looked up.

Follows google-research/albert optimization.py and lamb_optimizer.py. This is the one file that overrides private
methods of Keras's optimizers, because nothing public lies between accumulated gradients and the update:

- `_clip_gradients` is given the gradients of one update, the mean of the accumulated ones where there are several: the
  one place where their norm can be kept.
- `_apply_weight_decay` changes weights before the update, outside of LAMB's ratio; here decay is a part of the update.
- `_backend_update_step` goes from variable to variable; under PyTorch all of them at once are several times as fast.
"""

from collections.abc import Sequence
from typing import Any

import keras
from keras import ops

from keras_albert.training.path_patterns import checked_patterns, is_matched
from keras_albert.training.torch_update import update_together

# Google's `exclude_from_weight_decay`: scales and offsets of layer norms, and every bias.
LAYER_NORMS_AND_BIASES = ("LayerNorm", "layer_norm", "bias")


class GoogleOptimizer(keras.optimizers.Optimizer):
    """Adam's update with the decay inside of it; `Lamb` and `AdamW` say how it is scaled.

    With the gradient `g` of a weight `w` (all gradients clipped together) and its slots `m` and `v`, an update is

        m = beta_1 * m + (1 - beta_1) * g
        v = beta_2 * v + (1 - beta_2) * g * g
        update = m / (sqrt(v) + epsilon) + weight_decay * w        (no decay where `exclude_from_weight_decay` matches)
        w = w - learning_rate * update

    Beside that it differs from Keras's optimizers in what follows:
    - Slots and sums of accumulated gradients are float32, for weights in half precision too.
    - With `gradient_accumulation_steps` a schedule counts updates, not the batches that make them up.
    - Gradients of the rows of a table are added up before the norm is taken, under TensorFlow as elsewhere. (Google's
      norm counts a row that was looked up twice as two, but not on TPU, where it multiplies by one-hot vectors.)

    `variables` holds all that training needs to go on bit for bit.

    Attributes:
        gradient_norm: norm of all gradients of the last update together, before clipping; a float32 scalar variable.
            Under `mixed_float16` Keras wraps the optimizer: `model.optimizer.inner_optimizer.gradient_norm`.
        first_moments: the `m` of each variable, in the order in which `build` was given them.
        second_moments: the `v` of each variable, likewise.

    Args:
        learning_rate: a number, or a schedule over updates.
        weight_decay: the share of a weight that joins its update, at least 0.
        beta_1: the share of `m` that an update keeps, from 0 to below 1.
        beta_2: the share of `v` that an update keeps, from 0 to below 1.
        epsilon: added to the root of `v`, above 0.
        exclude_from_weight_decay: regular expressions, each looked for in the whole path of a variable.
        global_clipnorm: the norm that all gradients together are clipped to; None does not clip.
        **kwargs: as of `keras.optimizers.Optimizer`, `gradient_accumulation_steps` among them.

    Raises:
        ValueError: a number out of its range, or a list that holds no regular expressions.
    """

    def __init__(
        self,
        learning_rate: float | keras.optimizers.schedules.LearningRateSchedule,
        weight_decay: float = 0.01,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-6,
        exclude_from_weight_decay: Sequence[str] = LAYER_NORMS_AND_BIASES,
        global_clipnorm: float | None = 1.0,
        **kwargs: Any,
    ) -> None:
        _check_numbers(weight_decay, beta_1, beta_2, epsilon)
        super().__init__(learning_rate, weight_decay=float(weight_decay), global_clipnorm=global_clipnorm, **kwargs)
        self.beta_1, self.beta_2, self.epsilon = float(beta_1), float(beta_2), float(epsilon)
        self.without_weight_decay = checked_patterns("exclude_from_weight_decay", exclude_from_weight_decay)
        self.gradient_norm = self.add_variable(
            (), dtype="float32", name="gradient_norm", aggregation="only_first_replica"
        )

    def build(self, variables: list[keras.Variable]) -> None:
        """Create the slots, both zero, of a model's trainable variables."""
        if self.built:
            return
        super().build(variables)
        names = ["first_moment", "second_moment"]
        self.first_moments, self.second_moments = self.add_optimizer_variables(variables, names)
        self.is_decayed = tuple(not is_matched(self.without_weight_decay, variable) for variable in variables)

    def add_variable(
        self, shape: tuple[int, ...], initializer: Any = "zeros", dtype: str | None = None, **kwargs: Any
    ) -> keras.Variable:
        """Add a variable as Keras does, with float32 in place of half precision."""
        return super().add_variable(shape, initializer, dtype and _at_least_float32(dtype), **kwargs)

    def apply(self, grads: list[Any], trainable_variables: list[keras.Variable] | None = None) -> None:
        """Do one update, or add to the accumulated gradients, as Keras does, with dense gradients in float32."""
        super().apply([gradient if gradient is None else _dense(gradient) for gradient in grads], trainable_variables)

    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> None:
        """Update one variable and its slots."""
        index = self._get_variable_index(variable)
        first, second = self.first_moments[index], self.second_moments[index]
        gradient, weight = ops.cast(gradient, first.dtype), ops.cast(variable, first.dtype)
        first_moment = self.beta_1 * first + (1.0 - self.beta_1) * gradient
        second_moment = self.beta_2 * second + (1.0 - self.beta_2) * ops.square(gradient)
        self.assign(first, first_moment)
        self.assign(second, second_moment)
        update = first_moment / (ops.sqrt(second_moment) + self.epsilon)
        rate, correction = ops.cast(learning_rate, first.dtype), self.correction()
        if correction is not None:
            update = update * ops.cast(correction, first.dtype)
        if self.is_decayed[index] and self.weight_decay:
            update = update + self.weight_decay * weight
        ratio = self.ratio(update, weight, index)
        self.assign(variable, weight - (rate if ratio is None else rate * ratio) * update)

    def correction(self) -> Any:
        """Return what every update is multiplied by before the decay joins it, a scalar, or None for nothing."""
        return None

    def ratio(self, update: Any, weight: Any, index: int) -> Any:
        """Return what the rate is multiplied by for the variable of that index, a scalar, or None for nothing."""
        return None

    @property
    def learning_rate(self) -> Any:
        """The rate of the next update."""
        if isinstance(self._learning_rate, keras.optimizers.schedules.LearningRateSchedule):
            return self._learning_rate(self.iterations)
        return super().learning_rate

    @learning_rate.setter
    def learning_rate(self, learning_rate: Any) -> None:
        keras.optimizers.Optimizer.learning_rate.fset(self, learning_rate)

    def exclude_from_weight_decay(self, var_list: Any = None, var_names: Any = None) -> None:
        """Refuse what Keras's optimizers take by this method: it would be lost with the config."""
        raise ValueError(
            f"Expected the variables that are not decayed as regular expressions: {type(self).__name__}("
            f"exclude_from_weight_decay=[...]). Received: var_list={var_list}, var_names={var_names}"
        )

    def get_config(self) -> dict[str, Any]:
        """Return the constructor's arguments."""
        return super().get_config() | {
            "beta_1": self.beta_1,
            "beta_2": self.beta_2,
            "epsilon": self.epsilon,
            "exclude_from_weight_decay": list(self.without_weight_decay),
        }

    def _clip_gradients(self, grads: list[Any]) -> list[Any]:
        norm = ops.sqrt(ops.sum(ops.stack([ops.sum(ops.square(gradient)) for gradient in grads])))
        self.assign(self.gradient_norm, norm)
        if not self.global_clipnorm:
            return super()._clip_gradients(grads)
        # `norm - norm` is 0, or no number where the norm is none: a broken update is not passed off as a small one.
        scale = self.global_clipnorm / ops.maximum(norm, self.global_clipnorm) + (norm - norm)
        return [gradient * scale for gradient in grads]

    def _apply_weight_decay(self, variables: list[Any]) -> None:
        """Change nothing: the decay is a part of the update."""

    def _backend_update_step(self, grads: list[Any], trainable_variables: list[Any], learning_rate: Any) -> None:
        if keras.backend.backend() == "torch" and all(v.dtype == "float32" for v in trainable_variables):
            update_together(self, grads, trainable_variables, learning_rate)
        else:
            super()._backend_update_step(grads, trainable_variables, learning_rate)


def _at_least_float32(dtype: str) -> str:
    return "float32" if dtype in ("float16", "bfloat16") else dtype


def _dense(gradient: Any) -> Any:
    if keras.backend.backend() == "tensorflow":
        import tensorflow as tf

        gradient = tf.convert_to_tensor(gradient)  # adds up `IndexedSlices`
    return ops.cast(gradient, _at_least_float32(keras.backend.standardize_dtype(gradient.dtype)))


def _check_numbers(weight_decay: float | None, beta_1: float, beta_2: float, epsilon: float) -> None:
    if weight_decay is None or not (weight_decay >= 0 and 0 <= beta_1 < 1 and 0 <= beta_2 < 1 and epsilon > 0):
        raise ValueError(
            "Expected weight_decay from 0, beta_1 and beta_2 from 0 to below 1, epsilon above 0. Received: "
            f"weight_decay={weight_decay}, beta_1={beta_1}, beta_2={beta_2}, epsilon={epsilon}"
        )

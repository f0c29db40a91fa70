"""One row of the weight table: a weight of the model, in every notation."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class WeightRow:
    """One weight of the model, in every notation.

    Args:
        part: The object that owns the weight, one of `PARTS`.
        path: Attributes and list indexes from that object to its variable, joined by slashes.
        google: The variable's name in Google's TF1 checkpoints.
        hugging_face: The tensor's name in Hugging Face's models with a head; `None` where they have no such weight.
        shape: The variable's shape; a word stands for the configuration's value of that name, `2*word` for its double.
        transposed: Whether Google's array is the transpose of the variable.
    """

    part: str
    path: str
    google: str
    hugging_face: str | None
    shape: tuple[str | int, ...]
    transposed: bool = False

    def variable_shape(self, sizes: Mapping[str, Any]) -> tuple[int, ...]:
        """The shape in the model, with every word of `shape` looked up in `sizes`."""
        return tuple(_size(word, sizes) for word in self.shape)

    def google_shape(self, sizes: Mapping[str, Any]) -> tuple[int, ...]:
        """The shape in Google's checkpoint, with every word of `shape` looked up in `sizes`."""
        shape = self.variable_shape(sizes)
        return shape[::-1] if self.transposed else shape

    @property
    def google_words(self) -> tuple[str | int, ...]:
        """`shape` in the order of Google's axes."""
        return self.shape[::-1] if self.transposed else self.shape

    @property
    def is_turned(self) -> bool:
        """Whether Hugging Face's array is the transpose of Google's: PyTorch keeps a dense kernel as (out, in)."""
        return self.path.endswith("kernel") and not self.transposed


def _size(word: str | int, sizes: Mapping[str, Any]) -> int:
    if isinstance(word, int):
        return word
    factor, _, name = word.rpartition("*")
    return int(factor or 1) * int(sizes[name])


def dense_rows(
    part: str, path: str, google: str, hugging_face: str | None, width_in: str, width_out: str | int
) -> list[WeightRow]:
    """The kernel and the bias of a dense layer that Google's code makes by `tf.layers.dense`."""
    weight, bias = _names(hugging_face)
    return [
        WeightRow(part, _joined(path, "kernel"), f"{google}/kernel", weight, (width_in, width_out)),
        WeightRow(part, _joined(path, "bias"), f"{google}/bias", bias, (width_out,)),
    ]


def layer_norm_rows(part: str, path: str, google: str, hugging_face: str | None, width: str) -> list[WeightRow]:
    """The scale and the shift of a layer norm."""
    weight, bias = _names(hugging_face)
    return [
        WeightRow(part, _joined(path, "gamma"), f"{google}/gamma", weight, (width,)),
        WeightRow(part, _joined(path, "beta"), f"{google}/beta", bias, (width,)),
    ]


def output_rows(part: str, path: str, scope: str, hugging_face: str, width_out: str | int) -> list[WeightRow]:
    """The kernel and the bias of a last layer; Google's code keeps the kernel as (width_out, H), under another name."""
    weight, bias = _names(hugging_face)
    kernel, shape = _joined(scope, "output_weights"), ("hidden_dim", width_out)
    return [
        WeightRow(part, _joined(path, "kernel"), kernel, weight, shape, transposed=True),
        WeightRow(part, _joined(path, "bias"), _joined(scope, "output_bias"), bias, (width_out,)),
    ]


def _joined(scope: str, name: str) -> str:
    return f"{scope}/{name}" if scope else name


def _names(layer: str | None) -> tuple[str | None, str | None]:
    return (None, None) if layer is None else (f"{layer}.weight", f"{layer}.bias")

"""A model once more in another size, as a functional Keras model cannot change the one it has."""

from collections.abc import Mapping
from typing import Any, TypeVar

import keras
import keras_hub
import numpy as np
from keras import ops

from keras_albert.backbone import AlbertBackbone
from keras_albert.tasks.preprocessor import AlbertPreprocessor
from keras_albert.text import AlbertTokenizer, AlbertWordPieceTokenizer

Model = TypeVar("Model", bound=keras.Model)
Tokenizer = AlbertTokenizer | AlbertWordPieceTokenizer


def backbone_of(model: Any) -> AlbertBackbone:
    """Return the backbone of a model whose weights are plain arrays.

    Args:
        model: an `AlbertBackbone`, or a task on one.

    Raises:
        ValueError: another kind of model, LoRA, or quantized weights.
    """
    backbone = getattr(model, "backbone", model)
    if not isinstance(backbone, AlbertBackbone):
        raise ValueError(f"Expected an AlbertBackbone or a task on one. Received: model={model!r:.200}")
    for layer in model._flatten_layers():
        if getattr(layer, "lora_enabled", False):
            raise ValueError(
                "A model with LoRA cannot change its shape: do that first, then call `enable_lora`. "
                f"Received: model={model.name!r} with LoRA in {layer.path}"
            )
        if layer.quantization_mode is not None:
            raise ValueError(
                "A quantized model cannot change its shape: do that first, then call `quantize`. "
                f"Received: model={model.name!r} with {layer.quantization_mode} weights in {layer.path}"
            )
    return backbone


def tokenizer_of(preprocessor: Any) -> Tokenizer | None:
    """Return the tokenizer of a task's preprocessor, None where there is none of ours."""
    return preprocessor.tokenizer if isinstance(preprocessor, AlbertPreprocessor) else None


def rebuild(
    model: Model, sizes: Mapping[str, int], arrays: Mapping[int, np.ndarray], tokenizer: Tokenizer | None = None
) -> Model:
    """Return a model of the same class and configuration with other sizes; the one that is given stays as it is.

    Dtype policy, head options and trainable flags are those of the old model. A task is compiled anew, as by its
    constructor.

    Args:
        model: the old model.
        sizes: arguments of `AlbertBackbone` that change.
        arrays: for each variable that changes its shape, by `id`, the values of the new one. All others are copied.
        tokenizer: a tokenizer for the task's preprocessor; None keeps the old one.
    """
    backbone: AlbertBackbone = getattr(model, "backbone", model)
    new: Any = type(backbone).from_config(backbone.get_config() | dict(sizes))
    if isinstance(model, keras_hub.models.Task):
        preprocessor = _copied(model.preprocessor, tokenizer)
        new = type(model).from_config(model.get_config() | {"backbone": new, "preprocessor": preprocessor})
    for old_variable, new_variable in zip(model.weights, new.weights, strict=True):
        array = arrays.get(id(old_variable))
        new_variable.assign(ops.convert_to_numpy(old_variable) if array is None else array)
    _copy_trainable_flags(model, new)
    return new


def _copied(preprocessor: Any, tokenizer: Tokenizer | None) -> Any:
    if not isinstance(preprocessor, AlbertPreprocessor):
        return preprocessor
    return type(preprocessor).from_config(
        preprocessor.get_config() | {"tokenizer": preprocessor.tokenizer if tokenizer is None else tokenizer}
    )


def _copy_trainable_flags(old: keras.Model, new: keras.Model) -> None:
    # A preprocessor that was taken off a task may still be among its layers.
    old_layers, new_layers = ([layer for layer in model._flatten_layers() if layer.weights] for model in (old, new))
    layers = list(zip(old_layers, new_layers, strict=True))
    # A layer hands its flag down, to blocks that several layers share as well: those get theirs back in the next pass.
    while wrong := [pair for pair in layers if pair[0].trainable != pair[1].trainable]:
        for old_layer, new_layer in wrong:
            new_layer.trainable = old_layer.trainable
    for old_variable, new_variable in zip(old.weights, new.weights, strict=True):
        if old_variable.trainable != new_variable.trainable:
            new_variable.trainable = old_variable.trainable

"""The trainable variables of a task that has no part for the pooler.

The pooler stays trainable for the backbone's next task, and is left out here, where it would have no gradient. These
are properties, which each such task takes as its own; `keras_albert.tasks.raw_text` says why they are no base class.
"""

from typing import Any

import keras


def _split(self: Any, variables: list[Any]) -> tuple[list[Any], list[Any]]:
    unused = {id(variable) for variable in self.backbone.pooler.variables}
    return [v for v in variables if id(v) not in unused], [v for v in variables if id(v) in unused]


def _inherited(name: str, self: Any) -> list[Any]:
    return list(getattr(keras.Model, name).fget(self))


@property
def trainable_variables(self: Any) -> list[Any]:
    """The trainable variables that the loss depends on."""
    return _split(self, _inherited("trainable_variables", self))[0]


@property
def non_trainable_variables(self: Any) -> list[Any]:
    """All other variables, the pooler's among them."""
    unused = _split(self, _inherited("trainable_variables", self))[1]
    return [*_inherited("non_trainable_variables", self), *unused]


@property
def trainable_weights(self: Any) -> list[Any]:
    """The trainable weights that the loss depends on."""
    return _split(self, _inherited("trainable_weights", self))[0]


@property
def non_trainable_weights(self: Any) -> list[Any]:
    """All other weights, the pooler's among them."""
    return [*_inherited("non_trainable_weights", self), *_split(self, _inherited("trainable_weights", self))[1]]

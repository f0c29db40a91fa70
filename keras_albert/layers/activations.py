"""Activations by the name that a configuration gives them.

Follows `get_activation` and `gelu` of google-research/albert modeling.py, where "gelu" is the tanh form.
"""

from collections.abc import Callable
from typing import Any

import keras


def _gelu_tanh(x: Any) -> Any:
    return keras.activations.gelu(x, approximate=True)


def _gelu_erf(x: Any) -> Any:
    return keras.activations.gelu(x, approximate=False)


ACTIVATIONS: dict[str, Callable[[Any], Any]] = {
    "gelu": _gelu_tanh,
    "gelu_erf": _gelu_erf,
    "relu": keras.activations.relu,
    "tanh": keras.activations.tanh,
    "linear": keras.activations.linear,
}


def activation_function(name: str) -> Callable[[Any], Any]:
    """Return the function of an activation's name.

    Args:
        name: "gelu" (tanh form, as Google's), "gelu_erf" (the exact form, which Hugging Face calls "gelu"),
            "relu" (the Chinese releases), "tanh" or "linear".

    Raises:
        ValueError: the name is none of these.
    """
    try:
        return ACTIVATIONS[name]
    except (KeyError, TypeError):
        raise ValueError(f"Expected an activation among {sorted(ACTIVATIONS)}. Received: activation={name!r}") from None

"""Walking from an object to one of its variables along a path of attributes and list indexes."""

from typing import Any


def variable_at(root: Any, path: str) -> Any:
    """Finds the variable that a path of the weight table names.

    Args:
        root: The object that the path starts from, e.g. a backbone or a head.
        path: Attribute names and list indexes joined by slashes, e.g. `"attention_blocks/0/query/kernel"`.

    Returns:
        The variable: something with a `shape` that can be assigned to.

    Raises:
        ValueError: If a step of the path is absent, or if the path ends at something that is not a variable.

    Example:

    >>> from types import SimpleNamespace
    >>> from keras import Variable
    >>> root = SimpleNamespace(blocks=[SimpleNamespace(bias=Variable([1.0, 2.0]))])
    >>> tuple(variable_at(root, "blocks/0/bias").shape)
    (2,)
    """
    found = root
    for position, step in enumerate(path.split("/")):
        try:
            found = found[int(step)] if step.isdigit() else getattr(found, step)
        except (AttributeError, IndexError, TypeError, KeyError) as error:
            walked = "/".join(path.split("/")[:position]) or "the object itself"
            raise ValueError(
                f"Expected a variable at {path!r} of {type(root).__name__}, but {step!r} is absent from {walked} "
                f"({type(found).__name__}): {error}. Build the object (call it once) and check that its configuration "
                f"is the one of the weights. Received: root={_name_of(root)}"
            ) from error
    if not (hasattr(found, "assign") and hasattr(found, "shape")):
        raise ValueError(
            f"Expected a variable at {path!r} of {type(root).__name__}. Received: {type(found).__name__}. A layer with "
            "LoRA or quantized weights has no plain variable there: load the weights first, then enable either."
        )
    return found


def _name_of(root: Any) -> str:
    return repr(getattr(root, "name", type(root).__name__))

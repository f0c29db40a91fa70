"""A model's weights under Google's names: the weight table, walked from the model to the checkpoint."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from keras_albert.checkpoints.attribute_path import variable_at
from keras_albert.checkpoints.weight_table import PARTS, table_for


def google_variables(
    backbone_config: Mapping[str, Any], parts: Mapping[str, Any], dtype: str = "float32"
) -> dict[str, np.ndarray]:
    """Copy the weights of a model.

    Args:
        backbone_config: Constructor arguments of the backbone.
        parts: The objects to take weights from, by the names of the weight table's parts.
        dtype: What to store them in: "float32" or "float16".

    Returns:
        For each weight its name in Google's checkpoints and its array, in Google's order of axes.

    Raises:
        ValueError: If a part is unknown, if an object lacks a variable, if the configuration shares weights in a way
            that Google's checkpoints cannot hold, or if a weight is too large for the dtype.
    """
    unknown = sorted(set(parts) - set(PARTS))
    if unknown:
        raise ValueError(f"Expected parts among {', '.join(PARTS)}. Received: {', '.join(unknown)}")
    variables: dict[str, np.ndarray] = {}
    for row in table_for(backbone_config):
        if row.part in parts:
            values = _to_numpy(variable_at(parts[row.part], row.path))
            values = np.ascontiguousarray(values.T if row.transposed else values)
            if np.abs(values).max() > np.finfo(dtype).max:
                raise ValueError(f"The weight {row.google} has values that {dtype} cannot hold. Pass dtype='float32'.")
            variables[row.google] = values.astype(dtype)
    return variables


def _to_numpy(variable: Any) -> np.ndarray:
    # Of a Keras variable, whatever the backend; this module needs no Keras for it.
    return np.asarray(variable.numpy() if hasattr(variable, "numpy") else variable)

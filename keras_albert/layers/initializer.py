"""The initial distribution of every kernel and table.

Follows `create_initializer` of google-research/albert modeling.py.
"""

import keras


def kernel_initializer(initializer_range: float) -> keras.initializers.Initializer:
    """Return a normal distribution of that standard deviation, truncated at two of them (Google's range is 0.02)."""
    return keras.initializers.TruncatedNormal(stddev=initializer_range)


# Google's LayerNorm runs with the default of tf.contrib.layers.layer_norm in float32.
LAYER_NORM_EPSILON = 1e-12

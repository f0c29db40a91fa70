"""More positions than a model was trained with.

The further rows repeat the learnt ones, as in Longformer (arXiv 2004.05150, section 5).
"""

import numpy as np
from keras import ops

from keras_albert.reshaping.rebuilding import Model, backbone_of, rebuild


def extend_positions(model: Model, max_sequence_length: int) -> Model:
    """Return a model of the same class with more positions, for longer texts; the one that is given stays as it is.

    The first rows of the position table are the old ones. The further rows repeat them in order, from position 1 on as
    often as needed: position 0 is always that of `[CLS]`. So neighbours are told apart as before, everywhere but where
    a repetition begins. Outputs for texts of the old lengths don't change; for longer ones the model has to be trained
    on.

    A task keeps its preprocessor's `max_sequence_length`, so that it truncates texts as before, until you set
    `model.preprocessor.max_sequence_length` to the new length. Weights, dtype policy, head options and trainable flags
    are kept; the optimizer and whatever else `compile` set up are those of a new model. Attention takes memory and
    time that grow with the square of the length.

    Args:
        model: an `AlbertBackbone` or a task on one. A backbone that several tasks share changes in none of the others.
        max_sequence_length: the new number of positions, at least as many as there are.

    Raises:
        ValueError: fewer positions than there are, not a whole number, another kind of model, LoRA, or quantized
            weights.

    Example:
        >>> backbone = keras_albert.AlbertBackbone(100, 2, 2, 16, 32, embedding_dim=8, max_sequence_length=512)
        >>> extended = keras_albert.extend_positions(backbone, 1024)
        >>> tuple(extended({"token_ids": np.ones((1, 700), "int32")})["sequence_output"].shape)
        (1, 700, 16)
    """
    backbone = backbone_of(model)
    old_length = backbone.max_sequence_length
    if isinstance(max_sequence_length, bool) or not isinstance(max_sequence_length, int | np.integer):
        raise ValueError(
            f"Expected a whole number of positions, such as 1024. Received: max_sequence_length={max_sequence_length!r}"
        )
    if max_sequence_length < old_length:
        raise ValueError(
            f"Expected at least the {old_length} positions of the model. Received: max_sequence_length="
            f"{max_sequence_length}. For shorter rows set the preprocessor's `max_sequence_length`."
        )
    table = backbone.embedding.position_embedding
    rows = ops.convert_to_numpy(table)
    positions = np.arange(max_sequence_length)
    # With one position alone there is nothing to repeat but that.
    repeated = 1 + (positions - old_length) % (old_length - 1) if old_length > 1 else np.zeros_like(positions)
    sources = np.where(positions < old_length, positions, repeated)
    return rebuild(model, {"max_sequence_length": int(max_sequence_length)}, {id(table): rows[sources]})

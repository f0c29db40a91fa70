"""Another vocabulary for a model: token table, output bias of the MLM head and tokenizer together."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from keras import ops

from keras_albert.backbone import AlbertBackbone
from keras_albert.reshaping.rebuilding import Model, Tokenizer, backbone_of, rebuild, tokenizer_of
from keras_albert.text import AlbertTokenizer, AlbertWordPieceTokenizer


def resize_vocabulary(model: Model, tokenizer: Tokenizer | int, old_tokenizer: Tokenizer | None = None) -> Model:
    """Return a model of the same class for another vocabulary; the one that is given stays as it is.

    The row of a piece that the old tokenizer knows is copied, wherever the new one puts it. The row of a new piece is
    the mean of the rows that the old tokenizer spells its characters with (of all rows, if it can't). The MLM head's
    output bias, where there is one, follows the same rule, and its output kernel is the token table. So a new piece's
    logit is the mean of the logits of its old pieces, never the highest, and those of known pieces don't change.

    A task's preprocessor gets the new tokenizer. All other weights, dtype policy, head options and trainable flags are
    kept; the optimizer and whatever else `compile` set up are those of a new model. Train on afterwards, so that the
    new rows learn.

    Args:
        model: an `AlbertBackbone` or a task on one. A backbone that several tasks share changes in none of the others.
        tokenizer: the new tokenizer, of the same kind as the old one (see `add_pieces`, `keep_used_pieces`); or the
            number of ids V, to make the table larger than the vocabulary: ids keep their rows, and further rows are
            the mean of all.
        old_tokenizer: the tokenizer that the model was trained with; by default its preprocessor's.

    Raises:
        ValueError: no tokenizer, one without vocabulary or of the other kind, no old tokenizer, one with more ids than
            the model, fewer ids than the preprocessor's tokenizer has, another kind of model, LoRA, or quantized
            weights.

    Example:
        >>> pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "re", "##mat", "##ch"]
        >>> tokenizer = keras_albert.AlbertWordPieceTokenizer(pieces)
        >>> backbone = keras_albert.AlbertBackbone(8, 2, 2, 16, 32, embedding_dim=8)
        >>> larger = keras_albert.add_pieces(tokenizer, ["rematch"])
        >>> resized = keras_albert.resize_vocabulary(backbone, larger, old_tokenizer=tokenizer)
        >>> resized.vocabulary_size
        9
        >>> old, new = backbone.token_embedding.get_weights()[0], resized.token_embedding.get_weights()[0]
        >>> bool((new[:8] == old).all()), bool(np.allclose(new[8], old[5:].mean(axis=0)))  # re, mat, ch
        (True, True)
    """
    backbone = backbone_of(model)
    preprocessor = getattr(model, "preprocessor", None)
    if isinstance(tokenizer, AlbertTokenizer | AlbertWordPieceTokenizer):
        new_tokenizer = tokenizer
        sources = _sources(tokenizer, _checked_old(tokenizer, old_tokenizer, preprocessor, backbone))
    else:
        new_tokenizer = None
        size = _checked_size(tokenizer, preprocessor)
        sources = [[id] if id < backbone.vocabulary_size else [] for id in range(size)]
    variables = [backbone.token_embedding.embeddings]
    if hasattr(model, "masked_lm_head"):
        variables.append(model.masked_lm_head.output_bias)
    arrays = {id(variable): _follow(ops.convert_to_numpy(variable), sources) for variable in variables}
    return rebuild(model, {"vocabulary_size": len(sources)}, arrays, new_tokenizer)


def _sources(tokenizer: Tokenizer, old: Tokenizer) -> list[list[int]]:
    """Return for each new id the old ids whose mean its row is."""
    old_ids = {piece: id for id, piece in enumerate(old.get_vocabulary())}
    # What spells nothing of its own: unknown characters, and the blank that SentencePiece puts before each text.
    empty = {old.unk_token_id, old_ids.get("▁")}
    sources = []
    for piece in tokenizer.get_vocabulary():
        if piece in old_ids:
            sources.append([old_ids[piece]])
        else:
            text = piece.removeprefix("##") if isinstance(old, AlbertWordPieceTokenizer) else piece.replace("▁", " ")
            sources.append([id for id in old.tokenize(text) if id not in empty])
    return sources


def _follow(rows: np.ndarray, sources: Sequence[Sequence[int]]) -> np.ndarray:
    wide = rows.astype("float32")
    mean = wide.mean(axis=0)
    followed = np.empty((len(sources), *rows.shape[1:]), rows.dtype)
    for new_id, old_ids in enumerate(sources):
        if len(old_ids) == 1:
            followed[new_id] = rows[old_ids[0]]
        else:
            followed[new_id] = wide[old_ids].mean(axis=0) if old_ids else mean
    return followed


def _checked_size(size: Any, preprocessor: Any) -> int:
    if isinstance(size, bool) or not isinstance(size, int | np.integer):
        raise ValueError(
            "Expected an AlbertTokenizer, an AlbertWordPieceTokenizer or a number of ids. "
            f"Received: tokenizer={size!r:.200}"
        )
    tokenizer = tokenizer_of(preprocessor)
    smallest = 1 if tokenizer is None else tokenizer.vocabulary_size()
    if size < smallest:
        raise ValueError(
            f"Expected at least {smallest} ids{'' if tokenizer is None else ', as many as the tokenizer has'}. "
            f"Received: tokenizer={size}. To drop pieces pass a smaller tokenizer, which `keep_used_pieces` makes."
        )
    return int(size)


def _checked_old(new: Tokenizer, given: Any, preprocessor: Any, backbone: AlbertBackbone) -> Tokenizer:
    """Return the tokenizer that the model was trained with, after a look at what may be wrong."""
    if preprocessor is not None and tokenizer_of(preprocessor) is None:
        raise ValueError(
            "Expected a preprocessor of keras_albert, to give it the new tokenizer. Received: "
            f"model.preprocessor={preprocessor!r:.200}. Set it to None, and pass `old_tokenizer=`."
        )
    old = tokenizer_of(preprocessor) if given is None else given
    name = "model.preprocessor.tokenizer" if given is None else "old_tokenizer"
    if old is None:
        raise ValueError(
            "The model has no preprocessor that says which piece each of its rows belongs to. Pass the tokenizer that "
            "it was trained with: `old_tokenizer=`. Received: old_tokenizer=None"
        )
    kinds = (AlbertTokenizer, AlbertWordPieceTokenizer)
    if not any(isinstance(new, kind) and isinstance(old, kind) for kind in kinds):
        raise ValueError(
            "Expected two tokenizers of one kind, as SentencePiece and WordPiece write the same piece differently. "
            f"Received: tokenizer of type {type(new).__name__}, {name} of type {type(old).__name__}"
        )
    size = old.vocabulary_size()
    if size > backbone.vocabulary_size:
        raise ValueError(
            f"Expected the tokenizer that the model was trained with: its table has {backbone.vocabulary_size} rows. "
            f"Received: {name} of {size} ids"
        )
    return old

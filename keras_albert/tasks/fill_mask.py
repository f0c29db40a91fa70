"""What stands behind `[MASK]` in a text: the most probable pieces, and the text with each filled in."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import keras
import keras_hub
import numpy as np

from keras_albert.text import AlbertWordPieceTokenizer
from keras_albert.text.basic_tokenization import is_cjk
from keras_albert.text.batching import batches_in_order_of_length
from keras_albert.text.packing import SpecialIds, allowed_length, pack
from keras_albert.text.special_tokens import SpecialTokenEncoder
from keras_albert.text.tokenizer_inputs import to_texts


class Fill(NamedTuple):
    """A piece for a masked place.

    Attributes:
        token: the piece as it stands in the vocabulary; `▁` (SentencePiece) begins a word, `##` (WordPiece) goes on.
        probability: in [0, 1], of the whole vocabulary.
        text: the text with the piece in this place; other masks remain.
    """

    token: str
    probability: float
    text: str


@dataclass(frozen=True)
class _Place:
    """One mask: its text and which mask of it, the ids that the model sees, and the mask's position among them."""

    text: str
    number: int
    ids: np.ndarray
    position: int


def fill_mask(
    self: keras_hub.models.Task, texts: Any, top_k: int = 5, batch_size: int = 32
) -> list[list[Fill]] | list[list[list[Fill]]]:
    """Suggest pieces for each `[MASK]` in texts.

    `[MASK]` is found whatever the tokenizer's `special_tokens_in_strings`; the text on each side is encoded as if it
    stood alone. Several masks in a text are filled independently of each other. A text that is longer than the model's
    rows is cut to the tokens around each mask. Special tokens are never suggested; their probability is not shared out.

    Args:
        self: an `AlbertMaskedLM` with a preprocessor.
        texts: a text or a list of texts, each with one `[MASK]` (the tokenizer's `mask_token`) at least.
        top_k: how many pieces to suggest for each mask.
        batch_size: masks in a batch.

    Returns:
        For each mask of a text a list of `Fill`, most probable first; for a list of texts a list of these.

    Raises:
        ValueError: a text without `[MASK]`, or a model without preprocessor.
    """
    if self.preprocessor is None:
        raise ValueError("fill_mask needs a tokenizer: build the model with preprocessor=. Received: preprocessor=None")
    if top_k < 1:
        raise ValueError(f"Expected top_k to be at least 1. Received: top_k={top_k}")
    rows, is_batch = to_texts(texts)
    tokenizer = self.preprocessor.tokenizer
    places = _places(rows, tokenizer, self.preprocessor.longest_row - 2)
    fills: list[list[list[Fill]]] = [[] for _ in rows]
    for (row, place), logits in zip(places, _logits(self, [place for _, place in places], batch_size), strict=True):
        fills[row].append(
            [
                Fill(tokenizer.id_to_token(id), probability, _filled_in(place, id, tokenizer))
                for id, probability in _most_probable(logits, top_k, tokenizer)
            ]
        )
    return fills if is_batch else fills[0]


def _places(texts: Sequence[str], tokenizer: Any, longest: int) -> list[tuple[int, _Place]]:
    """Return every mask in order, each with the number of its text."""
    for number, text in enumerate(texts):
        if tokenizer.mask_token not in text:
            raise ValueError(
                f"Expected `{tokenizer.mask_token}` in each text. Received: {text!r:.100} (text {number}); write "
                f"`{tokenizer.mask_token}` in the place of what is missing."
            )
    places = []
    for row, (text, ids) in enumerate(zip(texts, _encode(texts, tokenizer), strict=True)):
        for number, position in enumerate(np.flatnonzero(ids == tokenizer.mask_token_id).tolist()):
            start = max(0, min(position - longest // 2, len(ids) - longest))
            places.append((row, _Place(text, number, ids[start : start + longest], position - start)))
    return places


def _encode(texts: Sequence[str], tokenizer: Any) -> list[np.ndarray]:
    literals = [tokenizer.mask_token]
    if tokenizer.special_tokens_in_strings:
        literals += [tokenizer.start_token, tokenizer.end_token]
    special_ids = {literal: tokenizer.token_to_id(literal) for literal in literals}
    encoder = SpecialTokenEncoder(tokenizer._loaded_encoder(), special_ids)
    return [np.array(ids, "int32") for ids in encoder.encode(texts)]


def _logits(self: keras_hub.models.Task, places: Sequence[_Place], batch_size: int) -> list[np.ndarray]:
    """Return the logits at each place, float (V,)."""
    preprocessor = self.preprocessor
    tokenizer = preprocessor.tokenizer
    special = SpecialIds(tokenizer.start_token_id, tokenizer.end_token_id, tokenizer.pad_token_id)
    lengths = np.array([len(place.ids) + 2 for place in places], "int64")
    logits: list[Any] = [None] * len(places)
    for batch in batches_in_order_of_length(lengths, batch_size):
        length = preprocessor.sequence_length or allowed_length(
            int(lengths[batch].max()), preprocessor.max_sequence_length
        )
        x = pack([places[index].ids for index in batch], None, special, length)
        x["mask_positions"] = np.array([[places[index].position + 1] for index in batch], "int32")  # behind [CLS]
        for index, row in zip(batch, keras.Model.predict_on_batch(self, x), strict=True):
            logits[index] = row[0]
    return logits


def _most_probable(logits: np.ndarray, top_k: int, tokenizer: Any) -> list[tuple[int, float]]:
    x = np.asarray(logits, "float64")
    x = np.exp(x - x.max())
    probabilities = x / x.sum()
    # A backbone may have more ids than the vocabulary has pieces.
    candidates = np.setdiff1d(np.arange(tokenizer.vocabulary_size()), tokenizer.special_token_ids)
    best = candidates[np.argsort(-probabilities[candidates], kind="stable")[:top_k]]
    return [(int(id), float(probabilities[id])) for id in best]


def _filled_in(place: _Place, id: int, tokenizer: Any) -> str:
    """Return the text with a piece instead of one mask; a piece that goes on with a word is put close to it."""
    parts = place.text.split(tokenizer.mask_token)
    before = tokenizer.mask_token.join(parts[: place.number + 1])
    after = tokenizer.mask_token.join(parts[place.number + 1 :])
    piece = tokenizer.id_to_token(id)
    if isinstance(tokenizer, AlbertWordPieceTokenizer):
        starts_word, letters = not piece.startswith("##"), piece.removeprefix("##")
    else:
        starts_word, letters = piece.startswith("\u2581"), piece.replace("\u2581", " ").strip()
    if not starts_word:
        before = before.rstrip()
    elif before[-1:].isalnum() and letters[:1].isalnum() and not (is_cjk(ord(before[-1])) or is_cjk(ord(letters[0]))):
        before += " "
    return before + letters + after

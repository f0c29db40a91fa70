"""Text to ids: normalization, tokenizers, packing, batching, masking."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from keras_albert.text.releases import tokenizer_from_release
    from keras_albert.text.sentencepiece_tokenizer import AlbertTokenizer
    from keras_albert.text.vocabulary import train_vocabulary
    from keras_albert.text.wordpiece_tokenizer import AlbertWordPieceTokenizer

# Imported at first use: processes that only tokenize, or train a vocabulary, start without Keras.
_MODULES = {
    "AlbertTokenizer": "sentencepiece_tokenizer",
    "AlbertWordPieceTokenizer": "wordpiece_tokenizer",
    "tokenizer_from_release": "releases",
    "train_vocabulary": "vocabulary",
}

__all__ = ["AlbertTokenizer", "AlbertWordPieceTokenizer", "tokenizer_from_release", "train_vocabulary"]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)

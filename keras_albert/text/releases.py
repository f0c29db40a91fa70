"""The tokenizer that belongs to a release."""

from typing import Any

from keras_albert.checkpoints import Release
from keras_albert.text.sentencepiece_tokenizer import AlbertTokenizer
from keras_albert.text.wordpiece_tokenizer import AlbertWordPieceTokenizer


def tokenizer_from_release(release: Release, **kwargs: Any) -> AlbertTokenizer | AlbertWordPieceTokenizer:
    """Build the tokenizer of a release: SentencePiece, or WordPiece for the Chinese ones."""
    if release.layout == "Hugging Face":
        from keras_albert.text.hugging_face_import import hugging_face_tokenizer

        return hugging_face_tokenizer(release.vocabulary.parent, **kwargs)
    if release.tokenizer == "wordpiece":
        return AlbertWordPieceTokenizer(release.vocabulary, **kwargs)
    return AlbertTokenizer(release.vocabulary, **kwargs)

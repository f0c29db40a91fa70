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
    if release.layout == "keras_hub":
        # Its tokenizer takes texts as they are; a vocabulary without capitals is one of lower-cased texts.
        cased = AlbertTokenizer(release.vocabulary, lowercase=False)
        is_cased = any(piece != piece.lower() for id, piece in enumerate(cased.get_vocabulary()) if id > 4)
        kwargs = ({"lowercase": False} if is_cased else {}) | kwargs
    if release.tokenizer == "wordpiece":
        return AlbertWordPieceTokenizer(release.vocabulary, **kwargs)
    return AlbertTokenizer(release.vocabulary, **kwargs)

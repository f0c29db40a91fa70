"""A small tokenizer of each kind, without TensorFlow and without the reference data."""

from typing import Any

import pytest
from golden_texts import tiny_proto

from keras_albert.text.sentencepiece_tokenizer import AlbertTokenizer
from keras_albert.text.wordpiece_tokenizer import AlbertWordPieceTokenizer

PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "room", "12", ",", "the", "##s", "我", "[", "]", "mask"]
TEXTS = ["room 12,", "", "The 我 rooms", "[MASK] room,", "\u00e9\ud800 x"]


def make_sentencepiece(**options: Any) -> AlbertTokenizer:
    return AlbertTokenizer(tiny_proto(), **options)


def make_wordpiece(**options: Any) -> AlbertWordPieceTokenizer:
    return AlbertWordPieceTokenizer(PIECES, **options)


both = pytest.mark.parametrize("make", [make_sentencepiece, make_wordpiece])

"""Changes of a model's shape: pieces added or dropped, and more positions."""

from keras_albert.reshaping.added_pieces import add_pieces
from keras_albert.reshaping.positions import extend_positions
from keras_albert.reshaping.used_pieces import keep_used_pieces
from keras_albert.reshaping.vocabulary import resize_vocabulary

__all__ = ["add_pieces", "extend_positions", "keep_used_pieces", "resize_vocabulary"]

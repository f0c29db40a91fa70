"""Token classification: a tag for every word, such as those of named entities."""

from keras_albert.tasks.token_classification.entities import Entity
from keras_albert.tasks.token_classification.model import AlbertTokenClassifier
from keras_albert.tasks.token_classification.preprocessor import AlbertTokenClassifierPreprocessor

__all__ = ["AlbertTokenClassifier", "AlbertTokenClassifierPreprocessor", "Entity"]

"""Tasks: a model and the preprocessor beside it, one file each."""

from keras_albert.tasks.classifier import AlbertClassifier, AlbertClassifierPreprocessor
from keras_albert.tasks.masked_lm import AlbertMaskedLM, AlbertMaskedLMPreprocessor
from keras_albert.tasks.pretrainer import AlbertPretrainer, AlbertPretrainerPreprocessor

__all__ = [
    "AlbertClassifier",
    "AlbertClassifierPreprocessor",
    "AlbertMaskedLM",
    "AlbertMaskedLMPreprocessor",
    "AlbertPretrainer",
    "AlbertPretrainerPreprocessor",
]

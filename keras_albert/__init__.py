"""ALBERT for Keras 3, under TensorFlow, JAX and PyTorch (arXiv 1909.11942)."""

import sys
from pathlib import PurePath

# Importing the package registers its classes with Keras. Only the console script waits with that until it has read its
# arguments: Keras takes seconds to load, may lack its backend, and brings along TensorFlow's messages.
if not sys.argv or PurePath(sys.argv[0]).stem != "keras-albert":
    from keras_albert import layers, training
    from keras_albert.backbone import AlbertBackbone
    from keras_albert.reshaping import add_pieces, extend_positions, keep_used_pieces, resize_vocabulary
    from keras_albert.tasks import (
        AlbertClassifier,
        AlbertClassifierPreprocessor,
        AlbertMaskedLM,
        AlbertMaskedLMPreprocessor,
        AlbertMultipleChoice,
        AlbertMultipleChoicePreprocessor,
        AlbertPretrainer,
        AlbertPretrainerPreprocessor,
        AlbertQuestionAnswerer,
        AlbertQuestionAnswererPreprocessor,
        AlbertRegressor,
        AlbertRegressorPreprocessor,
        AlbertTextEmbedder,
        AlbertTextEmbedderPreprocessor,
        AlbertTokenClassifier,
        AlbertTokenClassifierPreprocessor,
    )
    from keras_albert.text import AlbertTokenizer, AlbertWordPieceTokenizer, train_vocabulary

__version__ = "0.1.0"

__all__ = [
    "AlbertBackbone",
    "AlbertClassifier",
    "AlbertClassifierPreprocessor",
    "AlbertMaskedLM",
    "AlbertMaskedLMPreprocessor",
    "AlbertMultipleChoice",
    "AlbertMultipleChoicePreprocessor",
    "AlbertPretrainer",
    "AlbertPretrainerPreprocessor",
    "AlbertQuestionAnswerer",
    "AlbertQuestionAnswererPreprocessor",
    "AlbertRegressor",
    "AlbertRegressorPreprocessor",
    "AlbertTextEmbedder",
    "AlbertTextEmbedderPreprocessor",
    "AlbertTokenClassifier",
    "AlbertTokenClassifierPreprocessor",
    "AlbertTokenizer",
    "AlbertWordPieceTokenizer",
    "add_pieces",
    "extend_positions",
    "keep_used_pieces",
    "layers",
    "resize_vocabulary",
    "train_vocabulary",
    "training",
]

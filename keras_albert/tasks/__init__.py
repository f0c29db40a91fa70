"""Tasks: a model and the preprocessor beside it, one file each."""

from keras_albert.tasks.class_predictions import ClassPrediction
from keras_albert.tasks.classifier import AlbertClassifier, AlbertClassifierPreprocessor
from keras_albert.tasks.fill_mask import Fill
from keras_albert.tasks.masked_lm import AlbertMaskedLM, AlbertMaskedLMPreprocessor
from keras_albert.tasks.multiple_choice import AlbertMultipleChoice, AlbertMultipleChoicePreprocessor, Choice
from keras_albert.tasks.pretrainer import AlbertPretrainer, AlbertPretrainerPreprocessor
from keras_albert.tasks.question_answering import (
    AlbertQuestionAnswerer,
    AlbertQuestionAnswererPreprocessor,
    AnswerSpan,
    QuestionAnswer,
)
from keras_albert.tasks.regressor import AlbertRegressor, AlbertRegressorPreprocessor
from keras_albert.tasks.text_embedder import AlbertTextEmbedder, AlbertTextEmbedderPreprocessor
from keras_albert.tasks.token_classification import AlbertTokenClassifier, AlbertTokenClassifierPreprocessor, Entity

__all__ = [
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
    "AnswerSpan",
    "Choice",
    "ClassPrediction",
    "Entity",
    "Fill",
    "QuestionAnswer",
]

"""Extractive question answering: model, preprocessor, and the way from logits to answers."""

from keras_albert.tasks.question_answering.answers import AnswerSpan, QuestionAnswer
from keras_albert.tasks.question_answering.model import AlbertQuestionAnswerer
from keras_albert.tasks.question_answering.preprocessor import AlbertQuestionAnswererPreprocessor

__all__ = ["AlbertQuestionAnswerer", "AlbertQuestionAnswererPreprocessor", "AnswerSpan", "QuestionAnswer"]

"""Multiple choice: one of several options to a question about a text, such as RACE's."""

from keras_albert.tasks.multiple_choice.model import AlbertMultipleChoice, Choice
from keras_albert.tasks.multiple_choice.preprocessor import AlbertMultipleChoicePreprocessor

__all__ = ["AlbertMultipleChoice", "AlbertMultipleChoicePreprocessor", "Choice"]

"""Conversion: a model in any format that is read becomes one in any format that is written."""

from keras_albert.conversion.conversion import TARGETS, Conversion, convert
from keras_albert.conversion.errors import CheckFailedError
from keras_albert.conversion.source import Source, open_source

__all__ = ["TARGETS", "CheckFailedError", "Conversion", "Source", "convert", "open_source"]

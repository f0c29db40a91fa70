"""Presets: the list of names, resolving a name, path or handle to weights, and keeping downloads."""

from keras_albert.presets.cache import CACHE_VARIABLE, CacheError, cache_folder
from keras_albert.presets.catalogue import BUILTIN_PRESETS, PRESETS, Preset
from keras_albert.presets.download import MIRROR_VARIABLE, DownloadError
from keras_albert.presets.handles import is_mixed_precision, stored_task
from keras_albert.presets.inspection import Description, describe
from keras_albert.presets.resolve import resolve

__all__ = [
    "BUILTIN_PRESETS",
    "CACHE_VARIABLE",
    "MIRROR_VARIABLE",
    "PRESETS",
    "CacheError",
    "Description",
    "DownloadError",
    "Preset",
    "cache_folder",
    "describe",
    "is_mixed_precision",
    "resolve",
    "stored_task",
]

"""Checkpoint formats: the weight table, Google's TensorFlow 1 checkpoints and releases, a NumPy reference."""

from keras_albert.checkpoints.attribute_path import variable_at
from keras_albert.checkpoints.checkpoint_files import SAFETENSORS_NAME, find_checkpoint, is_checkpoint
from keras_albert.checkpoints.exporting import google_variables
from keras_albert.checkpoints.google_checkpoint import GoogleCheckpoint
from keras_albert.checkpoints.google_config import GoogleConfig, read_google_config, to_google_config
from keras_albert.checkpoints.mismatch import CheckpointMismatchError
from keras_albert.checkpoints.reference import reference_outputs
from keras_albert.checkpoints.release import Release, ReleaseSummary, open_release
from keras_albert.checkpoints.weight_row import WeightRow
from keras_albert.checkpoints.weight_table import PARTS, parameter_count, table_for, weight_table

__all__ = [
    "PARTS",
    "SAFETENSORS_NAME",
    "CheckpointMismatchError",
    "GoogleCheckpoint",
    "GoogleConfig",
    "Release",
    "ReleaseSummary",
    "WeightRow",
    "find_checkpoint",
    "google_variables",
    "is_checkpoint",
    "open_release",
    "parameter_count",
    "read_google_config",
    "reference_outputs",
    "table_for",
    "to_google_config",
    "variable_at",
    "weight_table",
]

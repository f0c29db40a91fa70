"""Checkpoint formats: the weight table, Google's and Hugging Face's checkpoints, a NumPy reference."""

from keras_albert.checkpoints.attribute_path import variable_at
from keras_albert.checkpoints.checkpoint_files import SAFETENSORS_NAME, find_checkpoint, is_checkpoint
from keras_albert.checkpoints.exporting import google_variables
from keras_albert.checkpoints.google_checkpoint import GoogleCheckpoint
from keras_albert.checkpoints.google_config import GoogleConfig, read_google_config, to_google_config
from keras_albert.checkpoints.hugging_face import is_hugging_face, open_hugging_face
from keras_albert.checkpoints.keras_hub_names import keras_hub_path
from keras_albert.checkpoints.keras_hub_preset import REGISTERED, KerasHubFiles, open_keras_hub
from keras_albert.checkpoints.mismatch import CheckpointMismatchError
from keras_albert.checkpoints.reference import reference_outputs
from keras_albert.checkpoints.release import Release, ReleaseSummary, open_release
from keras_albert.checkpoints.task_head import TaskHead
from keras_albert.checkpoints.weight_row import WeightRow
from keras_albert.checkpoints.weight_table import PARTS, parameter_count, table_for, weight_table

__all__ = [
    "PARTS",
    "REGISTERED",
    "SAFETENSORS_NAME",
    "CheckpointMismatchError",
    "GoogleCheckpoint",
    "GoogleConfig",
    "KerasHubFiles",
    "Release",
    "ReleaseSummary",
    "TaskHead",
    "WeightRow",
    "find_checkpoint",
    "google_variables",
    "is_checkpoint",
    "is_hugging_face",
    "keras_hub_path",
    "open_hugging_face",
    "open_keras_hub",
    "open_release",
    "parameter_count",
    "read_google_config",
    "reference_outputs",
    "table_for",
    "to_google_config",
    "variable_at",
    "weight_table",
]

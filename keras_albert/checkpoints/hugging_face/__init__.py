"""Hugging Face's layout of ALBERT: `config.json` with safetensors or PyTorch weights, read and written."""

from keras_albert.checkpoints.hugging_face.config import (
    HuggingFaceConfig,
    read_hugging_face_config,
    to_hugging_face_config,
)
from keras_albert.checkpoints.hugging_face.files import HuggingFaceFiles, find_hugging_face_files, is_hugging_face
from keras_albert.checkpoints.hugging_face.release import open_hugging_face

__all__ = [
    "HuggingFaceConfig",
    "HuggingFaceFiles",
    "find_hugging_face_files",
    "is_hugging_face",
    "open_hugging_face",
    "read_hugging_face_config",
    "to_hugging_face_config",
]

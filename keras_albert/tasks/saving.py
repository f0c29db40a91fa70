"""Saving and quantizing a task, and compiling one that was saved compiled.

Functions, which each task takes as its methods; `keras_albert.tasks.raw_text` says why they are no base class.
"""

from typing import Any

import keras
import keras_hub

from keras_albert.presets.output_folder import filled_folder


def save_to_preset(self: keras_hub.models.Task, preset_dir: Any, max_shard_size: float | None = 10) -> None:
    """Save the task, its backbone and its preprocessor in Keras's preset layout; `from_preset` loads it.

    Args:
        preset_dir: the folder; files of the same names in it are replaced, all at the end.
        max_shard_size: gigabytes of the largest weight file.

    Raises:
        OutputError: the disk is full, or nothing may be written there; then the folder is as it was.
    """
    with filled_folder(preset_dir, self) as folder:
        keras_hub.models.Task.save_to_preset(self, str(folder), max_shard_size=max_shard_size)


def save_task_weights(self: keras_hub.models.Task, filepath: Any) -> None:
    """Write the weights of the heads, by their names, to a `.weights.h5` file.

    Unlike keras_hub's, the file holds neither the optimizer (whose slots are twice a model's size) nor anything that
    depends on how Keras lays out the model around the heads.
    """
    keras.saving.save_weights(_heads(self), filepath, objects_to_skip=[self.backbone.token_embedding])


def load_task_weights(self: keras_hub.models.Task, filepath: Any) -> None:
    """Read the weights of the heads from a `.weights.h5` file."""
    keras.saving.load_weights(_heads(self), filepath, objects_to_skip=[self.backbone.token_embedding])


def quantize(self: keras_hub.models.Task, mode: str, **kwargs: Any) -> None:
    """Quantize the backbone's kernels and tables; each shared one once. The heads, a small part, stay in float.

    Args:
        mode: "int8", or another mode of `keras.Model.quantize`.
        **kwargs: see `keras.Model.quantize`.
    """
    self.backbone.quantize(mode, **kwargs)
    self.train_function = self.test_function = self.predict_function = None  # they hold the float weights


def compile_from_config(self: keras_hub.models.Task, config: dict[str, Any]) -> None:
    """Compile as the saved model was, so that a `.keras` file goes on training where it stopped."""
    self.compile(**keras.saving.deserialize_keras_object(config))
    self.optimizer.build(self.trainable_variables)


def _heads(task: keras_hub.models.Task) -> keras.layers.Layer:
    bundle = keras.layers.Layer(name="heads")
    for name in task.head_names:
        setattr(bundle, name, getattr(task, name))
    bundle.built = True
    return bundle

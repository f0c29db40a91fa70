"""Opening a preset of keras_hub's ALBERT as a release, whose weights are read under Google's names."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from keras_albert.checkpoints.google_checkpoint import GoogleCheckpoint
from keras_albert.checkpoints.keras_hub_names import keras_hub_path
from keras_albert.checkpoints.matching import match_checkpoint
from keras_albert.checkpoints.mismatch import CheckpointMismatchError
from keras_albert.checkpoints.release import Release
from keras_albert.checkpoints.task_head import TaskHead
from keras_albert.checkpoints.translated_reader import Source, TranslatedReader
from keras_albert.checkpoints.weight_row import WeightRow
from keras_albert.checkpoints.weight_table import table_for

REGISTERED = "keras_hub>AlbertBackbone"
# keras_hub's MaskedLMHead has a default of its own.
_HEAD_EPSILON = 1e-5
_PROJECTION = ("embedding_projection/kernel", "embedding_projection/bias")


@dataclass(frozen=True)
class KerasHubFiles:
    """What a preset of keras_hub's says of itself.

    Args:
        source: A directory, or a handle that keras_hub takes.
        config: The content of its `config.json`.
        task: The content of its `task.json`; empty without one.
        config_path: The `config.json`.
        vocabulary: The SentencePiece model; `None` if there is none.
    """

    source: str
    config: Mapping[str, Any]
    task: Mapping[str, Any]
    config_path: Path
    vocabulary: Path | None


def open_keras_hub(files: KerasHubFiles) -> Release:
    """Opens a preset of keras_hub's ALBERT, by keras_hub's own loader.

    Args:
        files: What the preset says of itself.

    Returns:
        The release.

    Raises:
        ValueError: If the preset is damaged or does not fit its configuration.
        CheckpointMismatchError: If it has a projection where E = H, and the projection changes something.
    """
    backbone_config = _backbone_config(files.config["config"], files.config_path)
    rows = table_for(backbone_config)
    reader, head, notes = _open_model(files, rows)
    skipped = _settled_projection(reader, backbone_config, files.source)
    spelling = {row.google: path for row in rows if (path := keras_hub_path(row)) is not None}
    sources = {google: Source(path) for google, path in spelling.items() if path in reader.shapes}
    checkpoint = GoogleCheckpoint(files.source, TranslatedReader(reader, sources, spelling, skipped))
    return Release(
        origin=files.source,
        backbone_config=backbone_config,
        unknown_config={},
        defaulted_config=(),
        config_path=files.config_path,
        vocabulary_path=files.vocabulary,
        checkpoint=checkpoint,
        match=match_checkpoint(checkpoint, backbone_config),
        layout="keras_hub",
        head=head,
        notes=("activation gelu: keras_hub's ALBERT knows the tanh form only", *notes),
    )


class _ModelReader:
    """Reads the variables of a built keras_hub model in the shapes of ours."""

    def __init__(self, variables: Mapping[str, Any], rows: list[WeightRow], backbone_config: Mapping[str, Any]) -> None:
        self._variables = variables
        self._googles = {keras_hub_path(row): row for row in rows}
        self.skipped: dict[str, str] = {}
        self._sizes = backbone_config
        self.shapes = {path: self._shape(path, tuple(variable.shape)) for path, variable in variables.items()}

    def _shape(self, path: str, shape: tuple[int, ...]) -> tuple[int, ...]:
        """The shape in Google's order of axes; heads are no axis of their own there."""
        row = self._googles.get(path)
        if "/self_attention_layer/" in path:
            width = self._sizes["hidden_dim"]
            return (width, width) if path.endswith("kernel") else (width,)
        return shape[::-1] if row is not None and row.transposed else shape

    def read(self, name: str) -> np.ndarray:
        import keras

        row = self._googles.get(name)
        array = np.asarray(keras.ops.convert_to_numpy(keras.ops.cast(self._variables[name], "float32")))
        if row is not None and row.transposed:
            return array.T
        return array.reshape(self.shapes[name])

    def spelled(self, name: str) -> str:
        return name


def _open_model(files: KerasHubFiles, rows: list[WeightRow]) -> tuple[_ModelReader, TaskHead | None, list[str]]:
    import keras_hub

    name = str(files.task.get("registered_name", "")).removeprefix("keras_hub>")
    task_class = {
        "AlbertTextClassifier": keras_hub.models.AlbertTextClassifier,
        "AlbertMaskedLM": keras_hub.models.AlbertMaskedLM,
    }.get(name)
    config = _backbone_config(files.config["config"], files.config_path)
    try:
        if task_class is None:
            model = keras_hub.models.AlbertBackbone.from_preset(files.source, dtype="float32")
        else:
            model = task_class.from_preset(files.source, preprocessor=None, dtype="float32")
    except (ValueError, KeyError, OSError) as error:
        raise ValueError(f"keras_hub cannot load {files.source}: {error}. Copy or download it again.") from error
    reader = _ModelReader({variable.path: variable for variable in model.variables}, rows, config)
    if name == "AlbertTextClassifier":
        activation = files.task["config"].get("activation", "linear")
        is_linear = activation in (None, "linear")
        notes = [] if is_linear else [f"classifier_head: gives logits, without the origin's activation {activation!r}"]
        return reader, TaskHead("classifier_head", dropout=files.task["config"].get("dropout")), notes
    if name == "AlbertMaskedLM":
        note = f"head_layer_norm_epsilon {_HEAD_EPSILON}: that of keras_hub's masked LM head"
        return reader, TaskHead("masked_lm_head", layer_norm_epsilon=_HEAD_EPSILON), [note]
    return reader, None, []


def _backbone_config(config: Mapping[str, Any], origin: Path) -> dict[str, Any]:
    words = (
        "vocabulary_size",
        "num_layers",
        "num_heads",
        "num_groups",
        "num_inner_repetitions",
        "embedding_dim",
        "hidden_dim",
        "intermediate_dim",
        "max_sequence_length",
        "num_segments",
    )
    missing = [word for word in words if not isinstance(config.get(word), int)]
    if missing:
        raise ValueError(f"Expected whole numbers in the 'config' of {origin}. Missing or of another type: {missing}")
    rate = float(config.get("dropout", 0.0))
    return {word: config[word] for word in words} | {
        "hidden_dropout": rate,
        "attention_dropout": rate,
        "activation": "gelu",
        "initializer_range": 0.02,
        "sharing": "all",
        "layer_norm_epsilon": 1e-12,
    }


def _settled_projection(reader: _ModelReader, backbone_config: Mapping[str, Any], origin: str) -> dict[str, str]:
    """keras_hub projects where E = H too; only a projection that changes nothing can be left out."""
    if backbone_config["embedding_dim"] != backbone_config["hidden_dim"]:
        return {}
    kernel, bias = map(reader.read, _PROJECTION)
    if not np.array_equal(kernel, np.eye(len(kernel))) or bias.any():
        hint = (
            "embedding_dim equals hidden_dim, where Google's ALBERT has no projection, and this one changes its input."
        )
        raise CheckpointMismatchError(origin, unexpected=_PROJECTION, hints=[hint])
    return dict.fromkeys(_PROJECTION, "a projection that changes nothing")

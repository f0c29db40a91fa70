"""The model that is converted, whatever it lies in: weights by Google's names, head and tokenizer."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import keras
import keras_hub
import numpy as np

from keras_albert.backbone import AlbertBackbone
from keras_albert.checkpoints import Release, TaskHead, WeightRow, table_for, variable_at
from keras_albert.presets import resolve, stored_task
from keras_albert.presets.keras_preset import read_part
from keras_albert.tasks.preprocessor import AlbertPreprocessor
from keras_albert.text import AlbertTokenizer, AlbertWordPieceTokenizer, tokenizer_from_release

Tokenizer = AlbertTokenizer | AlbertWordPieceTokenizer
# The table's part that holds a head of width 1 over the pooled output.
_PARTS = {"regressor_head": "classifier_head", "choice_head": "classifier_head"}
_DROPOUTS = {
    "classifier_head": "classifier_dropout",
    "regressor_head": "regressor_dropout",
    "choice_head": "choice_dropout",
    "tag_head": "tag_dropout",
}


@dataclass(frozen=True)
class Source:
    """A model that is to be written in another format.

    Args:
        origin: what the user named.
        backbone_config: constructor arguments of the backbone.
        rows: for each part that is there, its rows of the weight table.
        read: returns the array of one of Google's names, in Google's order of axes.
        head: the task that the model is for, where it is known.
        num_classes: width of a classifier's, regressor's, choice's or tag head.
        tokenizer: the tokenizer; None if there is none.
        release: the release that all of it was read from; None if it was a Keras preset.
    """

    origin: str
    backbone_config: Mapping[str, Any]
    rows: Mapping[str, Sequence[WeightRow]]
    read: Callable[[str], np.ndarray]
    head: TaskHead | None
    num_classes: int | None
    tokenizer: Tokenizer | None
    release: Release | None = None

    @property
    def heads(self) -> set[str]:
        """Parts of the weight table that are there beside the backbone."""
        return set(self.rows) - {"backbone"}

    @property
    def has_pooler(self) -> bool:
        """Whether the pooler is there; some of Hugging Face's models have none."""
        return any(row.path.startswith("pooler/") for row in self.rows["backbone"])

    def arrays(self, dtype: str) -> Iterable[tuple[WeightRow, np.ndarray]]:
        """Yield each row with its array, in Google's order of axes, rounded to a dtype.

        Raises:
            ValueError: a weight is too large for the dtype.
        """
        for part in self.rows.values():
            for row in part:
                yield row, rounded(self.read(row.google), dtype, row.google)


def rounded(array: np.ndarray, dtype: str, name: str) -> np.ndarray:
    """Return an array in another dtype; bfloat16 is that of ml_dtypes.

    Raises:
        ValueError: a value is too large for the dtype.
    """
    import ml_dtypes

    array = np.asarray(array, "float32")
    if dtype == "bfloat16":
        return array.astype(ml_dtypes.bfloat16)
    if array.size and np.abs(array).max() > np.finfo(dtype).max:
        raise ValueError(f"The weight {name} has values that {dtype} cannot hold. Pass dtype='float32'.")
    return array.astype(dtype)


def open_source(source: str | os.PathLike[str]) -> Source:
    """Open what is to be converted.

    Args:
        source: whatever `from_preset` takes.

    Raises:
        ValueError: it is nothing of the kind, is damaged, or shares its weights in a way that no other format knows.
    """
    resolved = resolve(source)
    return _of_release(resolved) if isinstance(resolved, Release) else _of_preset(resolved, str(source))


def _of_release(release: Release) -> Source:
    return Source(
        origin=release.origin,
        backbone_config=release.backbone_config,
        rows=release.match.rows,
        read=release.checkpoint.read,
        head=release.head,
        num_classes=release.num_classes,
        tokenizer=None if release.vocabulary_path is None else tokenizer_from_release(release),
        release=release,
    )


def _of_preset(folder: str, origin: str) -> Source:
    name = stored_task(folder)
    task_class = None if name is None else keras.saving.get_registered_object(name)
    if task_class is None:
        model: Any = AlbertBackbone.from_preset(folder, dtype="float32")
        tokenizer = _stored_tokenizer(folder)
    else:
        model = task_class.from_preset(folder, dtype="float32")
        preprocessor = model.preprocessor
        tokenizer = preprocessor.tokenizer if isinstance(preprocessor, AlbertPreprocessor) else None
    backbone = getattr(model, "backbone", model)
    names = [name for name in getattr(model, "head_names", ()) if hasattr(model, name)]
    roots = {"backbone": backbone} | {_PARTS.get(name, name): getattr(model, name) for name in names}
    config = backbone.get_config()
    rows: dict[str, list[WeightRow]] = {part: [] for part in roots}
    variables = {}
    for row in table_for(config):
        if row.part in roots:
            rows[row.part].append(row)
            variables[row.google] = (variable_at(roots[row.part], row.path), row.transposed)

    def read(google: str) -> np.ndarray:
        variable, transposed = variables[google]
        array = np.asarray(keras.ops.convert_to_numpy(variable))
        return array.T if transposed else array

    head = _head_of(model, names) if isinstance(model, keras_hub.models.Task) else None
    return Source(origin, config, rows, read, head, _num_classes(model, head), tokenizer)


def _stored_tokenizer(folder: str) -> Tokenizer | None:
    name = read_part(Path(folder), "tokenizer").get("registered_name")
    found = None if name is None else keras.saving.get_registered_object(name)
    return None if found not in (AlbertTokenizer, AlbertWordPieceTokenizer) else found.from_preset(folder)


def _head_of(task: Any, names: Sequence[str]) -> TaskHead | None:
    if not names:
        return None
    config = task.get_config()
    name = "sentence_order_head" if "sentence_order_head" in names else names[0]
    dropout = config.get(_DROPOUTS[name]) if name in _DROPOUTS else None
    labels = config.get("tags") if name == "tag_head" else config.get("class_names")
    return TaskHead(
        name,
        class_names=tuple(labels) if labels else None,
        dropout=dropout,
        is_multi_label=bool(config.get("multi_label", False)),
        layer_norm_epsilon=config.get("head_layer_norm_epsilon"),
    )


def _num_classes(task: Any, head: TaskHead | None) -> int | None:
    if head is None or head.name not in _DROPOUTS:
        return None
    return int(getattr(task, head.name).kernel.shape[-1])


def _as_they_are(tokenizer: Tokenizer) -> Tokenizer:
    """Return a tokenizer on the same vocabulary that neither lower-cases texts nor strips accents."""
    name = "proto" if isinstance(tokenizer, AlbertTokenizer) else "vocabulary"
    options = {"lowercase": False, "strip_accents": False, name: tokenizer._vocabulary_source()}
    return type(tokenizer).from_config({**tokenizer.get_config(), **options})


def without(source: Source, names: Iterable[str]) -> Source:
    """Return the model without what the user lets go.

    Args:
        source: the model.
        names: heads, `class_names`, `tokenizer`, `attention_dropout` (which becomes the hidden dropout) or `lowercase`.

    Raises:
        ValueError: the model has nothing of a name.
    """
    for name in names:
        head = source.head
        if name in source.heads:
            rows = {part: rows for part, rows in source.rows.items() if part != name}
            keeps_head = head is not None and _PARTS.get(head.name, head.name) in rows
            source = replace(source, rows=rows, head=head if keeps_head else None)
        elif name == "class_names" and head is not None and head.class_names is not None:
            source = replace(source, head=replace(head, class_names=None))
        elif name == "tokenizer" and source.tokenizer is not None:
            source = replace(source, tokenizer=None)
        elif name == "attention_dropout":
            config = source.backbone_config
            config = {**config, "attention_dropout": config["hidden_dropout"]}
            source = replace(source, backbone_config=config)
        elif name == "lowercase" and source.tokenizer is not None:
            source = replace(source, tokenizer=_as_they_are(source.tokenizer))
        else:
            there = [*sorted(source.heads), "class_names", "tokenizer", "attention_dropout", "lowercase"]
            raise ValueError(
                f"Expected something that {source.origin} has, of {', '.join(there)}. Received: drop={name!r}"
            )
    return source

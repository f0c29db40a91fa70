"""Writing Hugging Face's layout: `config.json`, `model.safetensors` and the tokenizer's files."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

from keras_albert.checkpoints import TaskHead
from keras_albert.checkpoints.hugging_face import to_hugging_face_config
from keras_albert.conversion.source import Source

_PROJECTION = "albert.encoder.embedding_hidden_mapping_in"
_EPSILON = 1e-12
_PRETRAINING = {"masked_lm_head", "sentence_order_head"}


def refusals(source: Source) -> dict[str, str]:
    """Return what Hugging Face's layout has no place for, with the reason."""
    found = {}
    heads = source.heads
    if "verifier_head" in heads:
        found["verifier_head"] = "transformers' ALBERT finds spans without one"
    known = heads - {"verifier_head"}
    if len(known) > 1 and known != _PRETRAINING:
        found |= dict.fromkeys(
            sorted(known - {_part(source.head)}), "a model of transformers has one head, or both of pretraining"
        )
    elif known == {"sentence_order_head"}:
        found["sentence_order_head"] = "transformers' ALBERT has it beside a masked LM head only"
    needs_pooler = known & {"classifier_head", "sentence_order_head"} or not known
    if needs_pooler and not source.has_pooler:
        found["pooler"] = "transformers would make a random one"
    head, epsilon = source.head, source.backbone_config.get("layer_norm_epsilon", _EPSILON)
    if head is not None and head.layer_norm_epsilon not in (None, epsilon) and "masked_lm_head" in heads:
        found["masked_lm_head"] = (
            f"its layer norm's epsilon is {head.layer_norm_epsilon}, that of the backbone {epsilon}"
        )
    return found


def write(source: Source, folder: Path, dtype: str) -> None:
    """Write the files.

    Args:
        source: the model.
        folder: an empty folder.
        dtype: what to store the weights in.

    Raises:
        ValueError: transformers' ALBERT computes something else for the configuration, the tokenizer can't be written,
            or a weight is too large for the dtype.
    """
    head = _head(source)
    content = to_hugging_face_config(source.backbone_config, head, source.num_classes) | {"dtype": dtype}
    if source.tokenizer is not None:
        ids = {
            "pad_token_id": source.tokenizer.pad_token_id,
            "bos_token_id": source.tokenizer.start_token_id,
            "eos_token_id": source.tokenizer.end_token_id,
        }
        content |= ids
    (folder / "config.json").write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    prefix = "" if head is not None else "albert."
    arrays = {}
    for row, array in source.arrays(dtype):
        assert row.hugging_face is not None, row
        arrays[row.hugging_face.removeprefix(prefix)] = np.ascontiguousarray(array.T if row.is_turned else array)
    width = source.backbone_config["hidden_dim"]
    if source.backbone_config["embedding_dim"] == width:
        # There is a projection there whatever the sizes: one that changes nothing.
        some = next(iter(arrays.values())).dtype
        arrays[f"{_PROJECTION}.weight".removeprefix(prefix)] = np.eye(width).astype(some)
        arrays[f"{_PROJECTION}.bias".removeprefix(prefix)] = np.zeros(width, some)
    save_file(arrays, folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "model.safetensors").chmod((folder / "config.json").stat().st_mode & 0o777)  # others may read it too
    if source.tokenizer is not None:
        from keras_albert.text.hugging_face_export import write_hugging_face_tokenizer

        write_hugging_face_tokenizer(source.tokenizer, folder)


def _head(source: Source) -> TaskHead | None:
    """Return the head to write; where the origin doesn't say which it is, that whose weights are there."""
    if not source.heads:
        return None
    if source.head is not None:
        is_both = source.heads == _PRETRAINING
        return replace(source.head, name="sentence_order_head") if is_both else source.head
    (name,) = source.heads if len(source.heads) == 1 else ("sentence_order_head",)
    return TaskHead(name)


def _part(head: TaskHead | None) -> str | None:
    if head is None:
        return None
    return "classifier_head" if head.name in ("regressor_head", "choice_head") else head.name

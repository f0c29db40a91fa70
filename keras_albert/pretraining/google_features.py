"""Instances in the record files that Google's trainer reads, and the other way around.

`write_instance_to_example_files` of google-research/albert create_pretraining_data.py and `input_fn_builder` of its
run_pretraining.py.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from keras_albert.pretraining.example_messages import decode_examples, encode_examples, feature_names
from keras_albert.pretraining.record_files import count_records, read_records, write_records
from keras_albert.text.masking import MaskingVocabulary

__all__ = ["count_features", "read_features", "write_features"]

# Google's names. `next_sentence_labels` holds sentence order too: 0 = in order.
_NAMES = {
    "token_ids": "input_ids",
    "padding_mask": "input_mask",
    "segment_ids": "segment_ids",
    "mask_positions": "masked_lm_positions",
    "mask_ids": "masked_lm_ids",
    "mask_weights": "masked_lm_weights",
    "sentence_order_label": "next_sentence_labels",
}
_ROWS_AT_ONCE = 1024


def write_features(path: str | Path, instances: Mapping[str, np.ndarray], vocabulary: MaskingVocabulary) -> int:
    """Write instances for Google's trainer: int64 features, and float ones for the weights.

    Google's files also say of every token whether it begins a word (`token_boundary`), which its trainer asks for and
    does not use.

    Args:
        path: the file; its folder must be there. It is complete or not there.
        instances: the arrays that `make_instances` returns.
        vocabulary: word starts and special ids.

    Returns:
        The number of records.

    Raises:
        OutputError: the file cannot be written.
    """
    features = {theirs: instances[ours] for ours, theirs in _NAMES.items()}
    original_ids = _unmasked(instances)
    begins_word = vocabulary.word_starts[original_ids] | vocabulary.is_special[original_ids]
    features["token_boundary"] = begins_word & (instances["padding_mask"] == 1)
    starts = range(0, len(original_ids), _ROWS_AT_ONCE)
    return write_records(
        path,
        (
            encode_examples({name: array[start : start + _ROWS_AT_ONCE] for name, array in features.items()})
            for start in starts
        ),
    )


def _unmasked(instances: Mapping[str, np.ndarray]) -> np.ndarray:
    token_ids = instances["token_ids"].copy()
    rows, slots = np.nonzero(instances["mask_weights"])
    token_ids[rows, instances["mask_positions"][rows, slots]] = instances["mask_ids"][rows, slots]
    return token_ids


def read_features(
    path: str | Path,
    rows_at_once: int = _ROWS_AT_ONCE,
    first: int = 0,
    sequence_length: int | None = None,
) -> Iterator[dict[str, np.ndarray]]:
    """Read instances from a record file, some at a time.

    Args:
        path: the file.
        rows_at_once: instances in each part; the last one may have fewer.
        first: the number of the instance to begin with, from 0; those before are stepped over.
        sequence_length: the length S that every record must have; None takes the first one's. The number P of
            predictions is always the first one's.

    Yields:
        Arrays as `make_instances` returns them.

    Raises:
        ValueError: the file is damaged, lacks a feature, or has records of different lengths.
    """
    lengths: dict[str, int] = {}
    if sequence_length is not None:
        lengths = dict.fromkeys(("token_ids", "padding_mask", "segment_ids"), sequence_length)
    number = first
    for records in read_records(path, rows_at_once, first):
        try:
            decoded = decode_examples(records, list(_NAMES.values()))
        except ValueError as error:
            reason, index = error.args
            raise _wrong(path, number + index, reason) from error
        if number == first:
            lengths = _lengths_of_first(path, number, records[0], decoded) | lengths
        yield {ours: _stacked(path, number, ours, decoded[theirs], lengths[ours]) for ours, theirs in _NAMES.items()}
        number += len(records)


def count_features(path: str | Path) -> int:
    """Return the number of instances in a record file.

    Raises:
        ValueError: the file is damaged, or no record file.
    """
    return count_records(path)


def _lengths_of_first(
    path: str | Path, number: int, record: bytes, decoded: dict[str, list[np.ndarray]]
) -> dict[str, int]:
    missing = sorted(set(_NAMES.values()) - set(feature_names(record)))
    if missing:
        raise _wrong(
            path, number, f"it lacks {', '.join(missing)}, and has {', '.join(feature_names(record)) or 'none'}"
        )
    length, masks = len(decoded["input_ids"][0]), len(decoded["masked_lm_positions"][0])
    lengths = dict.fromkeys(_NAMES, length) | dict.fromkeys(("mask_positions", "mask_ids", "mask_weights"), masks)
    return lengths | {"sentence_order_label": 1}


def _stacked(path: str | Path, number: int, name: str, rows: list[np.ndarray], length: int) -> np.ndarray:
    for index, row in enumerate(rows):
        if len(row) != length:
            raise ValueError(
                f"Expected {_NAMES[name]} of {length} numbers in every record. Received: {path}, whose record "
                f"{number + index} (counted from 0) has {len(row)}. Give sequences of one length to a run, and name "
                "their length (sequence_length)."
            )
    stacked = np.stack(rows)
    if name == "mask_weights":
        return stacked.astype("float32")
    wrong = np.flatnonzero(((stacked < 0) | (stacked > np.iinfo("int32").max)).any(axis=1))
    if len(wrong):
        raise _wrong(path, number + int(wrong[0]), f"{_NAMES[name]} has a number below 0 or above 2,147,483,647")
    stacked = stacked.astype("int32")
    return stacked[:, 0] if name == "sentence_order_label" else stacked


def _wrong(path: str | Path, number: int, reason: str) -> ValueError:
    return ValueError(
        "Expected records as Google's create_pretraining_data.py writes them. Received: "
        f"{path}, whose record {number} (counted from 0) is another: {reason}."
    )

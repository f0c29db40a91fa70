"""The data of a run: where its rows come from, the rows that are held out, and the tokenizer of both."""

import glob
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from keras_albert.pretraining.batches import Instances, InstanceSource
from keras_albert.pretraining.document_source import DocumentSource, RowSettings
from keras_albert.pretraining.feature_source import FeatureSource
from keras_albert.pretraining.manifest import DOCUMENTS, FEATURES, read_manifest
from keras_albert.pretraining.pairs import PairSettings
from keras_albert.pretraining.settings import Pretraining
from keras_albert.pretraining.shards import DocumentData, open_data
from keras_albert.pretraining.tokenizer_folder import load_tokenizer
from keras_albert.text.masking import Masking, MaskingVocabulary
from keras_albert.text.packing import SpecialIds

if TYPE_CHECKING:
    from keras_albert.pretraining.tokenizer_folder import Tokenizer


@dataclass(frozen=True)
class RunData:
    """What a run trains on.

    Attributes:
        source: the rows to train on.
        held_out: the rows to evaluate on; None for no evaluation.
        tokenizer: the tokenizer of both.
        digest: a checksum of what the data are.
        facts: what a model card says of them.
    """

    source: InstanceSource
    held_out: Instances | None
    tokenizer: "Tokenizer"
    digest: str
    facts: dict[str, Any]


def open_run_data(settings: Pretraining) -> RunData:
    """Open the data that settings name.

    Raises:
        ValueError: data of no known form, damaged data, held-out data of another form or vocabulary; nothing held out.
    """
    if _is_documents(settings.data):
        return _documents(settings)
    return _features(settings)


def _is_documents(data: str) -> bool:
    folder = Path(data).expanduser()
    return (folder / "manifest.json").is_file() and read_manifest(folder).form == DOCUMENTS


def _documents(settings: Pretraining) -> RunData:
    data = _checked(settings.data)
    tokenizer = data.tokenizer()
    rows = _row_settings(settings, tokenizer)
    window = settings.shuffled_instances * settings.sequence_length
    share = 0.0 if settings.held_out_data else settings.held_out_share
    source = DocumentSource(data.shards, data.num_tokens, rows, window, share)
    count = settings.eval_batches * settings.batch_size
    held_out = None
    if settings.held_out_data:
        other = _checked(settings.held_out_data)
        other.check_tokenizer(tokenizer)
        held_out = DocumentSource(other.shards, other.num_tokens, rows, window).evaluation_rows(count, is_all=True)
    elif share:
        held_out = source.evaluation_rows(count, is_all=False)
    manifest = data.manifest
    facts = {
        "data": Path(settings.data).name,
        "files": len(manifest.sources),
        "documents": f"{manifest.documents:,}",
        "tokens": f"{manifest.tokens:,}",
        "held out": Path(settings.held_out_data).name if settings.held_out_data else f"{share:.1%} of the documents",
    }
    return RunData(source, _whole_batches(held_out, settings.batch_size), tokenizer, _digest(data), facts)


def _features(settings: Pretraining) -> RunData:
    files = _feature_files(settings.data)
    if not files:
        raise ValueError(
            "Expected a folder that `keras-albert build-data` wrote, or TFRecord files (a glob in quotes). "
            f"Received: data={settings.data!r}"
        )
    own = _built_features(settings.data)
    if settings.tokenizer is None and own is None:
        raise ValueError(
            "TFRecord files don't say which vocabulary they were made with. Name it: tokenizer=PRESET, or its file."
        )
    tokenizer = load_tokenizer(settings.tokenizer) if settings.tokenizer or own is None else own.tokenizer()
    source = _feature_source(settings, files, tokenizer)
    held_out = None
    if settings.held_out_data:
        other = _feature_source(settings, _feature_files(settings.held_out_data), tokenizer)
        held_out = other.evaluation_rows(settings.eval_batches * settings.batch_size)
    facts = {
        "data": f"{len(files)} TFRecord files, {files[0].name} …",
        "rows": f"{source.rows:,}",
        "held out": Path(settings.held_out_data).name if settings.held_out_data else "nothing",
    }
    digest = hashlib.sha256(json.dumps([[file.name, file.stat().st_size] for file in files]).encode()).hexdigest()
    return RunData(source, _whole_batches(held_out, settings.batch_size), tokenizer, digest, facts)


def _feature_source(settings: Pretraining, files: list[Path], tokenizer: "Tokenizer") -> FeatureSource:
    rows, size = settings.shuffled_instances, tokenizer.vocabulary_size()
    return FeatureSource(files, rows, settings.sequence_length, size, settings.seed)


def _feature_files(data: str) -> list[Path]:
    built = _built_features(data)
    if built is not None:
        built.check()
        return built.shards
    path = Path(data).expanduser()
    if path.is_dir():
        return sorted(path.glob("*.tfrecord*"))
    return [Path(name) for name in sorted(glob.glob(str(path)))]  # noqa: PTH207 - the pattern may be absolute


def _built_features(data: str) -> DocumentData | None:
    """Open a folder of features that `build_data` wrote; None where it is another."""
    folder = Path(data).expanduser()
    if not (folder / "manifest.json").is_file() or read_manifest(folder).form != FEATURES:
        return None
    return open_data(folder, FEATURES)


def _checked(folder: str) -> DocumentData:
    data = open_data(folder)
    data.check()
    return data


def _digest(data: DocumentData) -> str:
    content = [data.manifest.tokenizer["digest"], [shard.sha256 for shard in data.manifest.shards]]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def _row_settings(settings: Pretraining, tokenizer: "Tokenizer") -> RowSettings:
    special_ids = tokenizer.special_token_ids
    kind: Any = settings.pairs  # checked there
    return RowSettings(
        PairSettings(kind, settings.sequence_length, settings.short_sequences),
        Masking(
            share=settings.mask_share,
            max_masks=settings.slots,
            max_ngram=settings.max_ngram,
            favor_shorter_ngrams=settings.favor_shorter_ngrams,
            whole_words=settings.whole_words,
            permutation=settings.permutation,
        ),
        MaskingVocabulary.from_pieces(tokenizer.get_vocabulary(), tokenizer.mask_token_id, special_ids),
        SpecialIds(tokenizer.start_token_id, tokenizer.end_token_id, tokenizer.pad_token_id),
        settings.seed,
    )


def _whole_batches(rows: Instances | None, batch_size: int) -> Instances | None:
    """Leave out the rows that fill no batch, so that one shape is compiled; fewer rows than a batch stay."""
    if rows is None:
        return None
    count = len(rows["token_ids"])
    count -= count % batch_size if count > batch_size else 0
    return {name: array[:count] for name, array in rows.items()}

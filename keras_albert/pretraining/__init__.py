"""From raw text to a pretrained ALBERT: documents, sentence pairs, masks, batches, and the training run."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from keras_albert.pretraining.build import build_data
    from keras_albert.pretraining.build_settings import BuildProgress, BuildSettings
    from keras_albert.pretraining.corpus import Corpus, CorpusSettings, find_files
    from keras_albert.pretraining.corpus_vocabulary import vocabulary_from_files
    from keras_albert.pretraining.feature_writer import FeatureSettings
    from keras_albert.pretraining.run import Pretrained, pretrain
    from keras_albert.pretraining.settings import Pretraining
    from keras_albert.pretraining.shards import DocumentData, open_data, read_shard
    from keras_albert.pretraining.token_documents import TokenDocuments
    from keras_albert.pretraining.tokenizer_folder import load_tokenizer, write_tokenizer

# Imported at first use: the command line shows its help, and processes that tokenize start, without Keras.
_MODULES = {
    "BuildProgress": "build_settings",
    "BuildSettings": "build_settings",
    "Corpus": "corpus",
    "CorpusSettings": "corpus",
    "DocumentData": "shards",
    "FeatureSettings": "feature_writer",
    "Pretrained": "run",
    "Pretraining": "settings",
    "TokenDocuments": "token_documents",
    "build_data": "build",
    "find_files": "corpus",
    "load_tokenizer": "tokenizer_folder",
    "open_data": "shards",
    "pretrain": "run",
    "read_shard": "shards",
    "vocabulary_from_files": "corpus_vocabulary",
    "write_tokenizer": "tokenizer_folder",
}

__all__ = [
    "BuildProgress",
    "BuildSettings",
    "Corpus",
    "CorpusSettings",
    "DocumentData",
    "FeatureSettings",
    "Pretrained",
    "Pretraining",
    "TokenDocuments",
    "build_data",
    "find_files",
    "load_tokenizer",
    "open_data",
    "pretrain",
    "read_shard",
    "vocabulary_from_files",
    "write_tokenizer",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)

"""The settings of a build of pretraining data, and how far one is."""

from dataclasses import dataclass, field

from keras_albert.pretraining.corpus import CorpusSettings
from keras_albert.pretraining.feature_writer import FeatureSettings
from keras_albert.pretraining.manifest import DOCUMENTS, FEATURES


@dataclass(frozen=True)
class BuildSettings:
    """What decides the content of a folder of data.

    Args:
        corpus: how files are read.
        language: the language that paragraphs are split into sentences by.
        shard_characters: characters after which a file of the folder ends, at the next end of a document. A worker
            holds a file's content in memory; features take about 100 times as many bytes by default.
        features: how Google's features are made; None makes token documents, which are paired and masked while a model
            is trained.
    """

    corpus: CorpusSettings = field(default_factory=CorpusSettings)
    language: str = "en"
    shard_characters: int = 1_000_000
    features: FeatureSettings | None = None

    def __post_init__(self) -> None:
        if self.shard_characters < 1:
            raise ValueError(f"Expected a positive number. Received: shard_characters={self.shard_characters}")
        if not self.language.strip():
            raise ValueError(f'Expected the code of a language, such as "en". Received: language={self.language!r}')

    @property
    def form(self) -> str:
        """The form of the data."""
        return DOCUMENTS if self.features is None else FEATURES


@dataclass(frozen=True)
class BuildProgress:
    """How far a build is.

    Args:
        bytes_read: bytes of the files that are read.
        total_bytes: bytes of all files.
        shards: files that are written.
        tokens: tokens in them.
        kept_shards: those of them that an earlier, killed build has left.
    """

    bytes_read: int
    total_bytes: int
    shards: int
    tokens: int
    kept_shards: int

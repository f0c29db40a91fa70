"""The one list of presets: the one in the package, Google's releases, where they are, and what to expect in them.

Addresses and facts: the README of google-research/albert and Table 1 of the paper (arXiv 1909.11942). They are what to
expect; what a model is built from is always read from the `albert_config.json` in its archive.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

ARCHIVES = "https://storage.googleapis.com/albert_models"
BUNDLED = Path(__file__).with_name("bundled")


@dataclass(frozen=True)
class Preset:
    """A named release.

    Args:
        name: What the user writes.
        release: Google's name of it; two names may mean one release. That of the bundled one is its name.
        description: One sentence.
        config: The expected constructor arguments of the backbone; `None` where sources disagree, and only the
            archive's own configuration can tell.
        parameter_count: The expected number of weights of the backbone.
        tokenizer: `"sentencepiece"` or `"wordpiece"`.
        dtype: What the weights are stored in.
        is_bundled: Whether it is in the package, and needs no download.
    """

    name: str
    release: str
    description: str
    config: Mapping[str, Any]
    parameter_count: int
    tokenizer: str
    dtype: str = "float32"
    is_bundled: bool = False

    @property
    def bundled_folder(self) -> Path:
        """Where the package holds it, if it does."""
        return BUNDLED / self.release

    @property
    def archive(self) -> str:
        """The archive's file name."""
        return f"{self.release}.tar.gz"

    @property
    def address(self) -> str:
        """Where Google keeps the archive of what is not bundled."""
        return f"{ARCHIVES}/{self.archive}"

    def differences(self, backbone_config: Mapping[str, Any], parameter_count: int) -> dict[str, Any]:
        """Compares a release with what is expected of it.

        Args:
            backbone_config: The release's own configuration.
            parameter_count: The number of weights of its backbone.

        Returns:
            For each word that differs, `{"expected": ..., "received": ...}`.
        """
        expected = {**self.config, "parameter_count": self.parameter_count}
        received = {**backbone_config, "parameter_count": parameter_count}
        return {
            word: {"expected": value, "received": received.get(word)}
            for word, value in expected.items()
            if value is not None and value != received.get(word)
        }


# hidden_dim, num_layers, num_heads, intermediate_dim; parameters of the English and of the Chinese backbone. Pages,
# archives and languages disagree on the heads of xlarge (16 or 32), which no shape reveals.
_SIZES: dict[str, tuple[int, int, int | None, int, int, int]] = {
    "base": (768, 12, 12, 3072, 11_683_584, 10_547_968),
    "large": (1024, 24, 16, 4096, 17_683_968, 16_548_352),
    "xlarge": (2048, 24, None, 8192, 58_724_864, 57_589_248),
    "xxlarge": (4096, 12, 64, 16384, 222_595_584, 221_459_968),
}


def _preset(name: str, size: str, version: str) -> Preset:
    hidden_dim, num_layers, num_heads, intermediate_dim, english_count, chinese_count = _SIZES[size]
    chinese = version == "zh"
    # v1 was trained with dropout, except for xxlarge; v2 and the Chinese models without (google-research/albert#23).
    dropout = 0.1 if version == "v1" and size != "xxlarge" else 0.0
    config = {
        "vocabulary_size": 21128 if chinese else 30000,
        "embedding_dim": 128,
        "hidden_dim": hidden_dim,
        "intermediate_dim": intermediate_dim,
        "num_layers": num_layers,
        # Google's page and other sources disagree on the Chinese xxlarge too (64 or 16).
        "num_heads": None if chinese and size == "xxlarge" else num_heads,
        "num_groups": 1,
        "num_inner_repetitions": 1,
        "sharing": "all",
        "max_sequence_length": 512,
        "num_segments": 2,
        "hidden_dropout": dropout,
        "attention_dropout": dropout,
        "activation": "relu" if chinese else "gelu",
        "initializer_range": None if chinese else 0.02,
    }
    language = "Chinese (characters and WordPiece)" if chinese else f"English, uncased, {version}"
    return Preset(
        name=name,
        release=f"albert_{size}_{version}",
        description=f"ALBERT {size}, {language}: {num_layers} layers of width {hidden_dim}.",
        config=MappingProxyType(config),
        parameter_count=chinese_count if chinese else english_count,
        tokenizer="wordpiece" if chinese else "sentencepiece",
    )


# Pretrained by `keras-albert pretrain`; `bundled/albert_tiny/README.md` says how.
_TINY = Preset(
    name="albert_tiny",
    release="albert_tiny",
    description="ALBERT of 4 layers of width 256 for trying things out, English, uncased; in the package.",
    config=MappingProxyType(
        {
            "vocabulary_size": 8000,
            "embedding_dim": 128,
            "hidden_dim": 256,
            "intermediate_dim": 1024,
            "num_layers": 4,
            "num_heads": 4,
            "num_groups": 1,
            "num_inner_repetitions": 1,
            "sharing": "all",
            "max_sequence_length": 128,
            "num_segments": 2,
            "hidden_dropout": 0.0,
            "attention_dropout": 0.0,
            "activation": "relu",
            "initializer_range": 0.05,
        }
    ),
    parameter_count=1_929_472,
    tokenizer="sentencepiece",
    dtype="float16",
    is_bundled=True,
)


def _presets() -> dict[str, Preset]:
    endings = (("", "v2"), ("_v1", "v1"), ("_v2", "v2"), ("_zh", "zh"))
    listed = [_preset(f"albert_{size}{ending}", size, version) for ending, version in endings for size in _SIZES]
    return {preset.name: preset for preset in (_TINY, *listed)}


PRESETS: Mapping[str, Preset] = MappingProxyType(_presets())

# In keras_hub's form, for the attribute `presets` of every class that has `from_preset`.
BUILTIN_PRESETS: dict[str, dict[str, Any]] = {
    name: {"metadata": {"description": preset.description, "params": preset.parameter_count}}
    for name, preset in PRESETS.items()
}

"""From the names in a checkpoint file to the names of the weight table: prefixes, spellings and what is left out.

Optimizer slots: google-research/albert `optimization.py`, `lamb_optimizer.py`, `export_checkpoints.py`.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

MODULE_PREFIX = "module/"
SLOT = "optimizer slot"
STEP = "training step"
UNTRAINED = "left by the TF-Hub module that fine-tuning started from, not trained with it"

_SLOT_NAMES = ("adam_m", "adam_v", "lamb_m", "lamb_v")
_STEP_NAMES = ("global_step", "beta1_power", "beta2_power")

# A layer norm is `LayerNorm`, then `LayerNorm_1`; ports to TensorFlow 2 write `layer_normalization_N`, counted over the
# whole model, in a scope `group_G_N/layer_N` of each layer where they are not shared (google-research/albert#241).
_LAYER_NORM = re.compile(r"(?P<scope>bert|cls)/(?P<rest>.*?)/(?:LayerNorm|layer_normalization)(?:_(?P<number>\d+))?/")
_LAYER_SCOPE = re.compile(r"/(?P<group>group_\d+)(?:_\d+)?/(?:layer_\d+/)?(?P<inner>inner_group_\d+)$")


@dataclass
class StoredNames:
    """Which stored variables serve which name of the weight table.

    Args:
        sources: For each name of a weight, the stored variables that claim it; more than one is a layer norm that
            was not shared between layers.
        skipped: For each stored variable that is knowingly left out, the reason.
    """

    sources: dict[str, tuple[str, ...]] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)


def organize(stored: Iterable[str]) -> StoredNames:
    """Sorts the names of a checkpoint file.

    Args:
        stored: Every name in the file.

    Returns:
        The names of weights with their sources, and the names that are left out. Every stored name is in one of them.

    Example:

    >>> names = organize(["module/bert/pooler/dense/bias", "module/bert/pooler/dense/bias/adam_m", "global_step"])
    >>> names.sources
    {'bert/pooler/dense/bias': ('module/bert/pooler/dense/bias',)}
    >>> names.skipped
    {'global_step': 'training step', 'module/bert/pooler/dense/bias/adam_m': 'optimizer slot'}
    """
    stored = sorted(stored)
    skipped = _skipped(stored)
    weights = [name for name in stored if name not in skipped]
    from_module = [name for name in weights if name.startswith(MODULE_PREFIX)]
    if from_module and len(from_module) < len(weights):
        skipped |= {name: UNTRAINED for name in from_module if name.startswith(f"{MODULE_PREFIX}cls/")}
    sources: dict[str, list[str]] = defaultdict(list)
    spelled = _spelled({name: name.removeprefix(MODULE_PREFIX) for name in weights if name not in skipped})
    for name, canonical in spelled.items():
        sources[canonical].append(name)
    return StoredNames({name: tuple(sorted(sources[name])) for name in sorted(sources)}, skipped)


def _skipped(stored: list[str]) -> dict[str, str]:
    known = set(stored)
    skipped = {}
    for name in stored:
        parent, _, last = name.rpartition("/")
        if name.removeprefix(MODULE_PREFIX) in _STEP_NAMES:
            skipped[name] = STEP
        # TF1 names a slot VARIABLE/SLOT, whatever the optimizer.
        elif last in _SLOT_NAMES or parent in known:
            skipped[name] = SLOT
    return skipped


def _spelled(names: dict[str, str]) -> dict[str, str]:
    """Writes every layer norm as Google does, where its scope holds as many as Google's."""
    numbers: dict[str, set[int]] = defaultdict(set)
    for name in names.values():
        match = _LAYER_NORM.match(name)
        if match:
            numbers[match["scope"] + "/" + match["rest"]].add(int(match["number"] or 0))
    return {stored: _google_spelling(name, numbers) for stored, name in names.items()}


def _google_spelling(name: str, numbers: dict[str, set[int]]) -> str:
    match = _LAYER_NORM.match(name)
    if not match:
        return name
    scope = match["scope"] + "/" + match["rest"]
    in_layer = _LAYER_SCOPE.search(scope)
    order = sorted(numbers[scope])
    if len(order) != (2 if in_layer else 1):
        return name
    layer_norm = ("LayerNorm", "LayerNorm_1")[order.index(int(match["number"] or 0))]
    shared_scope = _LAYER_SCOPE.sub(r"/\g<group>/\g<inner>", scope)
    return f"{shared_scope}/{layer_norm}/{name[match.end() :]}"

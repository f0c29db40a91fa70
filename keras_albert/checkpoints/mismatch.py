"""The error that says how a checkpoint differs from its configuration, and the hints that go with it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from keras_albert.checkpoints.google_config import GOOGLE_KEYS
from keras_albert.checkpoints.weight_row import WeightRow

_SHOWN = 40


@dataclass(frozen=True)
class ShapeMismatch:
    """A variable whose shape is not the one that the configuration asks for.

    Args:
        row: The weight.
        expected: The shape that it should have, in Google's order of axes.
        received: The shape that it has, likewise.
        spelled: The name that the checkpoint uses; Google's if left out.
    """

    row: WeightRow
    expected: tuple[int, ...]
    received: tuple[int, ...]
    spelled: str | None = None

    def __str__(self) -> str:
        """The name and both shapes."""
        name = self.spelled or self.row.google
        order = "" if name == self.row.google else " (in Google's order of axes)"
        return f"{name}: expected {self.expected}, received {self.received}{order}"


class CheckpointMismatchError(ValueError):
    """A checkpoint that does not hold the variables that its configuration asks for.

    Args:
        origin: The checkpoint.
        missing: Names that the configuration asks for and the checkpoint lacks.
        unexpected: Names in the scopes of the model that the configuration has no place for.
        wrongly_shaped: Variables of another shape.
        hints: Sentences on what is likely wrong.
    """

    def __init__(
        self,
        origin: Any,
        missing: Iterable[str] = (),
        unexpected: Iterable[str] = (),
        wrongly_shaped: Iterable[ShapeMismatch] = (),
        hints: Iterable[str] = (),
    ) -> None:
        """Keeps the lists whole; the message shortens long ones."""
        self.missing, self.unexpected = tuple(missing), tuple(unexpected)
        self.wrongly_shaped, self.hints = tuple(wrongly_shaped), tuple(hints)
        lines = [f"The checkpoint {origin} does not fit its configuration."]
        lines += _section("Missing", self.missing)
        lines += _section("Unexpected", self.unexpected)
        lines += _section("Wrongly shaped", self.wrongly_shaped)
        lines += [f"Hint: {hint}" for hint in self.hints]
        super().__init__("\n".join(lines))


def _section(title: str, entries: Sequence[Any]) -> list[str]:
    if not entries:
        return []
    lines = [f"{title} ({len(entries)}):", *(f"  {entry}" for entry in entries[:_SHOWN])]
    return lines + ([f"  and {len(entries) - _SHOWN} more"] if len(entries) > _SHOWN else [])


def hints_for(
    backbone_config: Mapping[str, Any], names: Sequence[str], wrongly_shaped: Sequence[ShapeMismatch]
) -> list[str]:
    """Guesses which key of the configuration is not the checkpoint's.

    Args:
        backbone_config: Constructor arguments of the backbone.
        names: The names of the checkpoint's weights.
        wrongly_shaped: The variables of another shape.

    Returns:
        One sentence for each key.
    """
    hints = _size_hints(backbone_config, wrongly_shaped)
    for pattern, word in ((r"/group_(\d+)/", "num_groups"), (r"/inner_group_(\d+)/", "num_inner_repetitions")):
        numbers = {int(number) for name in names for number in re.findall(pattern, name)}
        if numbers and max(numbers) + 1 != backbone_config[word]:
            hints.append(_disagreement(word, backbone_config[word], max(numbers) + 1))
    has_projection = any("/embedding_hidden_mapping_in/" in name for name in names)
    if has_projection != (backbone_config["embedding_dim"] != backbone_config["hidden_dim"]):
        found = "a projection, so 'embedding_size' and 'hidden_size' differ there"
        absent = "no projection, so 'embedding_size' and 'hidden_size' are equal there"
        hints.append(f"the checkpoint has {found if has_projection else absent}.")
    return hints


def _size_hints(backbone_config: Mapping[str, Any], wrongly_shaped: Sequence[ShapeMismatch]) -> list[str]:
    received: dict[str, set[int]] = {}
    for mismatch in wrongly_shaped:
        words = mismatch.row.google_words
        if len(words) == len(mismatch.received):
            for word, expected, size in zip(words, mismatch.expected, mismatch.received, strict=True):
                if expected != size and word in GOOGLE_KEYS:
                    received.setdefault(str(word), set()).add(size)
    return [
        _disagreement(word, backbone_config[word], sizes.pop()) for word, sizes in received.items() if len(sizes) == 1
    ]


def _disagreement(word: str, expected: int, received: int) -> str:
    return f"{GOOGLE_KEYS[word]!r} is {expected} in the configuration, but the checkpoint's variables say {received}."

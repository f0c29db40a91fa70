"""Fonts, colours and saving of the pictures."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font, get_font_names

from keras_albert.presets.output_folder import writing

TRAIN, DEV, FAINT = "#7a8794", "#c2410c", "#9aa3ab"
# The first of these that is installed draws what the default font lacks, such as Chinese class names.
_MORE_FONTS = ("Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "Microsoft YaHei", "PingFang SC", "SimHei")
_LONGEST_NAME = 26
STYLE: dict[str, Any] = {
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def font_families() -> list[str]:
    """Return the fonts to draw with: the first that has a character draws it."""
    return ["DejaVu Sans", *(name for name in _MORE_FONTS if name in get_font_names())]


def save_picture(figure: Figure, path: str | Path) -> None:
    """Write a figure as a PNG, which appears when it is whole.

    Raises:
        OutputError: the file cannot be written.
    """
    path = Path(path)
    temporary = path.with_name(f".{path.name}")
    with writing(path):
        try:
            figure.savefig(temporary, format="png", dpi=130)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)


def drawable_name(name: str, number: int, families: Sequence[str]) -> str:
    """Return a class's name as it can be drawn: shortened, or its number where no font has its characters."""
    if drawable(name, families) != name:
        return f"class {number}"
    half = _LONGEST_NAME // 2
    return name if len(name) <= _LONGEST_NAME else f"{name[: half - 1]}…{name[-half:]}"


def drawable(text: str, families: Sequence[str]) -> str:
    """Replace the characters that no font has by question marks."""
    fonts = [get_font(findfont(FontProperties(family=family))) for family in families]
    return "".join(
        character if any(font.get_char_index(ord(character)) for font in fonts) else "?" for character in text
    )


def label_ends(axes: Axes, ends: Mapping[str, tuple[float, str]]) -> None:
    """Write each line's name beside its last point, apart from each other where the points are close.

    Args:
        axes: the axes.
        ends: the last value and the colour of each line, by its name; one or two of them.
    """
    low, high = axes.get_ylim()
    apart = 0.1 * (high - low)
    places = sorted((value if math.isfinite(value) else low, name, color) for name, (value, color) in ends.items())
    heights = [place[0] for place in places]
    if len(heights) == 2 and heights[1] - heights[0] < apart:
        middle = sum(heights) / 2
        heights = [middle - apart / 2, middle + apart / 2]
    for height, (_, name, color) in zip(heights, places, strict=True):
        axes.annotate(
            name,
            (axes.get_xlim()[1], height),
            (8, 0),
            textcoords="offset points",
            va="center",
            color=color,
            annotation_clip=False,
        )

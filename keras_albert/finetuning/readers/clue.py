"""Chinese tasks in their official files: CLUE's JSON lines, and LCQMC's table.

https://github.com/CLUEbenchmark/CLUE for TNEWS, AFQMC, OCNLI and CMNLI; Liu et al. 2018, "LCQMC".
"""

from collections.abc import Mapping
from types import MappingProxyType

from keras_albert.finetuning.readers.glue import NLI_CLASSES
from keras_albert.finetuning.readers.layouts import Layout

_BINARY = ("0", "1")
# 105 and 111 are not in use.
_NEWS = tuple(str(number) for number in range(100, 117) if number not in (105, 111))


def _sentences(class_names: tuple[str, ...], partly_gold: bool = False) -> Layout:
    return Layout("jsonl", "sentence1", "label", "sentence2", id="id", class_names=class_names, partly_gold=partly_gold)


CLUE_LAYOUTS: Mapping[str, Layout] = MappingProxyType(
    {
        "tnews": Layout("jsonl", "sentence", "label", id="id", class_names=_NEWS),
        "afqmc": _sentences(_BINARY),
        "ocnli": _sentences(NLI_CLASSES, partly_gold=True),
        "cmnli": _sentences(NLI_CLASSES, partly_gold=True),
        # Harbin's own files have no header, copies of them do.
        "lcqmc": Layout(
            "tsv", "text_a", "label", "text_b", class_names=_BINARY, headerless=("text_a", "text_b", "label")
        ),
    }
)

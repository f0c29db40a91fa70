"""GLUE's tasks in the files and columns that GLUE gives them.

The processors of google-research/albert classifier_utils.py; paper appendix A.3. Classes have Google's order.
"""

from collections.abc import Mapping
from types import MappingProxyType

from keras_albert.finetuning.readers.layouts import Layout

NLI_CLASSES = ("contradiction", "entailment", "neutral")
_ENTAILMENT = ("entailment", "not_entailment")
_BINARY = ("0", "1")


def _pairs(first: str, second: str, label: str | None, class_names: tuple[str, ...] | None, **more: object) -> Layout:
    return Layout("tsv", first, label, second, class_names=class_names, **more)  # type: ignore[arg-type]


_MNLI = _pairs("sentence1", "sentence2", "gold_label", NLI_CLASSES, partly_gold=True)

GLUE_LAYOUTS: Mapping[str, Layout] = MappingProxyType(
    {
        # Training and dev files have no header: source, label, the source's own mark, sentence.
        "cola": Layout(
            "tsv", "sentence", "label", class_names=_BINARY, headerless=("source", "label", "mark", "sentence")
        ),
        "sst-2": Layout("tsv", "sentence", "label", class_names=_BINARY),
        "mrpc": _pairs("#1 String", "#2 String", "Quality", _BINARY),
        "sts-b": _pairs("sentence1", "sentence2", "score", None),
        # Some rows of the training file lack their last columns; Google's reader skips them, and takes longer ones.
        "qqp": _pairs("question1", "question2", "is_duplicate", _BINARY, id="id", ragged=True),
        "mnli": _MNLI,
        "mnli-mm": _MNLI,
        "qnli": _pairs("question", "sentence", "label", _ENTAILMENT),
        "rte": _pairs("sentence1", "sentence2", "label", _ENTAILMENT),
        "wnli": _pairs("sentence1", "sentence2", "label", _BINARY),
        # The diagnostic set, which a model of MNLI answers; GLUE keeps its labels.
        "ax": _pairs("sentence1", "sentence2", None, NLI_CLASSES),
    }
)

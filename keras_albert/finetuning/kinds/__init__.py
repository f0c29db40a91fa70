"""Kinds of tasks: what a run builds, answers and scores; one file each."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from keras_albert.finetuning.kinds.classification import Classification
from keras_albert.finetuning.kinds.kind import Kind
from keras_albert.finetuning.kinds.multiple_choice import MultipleChoice
from keras_albert.finetuning.kinds.question_answering import QuestionAnswering
from keras_albert.finetuning.kinds.regression import Regression
from keras_albert.finetuning.kinds.tagging import Tagging

KINDS: Mapping[str, type[Kind]] = MappingProxyType(
    {kind.name: kind for kind in (Classification, Regression, Tagging, QuestionAnswering, MultipleChoice)}
)

__all__ = [
    "KINDS",
    "Classification",
    "Kind",
    "MultipleChoice",
    "QuestionAnswering",
    "Regression",
    "Tagging",
    "kind_from_dict",
]


def kind_from_dict(content: Mapping[str, Any]) -> Kind:
    """Return the kind that `Kind.as_dict` gave, as JSON keeps it.

    Raises:
        ValueError: no such kind.

    Example:
        >>> kind_from_dict({"name": "classification", "class_names": ["no", "yes"]}).class_names
        ('no', 'yes')
    """
    name = str(content.get("name"))
    if name not in KINDS:
        raise ValueError(f"Expected a kind of task among {', '.join(KINDS)}. Received: {name!r}")
    options: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in content.items()
    }
    return KINDS[name](**{key: value for key, value in options.items() if key != "name"})

"""A tag for every word, such as those of named entities.

BERT's paper (arXiv 1810.04805, section 5.3) has the task; the figures are those of CoNLL's scorer.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from keras_albert.finetuning.kinds.kind import Kind
from keras_albert.finetuning.metrics.metrics import Metrics
from keras_albert.finetuning.metrics.tagging import TAGGING_FIGURES, tagging_metrics
from keras_albert.finetuning.readers.tagged import TaggedExamples
from keras_albert.tasks.token_classification import AlbertTokenClassifier, Entity
from keras_albert.tasks.token_classification.entities import OUTSIDE, chunks, entities_of, has_prefix
from keras_albert.tasks.token_classification.prediction import best_tags
from keras_albert.tasks.token_classification.words import split_words


@dataclass(frozen=True)
class TaggedAnswers:
    """The tags of N texts' words.

    Args:
        tags: the tag of each word, a list for each text.
        entities: the entities of each text, with their places in it.
        confidences: mean probability of each text's tags, in [0, 1]; 1 for a text without words.
    """

    tags: list[list[str]]
    entities: list[list[Entity]]
    confidences: list[float]


@dataclass(frozen=True)
class Tagging(Kind):
    """Texts whose words each have a tag: in BIO, IOB1, BIOES or BILOU, or a plain label.

    Args:
        main_metric: "f1" of entities, as by default, "precision", "recall", or "accuracy" of words.
        tags: the tags in the order of their numbers; None takes those of the training rows (see `tags_of`).

    Raises:
        ValueError: no such figure.
    """

    tags: tuple[str, ...] | None = None

    name: ClassVar[str] = "tagging"
    task_class: ClassVar[type[AlbertTokenClassifier]] = AlbertTokenClassifier
    rows_class: ClassVar[type[TaggedExamples]] = TaggedExamples
    dropout_option: ClassVar[str] = "tag_dropout"

    def __post_init__(self) -> None:
        """Check the main metric before anything is trained."""
        if self.main_metric is not None and self.main_metric not in TAGGING_FIGURES:
            raise ValueError(
                f"Expected main_metric among {', '.join(TAGGING_FIGURES)}. Received: main_metric={self.main_metric!r}"
            )

    def task_options(self, train: TaggedExamples) -> dict[str, Any]:
        """Return the tags."""
        return {"tags": list(self.tags) if self.tags is not None else tags_of(_gold(train))}

    def rows_of_texts(self, texts: list[str], source: str) -> TaggedExamples:
        """Return texts as rows, split into words as the preprocessor does by default."""
        return TaggedExamples(texts, [split_words(text) for text in texts], source=source)

    def training_data(self, rows: TaggedExamples, model: AlbertTokenClassifier) -> tuple[Any, Any]:
        """Return the words and the tags, a list of each for each text."""
        tags = _gold(rows)
        unknown = sorted({tag for row in tags for tag in row} - set(model.tags))
        if unknown:
            raise ValueError(
                f"Expected tags among {list(model.tags)} in {rows.source}. Received: {unknown[:5]}. "
                "Give the kind all tags: Tagging(tags=...)."
            )
        return rows.words, tags

    def answer(
        self, model: AlbertTokenClassifier, rows: TaggedExamples, batch_size: int, verbose: str | int = 0
    ) -> TaggedAnswers:
        """Tag the words of rows."""
        tags: list[list[str]] = []
        entities: list[list[Entity]] = []
        confidences: list[float] = []
        logits = model.predict(rows.words, batch_size=batch_size, verbose=verbose)
        for row_logits, spans, text in zip(logits, rows.word_spans, rows.texts, strict=True):
            row_tags, probabilities = best_tags(row_logits, model.tags)
            tags.append(row_tags)
            entities.append(entities_of(row_tags, probabilities, spans, text))
            confidences.append(float(np.mean(probabilities)) if probabilities else 1.0)
        return TaggedAnswers(tags, entities, confidences)

    def score(self, rows: TaggedExamples, answers: TaggedAnswers) -> Metrics:
        """Compare answers with the tags of the rows; see `tagging_metrics`."""
        return tagging_metrics(_gold(rows), answers.tags, self.main_metric or "f1")

    def table(self, rows: TaggedExamples, answers: TaggedAnswers) -> dict[str, list[Any]]:
        """Return `id` and `label` where there are some, `text`, `prediction` and `probability`.

        Labels and predictions are entities such as `[LOC New York] [PER Anna]`.
        """
        columns: dict[str, list[Any]] = {} if rows.ids is None else {"id": list(rows.ids)}
        columns["text"] = list(rows.texts)
        if rows.tags is not None:
            gold = [
                entities_of(tags, [1.0] * len(tags), spans, text)
                for tags, spans, text in zip(rows.tags, rows.word_spans, rows.texts, strict=True)
            ]
            columns["label"] = [_written(entities) for entities in gold]
        columns["prediction"] = [_written(entities) for entities in answers.entities]
        return columns | {"probability": list(answers.confidences)}

    def errors(self, rows: TaggedExamples, answers: TaggedAnswers) -> np.ndarray:
        """Return how many entities of each text are missed or wrongly found, float (N,)."""
        pairs = zip(_gold(rows), answers.tags, strict=True)
        return np.array([len(set(chunks(gold)) ^ set(chunks(found))) for gold, found in pairs], "float64")


def tags_of(rows: Iterable[Iterable[str]]) -> list[str]:
    """Return the tags that occur, O first and the others sorted; with prefixes each type gets all of these.

    So a type of which the training rows have only B, as entities of one word, has I too.

    Raises:
        ValueError: fewer than two tags.

    Example:
        >>> tags_of([["O", "B-LOC"], ["B-PER", "I-PER"]])
        ['O', 'B-LOC', 'B-PER', 'I-LOC', 'I-PER']
    """
    there = {tag for row in rows for tag in row}
    prefixed = {tag for tag in there if has_prefix(tag) and len(tag) > 1}
    types, prefixes = {tag[1:] for tag in prefixed}, {tag[0] for tag in prefixed}
    there |= {prefix + kind for prefix in prefixes for kind in types}
    if len(there) < 2:
        raise ValueError(f"Expected at least two different tags in the training rows. Received: {sorted(there)}")
    return sorted(there, key=lambda tag: (tag != OUTSIDE, tag))


def _gold(rows: TaggedExamples) -> list[list[str]]:
    if rows.tags is None:
        raise ValueError(f"Expected tags in {rows.source}. Received: none. Name the column that holds them.")
    return rows.tags


def _written(entities: Iterable[Entity]) -> str:
    return " ".join(f"[{entity.label} {entity.text}]" for entity in entities)

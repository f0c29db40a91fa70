"""Entity-level figures, worked out by hand."""

import pytest

from keras_albert.finetuning.metrics.tagging import tagging_metrics

pytestmark = pytest.mark.any_backend


def test_figures_of_hand_counted_entities():
    gold = ["B-PER I-PER O B-LOC", "O B-LOC I-LOC O", "B-PER O"]
    found = ["B-PER I-PER O B-PER", "O B-LOC O O", "B-PER I-LOC"]
    # Right: PER of the first and of the third. Gold: 2 PER, 2 LOC. Found: 3 PER, 2 LOC (a stray I-LOC is one).
    metrics = tagging_metrics([row.split() for row in gold], [row.split() for row in found])
    assert metrics.figures == pytest.approx({"precision": 2 / 5, "recall": 2 / 4, "f1": 4 / 9, "accuracy": 7 / 10})
    assert (metrics.value, metrics.baseline, metrics.baseline_name) == (pytest.approx(4 / 9), 0.0, "no entities")
    by_type = metrics.details["by_type"]
    assert by_type["PER"] == pytest.approx(
        {"precision": 2 / 3, "recall": 1.0, "f1": 0.8, "entities": 2, "predicted": 3, "right": 2}
    )
    assert by_type["LOC"]["f1"] == 0.0
    assert metrics.class_names == ("O", "LOC", "PER")
    assert metrics.confusion.tolist() == [[3, 1, 0], [1, 1, 1], [0, 0, 3]]


def test_an_entity_with_another_border_or_type_is_wrong():
    gold = [["B-A", "I-A", "I-A"]]
    for found in (["B-A", "I-A", "O"], ["B-B", "I-B", "I-B"], ["B-A", "B-A", "I-A"]):
        assert tagging_metrics(gold, [found]).figures["f1"] == 0.0
    assert tagging_metrics(gold, [["I-A", "I-A", "I-A"]]).figures["f1"] == 1.0  # conlleval reads entities, not tags


def test_shares_of_nothing_are_zero():
    figures = tagging_metrics([["O", "O"], []], [["O", "O"], []]).figures
    assert figures == {"f1": 0.0, "precision": 0.0, "recall": 0.0, "accuracy": 1.0}


def test_many_types_have_no_confusion_matrix():
    tags = [[f"B-{number}" for number in range(16)]]
    assert tagging_metrics(tags, tags).confusion is None


def test_baseline_of_accuracy_is_the_share_of_words_outside():
    assert tagging_metrics([["O", "B-A"]], [["O", "O"]], main="accuracy").baseline == 0.5


def test_other_numbers_of_tags_are_refused():
    with pytest.raises(ValueError, match="1 and 2 in row 0"):
        tagging_metrics([["O", "O"]], [["O"]])
    with pytest.raises(ValueError, match="1 and 0"):
        tagging_metrics([["O"]], [])

import numpy as np
import pytest

from keras_albert.finetuning.metrics.answers import answer_metrics, answer_scores, first_sentence, optimistic_best

pytestmark = pytest.mark.any_backend

CONTEXTS = ["Ada Lovelace wrote it. It ran.", "Nobody knows."]


def test_rules_of_version_2_count_where_a_question_is_unanswerable() -> None:
    # Two answers of which nothing is left: an F1 of 0 under v1.1, of 1 under v2.0.
    assert answer_scores(["the"], [["a"]]).f1.tolist() == [0]
    assert answer_scores(["the", ""], [["a"], []]).f1.tolist() == [1, 1]


def test_figures_are_split_where_some_questions_are_unanswerable() -> None:
    metrics = answer_metrics(["Ada", ""], [["Ada Lovelace", "she"], []], CONTEXTS)
    expected = {"f1": (2 / 3 + 1) / 2, "exact": 0.5, "HasAns_exact": 0.0, "HasAns_f1": 2 / 3, "NoAns_exact": 1.0}
    assert metrics.figures == pytest.approx(expected)
    assert (metrics.main, metrics.rows) == ("f1", 2)
    assert metrics.details == {"normalization": "squad", "answered_rows": 1, "answerable_rows": 1}


def test_always_no_answer_is_the_baseline_where_some_questions_are_unanswerable() -> None:
    metrics = answer_metrics(["", "", ""], [["Ada"], [], []], [*CONTEXTS, "x"])
    assert (metrics.baseline, metrics.baseline_name) == (2 / 3, "always no answer")
    # A model that only says this is no better than its baseline.
    assert metrics.value == metrics.baseline


def test_the_first_sentence_is_the_baseline_where_every_question_has_an_answer() -> None:
    metrics = answer_metrics(["Ada"], [["Ada Lovelace"]], CONTEXTS[:1])
    # "Ada Lovelace wrote it": two of four words.
    assert metrics.baseline == pytest.approx(2 * 2 / (4 + 2))
    assert metrics.baseline_name == "always the context's first sentence"
    assert answer_metrics(["Ada"], [["Ada Lovelace"]], CONTEXTS[:1], main="exact").baseline == 0
    assert set(metrics.figures) == {"f1", "exact"}


def test_cmrc_has_its_average() -> None:
    metrics = answer_metrics(["北京市"], [["北京"]], ["首都是北京市。"], "cmrc")
    assert metrics.figures == pytest.approx({"f1": 0.8, "exact": 0, "average": 0.4})


def test_the_optimistic_best_leaves_the_right_ones_empty() -> None:
    spans, odds = ["Ada", "Bob", "Eve"], np.array([-1.0, 3.0, 1.0])
    best = optimistic_best(spans, odds, [["Ada"], [], ["Eve Smith"]])
    assert best == pytest.approx(
        {"best_exact": 2 / 3, "best_exact_thresh": -1.0, "best_f1": (1 + 2 / 3 + 1) / 3, "best_f1_thresh": 1.0}
    )


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="1 predictions, 2 questions, 2 contexts"):
        answer_metrics(["a"], [["a"], []], CONTEXTS)
    with pytest.raises(ValueError, match="0 predictions"):
        answer_metrics([], [], [])
    with pytest.raises(ValueError, match=r"among f1, exact\. Received: main='accuracy'"):
        answer_metrics(["", ""], [["a"], []], CONTEXTS, main="accuracy")


@pytest.mark.parametrize(
    ("context", "sentence"),
    [
        ("  It is 3.5 m (U.S.A.-made). Then", "It is 3.5 m (U.S.A.-made)."),
        ('She said "no." He left.', 'She said "no."'),
        ("没有句号", "没有句号"),
        ("“好！”他说。", "“好！”"),
    ],
)
def test_first_sentence(context: str, sentence: str) -> None:
    assert first_sentence(context) == sentence

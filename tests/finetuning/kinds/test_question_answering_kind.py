import json
from typing import Any

import numpy as np
import pytest
from question_rows import FakeModel

from keras_albert.finetuning.kinds.question_answering import QuestionAnswering
from keras_albert.finetuning.readers.questions import GoldAnswer, QuestionExamples

CONTEXT = "It was Ada Lovelace. It ran in 1843."


def rows_of(*answers: Any, **columns: Any) -> QuestionExamples:
    """Return a question for each text, and an unanswerable one for each None."""
    golds = [[] if text is None else [GoldAnswer(text, CONTEXT.index(text))] for text in answers]
    names = [str(number) for number in range(len(golds))]
    contexts = columns.pop("contexts", [CONTEXT] * len(golds))
    return QuestionExamples(names, [f"question {name}?" for name in names], contexts, golds, **columns)


def test_options_are_those_of_the_model() -> None:
    assert QuestionAnswering().task_options(rows_of("Ada")) == {"head": "span", "null_threshold": None}
    assert QuestionAnswering().task_options(rows_of("Ada", None)) == {"head": "span", "null_threshold": 0.0}
    kind = QuestionAnswering(head="verifier", null_threshold=-1.5)
    assert kind.task_options(rows_of("Ada")) == {"head": "verifier", "null_threshold": -1.5}


@pytest.mark.parametrize("options", [{"main_metric": "accuracy"}, {"head": "v2"}, {"normalization": "zh"}])
def test_an_unknown_option_is_refused(options: dict[str, Any]) -> None:
    name, value = next(iter(options.items()))
    with pytest.raises(ValueError, match=f"Expected {name} among .* Received: {name}='{value}'"):
        QuestionAnswering(**options)


def test_training_leaves_out_what_cannot_be_found() -> None:
    rows = rows_of("Ada", "Ada", None)
    golds = [[GoldAnswer("Bob", None), GoldAnswer("Ada", 7)], [GoldAnswer("Bob", None)], []]
    x, y = QuestionAnswering().training_data(QuestionExamples(rows.ids, rows.questions, rows.contexts, golds), None)
    assert x == (["question 0?", "question 2?"], [CONTEXT, CONTEXT])
    assert y == [[{"text": "Ada", "answer_start": 7}], []]


def test_training_needs_answers() -> None:
    with pytest.raises(ValueError, match=r"questions with answers in the rows"):
        QuestionAnswering().training_data(QuestionExamples(["1"], ["a?"], ["A"]), None)
    rows = QuestionExamples(["1"], ["a?"], ["A"], [[GoldAnswer("Bob", None)]], source="x.json")
    with pytest.raises(ValueError, match=r"their contexts hold in x\.json"):
        QuestionAnswering().training_data(rows, None)


def test_answers_are_scored_with_the_optimistic_best_apart() -> None:
    rows = rows_of("Ada", None, "1843")
    model = FakeModel(rows, ["Ada", "ran", "1843"], [-1.0, -2.0, 1.0])
    answers = QuestionAnswering().answer(model, rows, batch_size=5, verbose=2)
    assert model.calls == [(5, 2)]
    metrics = QuestionAnswering(main_metric="exact").score(rows, answers)
    # "1843" is above the threshold of 0; the unanswerable one is answered.
    assert (metrics.value, metrics.main, metrics.baseline) == (1 / 3, "exact", 1 / 3)
    assert metrics.as_dict()["optimistic_best_on_these_rows"] == pytest.approx(
        {"best_exact": 2 / 3, "best_exact_thresh": 1.0, "best_f1": 2 / 3, "best_f1_thresh": 1.0}
    )
    json.dumps(metrics.as_dict())
    assert QuestionAnswering().errors(rows, answers).tolist() == [0, 1, 1]


def test_answers_are_scored_without_a_threshold_where_all_are_answerable() -> None:
    rows = rows_of("Ada Lovelace")
    answers = QuestionAnswering().answer(FakeModel(rows, ["Ada"], [-1.0]), rows, 8)
    metrics = QuestionAnswering().score(rows, answers)
    assert metrics.value == pytest.approx(2 / 3)
    assert "optimistic_best_on_these_rows" not in metrics.as_dict()
    np.testing.assert_allclose(QuestionAnswering().errors(rows, answers), [1 / 3])


def test_cmrc_figures_are_of_characters() -> None:
    rows = QuestionExamples(["1"], ["谁？"], ["我在北京市。"], [[GoldAnswer("北京", 2)]])
    answers = QuestionAnswering().answer(FakeModel(rows, ["北京市"], [-1.0]), rows, 8)
    metrics = QuestionAnswering(normalization="cmrc").score(rows, answers)
    assert metrics.figures == pytest.approx({"f1": 0.8, "exact": 0, "average": 0.4})


def test_hold_out_takes_whole_contexts() -> None:
    contexts = [f"context {number // 10}" for number in range(400)]
    rows = rows_of(*([None] * 400), contexts=contexts, titles=["one article"] * 400)
    kept, held_out = QuestionAnswering().hold_out(rows, seed=1)
    assert held_out is not None
    assert (len(kept), len(held_out)) == (380, 20)
    assert not set(kept.contexts) & set(held_out.contexts)


def test_hold_out_takes_whole_articles_where_there_are_many() -> None:
    titles = [f"article {number // 10}" for number in range(400)]
    rows = rows_of(*([None] * 400), contexts=[f"context {number}" for number in range(400)], titles=titles)
    kept, held_out = QuestionAnswering().hold_out(rows, seed=1)
    assert held_out is not None and held_out.titles is not None and kept.titles is not None
    assert len(held_out) == 20
    assert not set(kept.titles) & set(held_out.titles)


def test_nothing_is_held_out_where_no_threshold_is_wanted() -> None:
    answerable, some = rows_of("Ada", "1843"), rows_of("Ada", None)
    assert QuestionAnswering().hold_out(answerable, 0) == (answerable, None)
    assert QuestionAnswering(null_threshold=1.0).hold_out(some, 0) == (some, None)
    with pytest.warns(UserWarning, match="same context"):
        assert QuestionAnswering().hold_out(some, 0) == (some, None)


@pytest.mark.parametrize(
    ("spans", "odds", "threshold", "best"),
    [
        (["Ada", "ran", "Lovelace"], [-3.0, 2.0, -1.0], 0.5, (1 + 1 + 2 / 3) / 3),  # answer both
        (["Ada", "ran", "ran"], [-3.0, 2.0, -1.0], -2.0, 2 / 3),  # the last is wrong anyway
        (["Ada", "ran", "Ada Lovelace"], [-1.0, -3.0, -2.0], 0.0, 2 / 3),  # answer all
        (["ran", "ran", "ran"], [-3.0, 2.0, -1.0], -4.0, 1 / 3),  # answer nothing
    ],
)
def test_tune_sets_the_best_threshold(spans: list[str], odds: list[float], threshold: float, best: float) -> None:
    rows = rows_of("Ada", None, "Ada Lovelace")
    model = FakeModel(rows, spans, odds)
    tuned = QuestionAnswering().tune(model, rows, batch_size=8)
    assert model.null_threshold == threshold
    assert tuned == {"null_threshold": threshold, "held_out_rows": 3, "held_out_f1": pytest.approx(best)}
    # The model keeps its promise.
    assert QuestionAnswering().score(rows, model.predict(rows.inputs, 8, 0)).value == pytest.approx(best)


@pytest.mark.parametrize(("answers", "there"), [(("Ada", "1843"), "answerable"), ((None, None), "unanswerable")])
def test_tune_keeps_the_threshold_where_rows_say_nothing_of_it(answers: Any, there: str) -> None:
    rows = rows_of(*answers)
    model = FakeModel(rows, ["Ada", "Ada"], [5.0, 6.0])
    with pytest.warns(UserWarning, match=f"held out are {there}: the model keeps its null threshold of 0.0"):
        tuned = QuestionAnswering().tune(model, rows, batch_size=8)
    assert tuned == {"null_threshold": 0.0, "held_out_rows": 2}

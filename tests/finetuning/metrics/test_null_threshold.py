import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from keras_albert.finetuning.metrics.null_threshold import BestThreshold, best_null_threshold, with_threshold
from keras_albert.finetuning.metrics.squad import squad_scores

pytestmark = pytest.mark.any_backend


@dataclass
class Golden:
    golds: list[list[str]]
    spans: list[str]
    info: dict[str, Any]
    odds: dict[str, np.ndarray]


@pytest.fixture(scope="module")
def golden(shared: Path) -> Golden:
    folder = shared / "golden" / "squad"

    def content(name: str) -> Any:
        return json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))

    questions = [q for a in content("v2_input")["data"] for p in a["paragraphs"] for q in p["qas"]]
    ids = [question["id"] for question in questions]
    odds = {name: content(file) for name, file in (("", "v2_null_odds"), ("a_then_b", "v2_null_odds_a_then_b"))}
    arrays = {name: np.array([values[key] for key in ids]) for name, values in odds.items()}
    # Per question the least of its windows, as Google's code takes it.
    least = np.full(len(ids), np.inf)
    with np.load(folder / "v2_logits.npz") as logits, np.load(folder / "v2_predict_features.npz") as features:
        np.minimum.at(least, features["example_index"], logits["cls_logits_b"].astype("float32"))
    spans = content("v2_predictions_no_threshold")
    golds = [[answer["text"] for answer in question["answers"]] for question in questions]
    return Golden(golds, [spans[key] for key in ids], content("v2_info"), arrays | {"with_cls_logits_b": least})


@pytest.mark.parametrize("run", ["", "with_cls_logits_b", "a_then_b"])
@pytest.mark.parametrize("figure", ["exact", "f1"])
def test_best_thresholds_are_as_in_googles_evaluation(golden: Golden, run: str, figure: str) -> None:
    expected = (golden.info[run] if run else golden.info)["first_pass_eval"]
    answerable, answered = np.array([bool(g) for g in golden.golds]), np.array([bool(s) for s in golden.spans])
    scores = getattr(squad_scores(golden.spans, golden.golds), figure)
    best = best_null_threshold(scores, golden.odds[run], answerable, answered)
    assert 100 * best.score == pytest.approx(expected[f"best_{figure}"], abs=1e-9)
    assert best.threshold == expected[f"best_{figure}_thresh"]
    # Google's evaluation applies a threshold of 1 to what it calls probabilities.
    first = with_threshold(scores, golden.odds[run], answerable, 1.0)
    assert 100 * first.mean() == pytest.approx(expected[figure], abs=1e-9)


@pytest.mark.parametrize("run", ["", "with_cls_logits_b", "a_then_b"])
def test_thresholded_predictions_score_as_in_googles_evaluation(golden: Golden, run: str) -> None:
    expected = (golden.info[run] if run else golden.info)["final_eval"]
    # Strictly below, there.
    kept = golden.odds[run] < expected["null_score_diff_threshold"]
    scores = squad_scores([text if keep else "" for text, keep in zip(golden.spans, kept, strict=True)], golden.golds)
    assert 100 * scores.exact.mean() == pytest.approx(expected["exact"], abs=1e-9)
    assert 100 * scores.f1.mean() == pytest.approx(expected["f1"], abs=1e-9)


def test_the_best_threshold_gives_what_it_promises(rng: np.random.Generator) -> None:
    answerable = rng.random(200) < 0.5
    scores = np.where(answerable, rng.random(200), 0.0)
    odds = rng.integers(-5, 5, 200) - 1.0 * answerable  # many equal ones
    best = best_null_threshold(scores, odds, answerable, np.ones(200, bool))
    promised = {value: with_threshold(scores, odds, answerable, value).mean() for value in np.unique(odds)}
    assert best.score == pytest.approx(max(promised.values()))
    assert best.score == pytest.approx(promised[best.threshold])


def test_a_threshold_is_not_put_between_equal_odds() -> None:
    # Answering the first alone would score 1, but no threshold does that.
    best = best_null_threshold(np.array([1.0, 0.0]), np.zeros(2), np.array([True, False]), np.array([True, True]))
    assert best == BestThreshold(0.5, 0.0)


def test_an_empty_span_costs_nothing_on_an_unanswerable_question() -> None:
    scores, odds, answerable = np.array([0.0, 1.0]), np.array([0.0, 1.0]), np.array([False, True])
    assert best_null_threshold(scores, odds, answerable, np.array([False, True])) == BestThreshold(1.0, 1.0)
    assert best_null_threshold(scores, odds, answerable, np.array([True, True])) == BestThreshold(0.5, 0.0)

"""From stored logits to Google's predictions of SQuAD 1.1, and small cases counted by hand."""

import numpy as np
import pytest

from keras_albert.tasks.question_answering.decoding import (
    SpanCandidates,
    accumulate,
    best_spans,
    every_span,
    softmax,
    span_candidates,
)
from keras_albert.tasks.question_answering.windows import QuestionWindows

pytestmark = pytest.mark.any_backend

N_BEST, LONGEST = 20, 30


def best_of_all(encoded, logits, runs) -> list:
    answers = []
    for (rows, windows), context in zip(encoded.windows(), encoded.contexts, strict=True):
        found = [
            span_candidates(logits[f"start_{run}"][rows], logits[f"end_{run}"][rows], windows, N_BEST, LONGEST)
            for run in runs
        ]
        answers.append(
            best_spans(accumulate(found), context.text, context.starts, context.ends, N_BEST, keep_blank=True)
        )
    return answers


@pytest.mark.parametrize("name", ["a", "ties", "a_then_b"])
def test_stored_logits_give_googles_predictions(squad, name):
    ids, encoded = squad.encoded("v1")
    runs = ["a", "b"] if name == "a_then_b" else [name]
    answers = best_of_all(encoded, squad.arrays("v1_logits"), runs)
    predictions, n_best = squad.json(f"v1_predictions_{name}"), squad.json(f"v1_nbest_{name}")
    assert {key: spans[0].text for key, spans in zip(ids, answers, strict=True)} == predictions
    for key, spans in zip(ids, answers, strict=True):
        assert [span.text for span in spans] == [entry["text"] for entry in n_best[key]]
        scores = [entry["start_log_prob"] + entry["end_log_prob"] for entry in n_best[key]]
        np.testing.assert_allclose([span.score for span in spans], scores, atol=1e-6)
        expected = [entry["probability"] for entry in n_best[key]]
        np.testing.assert_allclose([span.probability for span in spans], expected, atol=1e-6)


def test_spans_are_exact_substrings(squad):
    _, encoded = squad.encoded("v1")
    answers = best_of_all(encoded, squad.arrays("v1_logits"), ["a"])
    for spans, context in zip(answers, encoded.contexts, strict=True):
        assert all(context.text[span.start : span.end] == span.text for span in spans)


# Google maps a token back by aligning characters: it loses an accent that is a character of its own (the answer ends in
# a bare letter), and takes in a joiner that is no part of the token.
V1_DIFFERENCES = {
    "nfd_french-0": ("la cre\u0300", "la cre"),
    "nfd_french-1": (
        "s franc\u0327ais ont mange\u0301 des cre\u0302pes a\u0300",
        "s franc\u0327ais ont mange\u0301 des cre\u0302pes a",
    ),
    "emoji-0": ("\U0001f469\u200d\U0001f467\u200d", "\u200d\U0001f469\u200d\U0001f467\u200d"),
}


def test_crafted_logits_give_googles_predictions_or_a_known_difference(squad):
    ids, encoded = squad.encoded("crafted")
    stored, predictions = squad.arrays("crafted_predict"), squad.json("crafted_predictions")["v1_predictions"]
    different = {}
    for number, ((rows, windows), context) in enumerate(zip(encoded.windows(), encoded.contexts, strict=True)):
        stored_rows = np.flatnonzero(stored["example_index"] == number)
        if not len(stored_rows):
            assert predictions[ids[number]] == "empty"  # Google's word for a context that it dropped
            continue
        assert len(stored_rows) == len(rows)
        candidates = span_candidates(
            stored["start_logits"][stored_rows], stored["end_logits"][stored_rows], windows, N_BEST, LONGEST
        )
        spans = best_spans(candidates, context.text, context.starts, context.ends, N_BEST, keep_blank=True)
        text = spans[0].text if spans else "empty"
        if text != predictions[ids[number]]:
            different[ids[number]] = (text, predictions[ids[number]])
    assert different == V1_DIFFERENCES


def candidates(*rows: tuple[int, int, int, float, float]) -> SpanCandidates:
    window, first, last, start, end = zip(*rows, strict=True)
    return SpanCandidates(*map(np.array, (window, first, last)), np.array(start), np.array(end))


def test_runs_are_averaged_span_by_span():
    joined = accumulate(
        [candidates((0, 1, 1, 2.0, 4.0), (1, 5, 5, 1.0, 1.0)), candidates((0, 2, 3, 9.0, 9.0), (0, 1, 1, 4.0, 2.0))]
    )
    assert joined.first.tolist() == [1, 2, 5]  # window 0: as found, the new one last
    assert joined.first_score.tolist() == [3.0, 9.0, 1.0]
    assert joined.last_score.tolist() == [3.0, 9.0, 1.0]


def test_equal_texts_count_once_and_blanks_only_where_asked():
    starts, ends = np.array([0, 2, 3, 5]), np.array([1, 3, 4, 6])
    found = candidates((0, 0, 0, 1.0, 0.0), (0, 1, 1, 3.0, 0.0), (0, 2, 2, 2.0, 0.0), (0, 3, 3, 0.5, 0.0))
    text = "a  b a"
    spans = best_spans(found, text, starts, ends, 20)
    assert [(span.text, span.start, span.score) for span in spans] == [("b", 3, 2.0), ("a", 0, 1.0)]
    assert [span.text for span in best_spans(found, text, starts, ends, 2, keep_blank=True)] == ["", "b"]


def test_softmax_of_scores():
    np.testing.assert_allclose(softmax([0.0, np.log(3.0)]), [0.25, 0.75])
    assert softmax([]) == []


def test_every_span_finds_what_the_best_starts_and_ends_miss():
    # The best start comes behind the best end, so that no pair of one start and one end is a span.
    windows = QuestionWindows(np.array([[0, 3]]), offset=1)
    start, end = np.array([[0.0, 1.0, 2.0, 5.0, 9.0]]), np.array([[0.0, 7.0, 3.0, 1.0, 9.0]])
    assert len(span_candidates(start, end, windows, 1, 2)) == 0
    found = every_span(start, end, windows, 2)
    pairs = dict(zip(zip(found.first.tolist(), found.last.tolist(), strict=True), found.score.tolist(), strict=True))
    assert pairs == {(0, 0): 8.0, (0, 1): 4.0, (1, 1): 5.0, (1, 2): 3.0, (2, 2): 6.0}

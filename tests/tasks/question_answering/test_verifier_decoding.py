"""From the stored beam to Google's predictions of SQuAD 2.0."""

import numpy as np
import pytest

from keras_albert.tasks.question_answering.decoding import best_spans
from keras_albert.tasks.question_answering.verifier_decoding import beam_candidates, every_token, null_score
from keras_albert.tasks.question_answering.windows import QuestionWindows

pytestmark = pytest.mark.any_backend

N_BEST, LONGEST = 20, 30
THRESHOLD_OF_GOOGLES_RUN = -0.1595458984375


def best_of_beam(stored, rows, windows, context, prefix="") -> tuple:
    starts, start_log_probs, ends, end_log_probs = (
        stored[f"{prefix}{name}"][rows]
        for name in ("start_top_index", "start_top_log_probs", "end_top_index", "end_top_log_probs")
    )
    found = beam_candidates(
        starts, start_log_probs, ends.reshape(-1, 5, 5), end_log_probs.reshape(-1, 5, 5), windows, 192, LONGEST
    )
    return best_spans(found, context.text, context.starts, context.ends, N_BEST, keep_blank=True)


def test_stored_beam_gives_googles_predictions(squad):
    ids, encoded = squad.encoded("v2")
    stored, n_best, odds = squad.arrays("v2_logits"), squad.json("v2_nbest"), squad.json("v2_null_odds")
    spans_of, null_of = {}, {}
    for key, (rows, windows), context in zip(ids, encoded.windows(), encoded.contexts, strict=True):
        spans = spans_of[key] = best_of_beam(stored, rows, windows, context)
        null_of[key] = null_score(stored["cls_logits"][rows])
        assert [span.text for span in spans] == [entry["text"] for entry in n_best[key]]
        scores = [entry["start_log_prob"] + entry["end_log_prob"] for entry in n_best[key]]
        np.testing.assert_allclose([span.score for span in spans], scores, atol=1e-6)
        expected = [entry["probability"] for entry in n_best[key]]
        np.testing.assert_allclose([span.probability for span in spans], expected, atol=1e-6)
    assert null_of == pytest.approx(odds, abs=1e-6)
    assert {key: spans[0].text for key, spans in spans_of.items()} == squad.json("v2_predictions_no_threshold")
    answered = {key: null_of[key] < THRESHOLD_OF_GOOGLES_RUN for key in ids}
    texts = {key: spans_of[key][0].text if answered[key] else "" for key in ids}
    assert texts == squad.json("v2_predictions")


def test_null_scores_of_two_runs_are_averaged(squad):
    ids, encoded = squad.encoded("v2")
    stored = squad.arrays("v2_logits")
    runs = np.stack([stored["cls_logits"], stored["cls_logits_b"]])
    received = {key: null_score(runs[:, rows]) for key, (rows, _) in zip(ids, encoded.windows(), strict=True)}
    assert received == pytest.approx(squad.json("v2_null_odds_a_then_b"), abs=1e-6)


# SentencePiece leaves a blank of its own before some characters: Google's alignment gives it the character behind
# (here the answer is then blank), or takes U+2581 in the text for a blank of the token.
V2_DIFFERENCES = {"japanese-0": ("", "東"), "underline_char-1": ("fox jumped.", "\u2581fox jumped.")}


def test_crafted_beam_gives_googles_best_span_or_a_known_difference(squad):
    ids, encoded = squad.encoded("crafted")
    stored, expected = squad.arrays("crafted_predict"), squad.json("crafted_predictions")
    different = {}
    for number, ((_, windows), context) in enumerate(zip(encoded.windows(), encoded.contexts, strict=True)):
        key, rows = ids[number], np.flatnonzero(stored["example_index"] == number)
        if not len(rows):
            assert expected["v2_predictions"][key] == ""  # Google dropped the context
            continue
        spans = best_of_beam(stored, rows, windows, context, "v2_")
        text, googles = spans[0].text if spans else "", expected["v2_first_nbest"][key]["text"]
        assert null_score(stored["cls_logits"][rows]) == pytest.approx(expected["v2_null_odds"][key], abs=1e-6)
        if text != googles:
            different[key] = (text, googles)
    assert different == V2_DIFFERENCES


def test_every_token_stands_in_for_an_empty_beam():
    windows = QuestionWindows(np.array([[0, 2]]), offset=1)
    start = np.log(np.array([[0.5, 0.25, 0.125, 0.125]]))
    found = every_token(start, np.array([[[-1.0, -3.0]]]), windows)
    assert found.first.tolist() == found.last.tolist() == [0, 1]
    np.testing.assert_allclose(found.score, [np.log(0.25) - 3, np.log(0.125) - 3])

"""Answers from outputs: thresholds, and what holds whatever the logits are."""

import numpy as np
import pytest

from keras_albert import AlbertQuestionAnswererPreprocessor
from keras_albert.tasks.question_answering.answering import AnswerSettings, answers_of

CONTEXTS = ["  Rome is old. Ann sang in the old Rome.  ", "Bob", "The old Ann ran. " * 4, ""]
LONGEST = 4


@pytest.fixture(scope="module")
def encoded(word_tokenizer):
    preprocessor = AlbertQuestionAnswererPreprocessor(
        word_tokenizer, doc_stride=3, max_question_length=3, sequence_length=12, max_sequence_length=12
    )
    return preprocessor.encode((["who?"] * len(CONTEXTS), CONTEXTS))


def span_outputs(rng, rows: int) -> dict[str, np.ndarray]:
    return {name: rng.normal(size=(rows, 12)).astype("float32") for name in ("start", "end")}


def beam_outputs(rng, rows: int) -> dict[str, np.ndarray]:
    return span_outputs(rng, rows) | {
        "unanswerable": rng.normal(size=(rows, 1)),
        "top_starts": rng.integers(0, 12, (rows, 5)),
        "top_start_log_probs": -rng.random((rows, 5)),
        "top_ends": rng.integers(0, 12, (rows, 5, 5)),
        "top_end_log_probs": -rng.random((rows, 5, 5)),
    }


@pytest.mark.parametrize("make", [span_outputs, beam_outputs])
def test_spans_of_random_logits_lie_in_the_context(make, encoded, rng, word_tokenizer):
    settings = AnswerSettings(n_best_size=3, max_answer_length=LONGEST)
    for _ in range(250):  # of four questions each
        answers = answers_of(make(rng, len(encoded)), encoded, settings)
        assert len(answers) == len(CONTEXTS)
        assert (answers[3].text, answers[3].n_best, answers[3].is_answered) == ("", (), False)
        for answer, context in zip(answers[:3], CONTEXTS, strict=False):
            assert answer.is_answered
            assert answer.text == answer.n_best[0].text
            for span in answer.n_best:
                assert 0 <= span.start < span.end <= len(context)
                assert context[span.start : span.end] == span.text == span.text.strip() != ""
                assert len(word_tokenizer.tokenize(span.text)) <= LONGEST
            assert sum(span.probability for span in answer.n_best) == pytest.approx(1)


def one_answer(word_tokenizer, outputs, **settings):
    preprocessor = AlbertQuestionAnswererPreprocessor(
        word_tokenizer, max_question_length=3, sequence_length=12, max_sequence_length=12
    )
    (answer,) = answers_of(outputs, preprocessor.encode([("who?", "Ann sang.")]), AnswerSettings(**settings))
    return answer


def two_logits() -> dict[str, np.ndarray]:
    # [CLS] who ? [SEP] ann ...: null 1.5 + 0.5 = 2, the span "Ann" 1 + 0.5 = 1.5
    outputs = {name: np.full((1, 12), -9.0, "float32") for name in ("start", "end")}
    outputs["start"][0, [0, 4]] = 1.5, 1.0
    outputs["end"][0, [0, 4]] = 0.5, 0.5
    return outputs


@pytest.mark.parametrize(("threshold", "text"), [(0.0, ""), (0.49, ""), (0.5, "Ann"), (1.0, "Ann"), (None, "Ann")])
def test_span_head_is_empty_where_null_exceeds_the_best_by_more_than_the_threshold(word_tokenizer, threshold, text):
    answer = one_answer(word_tokenizer, two_logits(), null_threshold=threshold)
    assert answer.text == text
    assert (answer.null_score, answer.score, answer.null_odds) == (2.0, 1.5, 0.5)
    assert answer.n_best[0].text == "Ann"
    assert (answer.start, answer.end) == ((0, 3) if text else (0, 0))


@pytest.mark.parametrize(("threshold", "text"), [(0.25, ""), (0.26, "Ann"), (None, "Ann")])
def test_verifier_answers_where_null_is_below_the_threshold(word_tokenizer, threshold, text):
    outputs = two_logits() | {
        "unanswerable": np.array([[0.25]]),
        "top_starts": np.array([[4, 0]]),
        "top_start_log_probs": np.array([[-1.0, -2.0]]),
        "top_ends": np.array([[[4, 0], [0, 1]]]),
        "top_end_log_probs": np.array([[[-0.5, -3.0], [-0.5, -3.0]]]),
    }
    answer = one_answer(word_tokenizer, outputs, null_threshold=threshold)
    assert (answer.text, answer.score, answer.null_odds) == (text, -1.5, 0.25)
    assert answer.n_best[0].text == "Ann"


def test_null_score_is_the_least_of_the_windows(encoded):
    outputs = {name: np.zeros((len(encoded), 12), "float32") for name in ("start", "end")}
    rows, _ = encoded.windows()[0]
    outputs["start"][rows, 0] = np.arange(len(rows))[::-1] + 3
    assert len(rows) > 1
    assert answers_of(outputs, encoded, AnswerSettings())[0].null_score == 3.0

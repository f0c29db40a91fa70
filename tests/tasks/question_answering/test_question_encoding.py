"""Windows, masks and labels against those of Google's code, and against a hand count."""

import json

import numpy as np
import pytest

from keras_albert import AlbertQuestionAnswererPreprocessor

FEATURES = {"token_ids": "input_ids", "padding_mask": "input_mask", "segment_ids": "segment_ids"}

# Google's code keeps a question only where its character alignment covers 80 % of the context. Here the tokenizer says
# where each token comes from. `True`: the question is kept in training too.
DROPPED_BY_GOOGLE = {
    "triple_spaces-0": True,  # blanks that normalization collapses count as not aligned
    "triple_spaces-1": False,  # the answer is a blank: no token
    "wide_gaps-0": True,
    "wide_gaps-1": True,
    "wide_gaps-2": False,  # the answer is five blanks
    "korean-0": True,  # each syllable decomposes to several characters
    "half_korean-0": True,
    "half_korean-1": True,
    "arabic_marks-0": True,  # the marks are dropped
    "jamo_and_marks-0": True,
    "empty-0": True,  # one window without context; its answer "" counts as none
    "spaces_only-0": False,
    "marks_only-0": False,
}
# The answer "brown " ends in a blank, which Google's code takes for the beginning of the next token.
ENDS_IN_A_BLANK = {"answer_with_edges-1": (9, 9, 9, 10)}


@pytest.mark.parametrize("version", ["v1", "v2"])
@pytest.mark.parametrize("kind", ["predict", "train"])
def test_features_equal_googles(squad, version, kind):
    _, questions, contexts, answers = squad.questions(f"{version}_train" if kind == "train" else version)
    expected = squad.arrays(f"{version}_{kind}_features")
    encoded, labels, _ = squad.preprocessor.encode_rows((questions, contexts), answers if kind == "train" else None)
    features = squad.preprocessor.features(encoded)
    for ours, googles in FEATURES.items():
        np.testing.assert_array_equal(features[ours], expected[googles], err_msg=ours)
    np.testing.assert_array_equal(1 - features["answer_mask"], expected["p_mask"])
    np.testing.assert_array_equal(encoded.spans, expected["doc_span"])
    np.testing.assert_array_equal(encoded.lengths, expected["paragraph_len"])
    counts = np.concatenate([windows.starts_that_count(192) for _, windows in encoded.windows()])
    np.testing.assert_array_equal(counts, expected["token_is_max_context"] == 1)
    if kind == "train":
        np.testing.assert_array_equal(labels["start"], expected["start_position"])
        np.testing.assert_array_equal(labels["end"], expected["end_position"])
        np.testing.assert_array_equal(labels["unanswerable"][:, 0], expected["is_impossible"])
    else:
        np.testing.assert_array_equal(encoded.question, expected["example_index"])


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_offsets_differ_from_googles_by_blanks_only(squad, version):
    _, encoded = squad.encoded(version)
    expected = squad.arrays(f"{version}_predict_features")
    others = set()
    for row, (first, length) in enumerate(encoded.spans.tolist()):
        context = encoded.contexts[encoded.question[row]]
        for token in range(length):
            ours = context.text[context.starts[first + token] : context.ends[first + token]]
            start, end = (expected[f"tok_{name}_to_orig_index"][row, token] for name in ("start", "end"))
            googles = context.text[start : end + 1]
            if ours.strip() != googles.strip():
                others.add((ours, googles))
    # The blank piece that SentencePiece leaves before a quotation mark: Google's alignment gives it the mark itself.
    assert others <= {("", '"')}


def test_crafted_questions_give_googles_windows_or_a_known_difference(squad):
    ids, questions, contexts, answers = squad.questions("crafted")
    encoded, labels, _ = squad.preprocessor.encode_rows((questions, contexts), answers)
    lines = (squad.folder / "crafted_expected.jsonl").read_text(encoding="utf-8").splitlines()
    dropped, different = {}, {}
    for line in lines:
        expected = json.loads(line)
        rows = np.flatnonzero(encoded.question == ids.index(expected["qas_id"]))
        if expected["train"] == "dropped":
            dropped[expected["qas_id"]] = len(rows) > 0
            continue
        positions = [(int(labels["start"][row]), int(labels["end"][row])) for row in rows]
        googles = [(window["start_position"], window["end_position"]) for window in expected["windows"]]
        assert encoded.lengths[rows].tolist() == [window["paragraph_len"] for window in expected["windows"]]
        if positions != googles:
            different[expected["qas_id"]] = (*positions[0], *googles[0])
    assert dropped == DROPPED_BY_GOOGLE
    assert different == ENDS_IN_A_BLANK


def test_answers_of_dropped_contexts_are_those_tokens(squad):
    ids, questions, contexts, answers = squad.questions("crafted")
    encoded, labels, _ = squad.preprocessor.encode_rows((questions, contexts), answers)
    for name, text in (("triple_spaces-0", "fox"), ("wide_gaps-1", "hounds"), ("jamo_and_marks-0", "Zürich")):
        (row,) = np.flatnonzero(encoded.question == ids.index(name))
        context = encoded.contexts[encoded.question[row]]
        to_context = encoded.spans[row, 0] - encoded.offsets[encoded.question[row]]
        start, end = (int(labels[key][row] + to_context) for key in ("start", "end"))
        assert context.text[context.starts[start] : context.ends[end]] == text


@pytest.fixture(scope="module")
def small(word_tokenizer) -> AlbertQuestionAnswererPreprocessor:
    return AlbertQuestionAnswererPreprocessor(
        word_tokenizer, doc_stride=2, max_question_length=3, sequence_length=9, max_sequence_length=9
    )


def test_wordpiece_windows_and_labels_equal_a_hand_count(small):
    # Beside three question tokens three of the context fit in.
    x, y = small([("who sang?", "Rome is old. Ann sang.")], [{"text": "Ann", "answer_start": 13}])
    tokens = [[small.tokenizer.id_to_token(int(token)) for token in row] for row in x["token_ids"]]
    assert tokens == [
        ["[CLS]", "who", "sang", "?", "[SEP]", "rome", "is", "old", "[SEP]"],
        ["[CLS]", "who", "sang", "?", "[SEP]", "old", ".", "ann", "[SEP]"],
        ["[CLS]", "who", "sang", "?", "[SEP]", "ann", "sang", ".", "[SEP]"],
    ]
    assert x["answer_mask"].tolist() == [[1, 0, 0, 0, 0, 1, 1, 1, 0]] * 3
    assert y["start"].tolist() == y["end"].tolist() == x["start_position"].tolist() == [0, 7, 5]
    assert y["unanswerable"].tolist() == [[1.0], [0.0], [0.0]]


def test_answer_cut_by_a_window_counts_as_absent_there(small):
    _, y = small([("who?", "Rome is old. Ann sang.")], [{"text": "is old.", "answer_start": 5}])
    # Four context tokens fit in a window: the second begins at "old", the third at "ann".
    assert y["start"].tolist() == [5, 0, 0]
    assert y["end"].tolist() == [7, 0, 0]


def test_context_is_not_stripped(small):
    _, y = small([("who?", "  Rome is old")], [{"text": "Rome", "answer_start": 2}])
    assert y["start"].tolist() == [4]


def test_odd_input_is_counted_in_one_warning(small):
    x = [("who?", "Ann sang."), ("who?", "Bob sang."), ("who sang the old the?", "Ann"), ("who?", "")]
    y = [{"text": "Ann", "answer_start": 4}, {"text": "Ann", "answer_start": 0}, None, None]
    with pytest.warns(UserWarning) as caught:
        features, labels = small(x, y)
    assert len(caught) == 1
    message = str(caught[0].message)
    assert "Of 4 questions" in message
    assert "1 with an answer that is not at its offset (its nearest occurrence was taken), row 0" in message
    assert "no token of its context holds (left out of training), row 1" in message
    assert "1 with more than 3 tokens" in message
    assert "1 with an empty context (which has no answer), row 3" in message
    assert len(labels["start"]) == len(features["token_ids"]) == 3
    assert labels["unanswerable"][:, 0].tolist() == [0.0, 1.0, 1.0]


def test_no_answer_in_any_context_is_refused(small):
    with pytest.raises(ValueError, match="Not one of 1 answers stands in its context"):
        small([("who?", "Bob sang.")], [{"text": "Ann", "answer_start": 0}])


def test_weights_of_a_question_are_those_of_its_windows(small):
    *_, weights = small([("who?", "Ann"), ("who sang?", "Rome is old. Ann sang.")], [None, None], [0.5, 2.0])
    assert weights.tolist() == [0.5, 2.0, 2.0, 2.0]
    with pytest.raises(ValueError, match=r"sample_weight.shape=\(1,\)"):
        small([("who?", "Ann"), ("who?", "Bob")], [None, None], [0.5])


def test_no_room_for_the_context_is_refused(word_tokenizer):
    with pytest.raises(ValueError, match=r"pass at most 5\. Received: max_question_length=6"):
        AlbertQuestionAnswererPreprocessor(word_tokenizer, max_question_length=6, max_sequence_length=9)
    AlbertQuestionAnswererPreprocessor(word_tokenizer, max_question_length=5, max_sequence_length=9)
    with pytest.raises(ValueError, match="doc_stride=0"):
        AlbertQuestionAnswererPreprocessor(word_tokenizer, doc_stride=0)


def test_arrays_and_datasets_are_refused_with_what_to_do(small):
    with pytest.raises(ValueError, match="Pass lists of questions"):
        small((np.array(["who?"]), np.array(["Ann"])))


def test_preprocessor_config_round_trip(small):
    config = small.get_config()
    assert config["doc_stride"] == 2
    assert config["max_question_length"] == 3
    twin = AlbertQuestionAnswererPreprocessor.from_config(config)
    assert twin.get_config()["max_question_length"] == 3

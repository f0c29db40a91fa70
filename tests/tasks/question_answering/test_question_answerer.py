"""The model on raw text: training, answers, saving, what is refused."""

import keras
import numpy as np
import pytest
from keras import ops

from keras_albert import AlbertBackbone, AlbertQuestionAnswerer, AlbertQuestionAnswererPreprocessor
from keras_albert.tasks.question_answering import QuestionAnswer

NAMES, VERBS = ("ann", "bob"), ("sang", "ran")
ROWS = [
    (f"who {verb}?", f"{first} {verb}. {second} {other}.", {"text": first, "answer_start": 0})
    for first, second in (NAMES, NAMES[::-1])
    for verb, other in (VERBS, VERBS[::-1])
]
QUESTIONS = [(question, context) for question, context, _ in ROWS]
ANSWERS = [answer for *_, answer in ROWS]
HEADS = ["span", "verifier"]
untrained = pytest.mark.filterwarnings("ignore:.*never trained or loaded")


def small_backbone(**options) -> AlbertBackbone:
    return AlbertBackbone(18, 1, 3, 24, 40, embedding_dim=16, max_sequence_length=40, initializer_range=0.2, **options)


@pytest.fixture
def make(word_tokenizer):
    def make_answerer(head: str = "span", dtype=None, **options) -> AlbertQuestionAnswerer:
        preprocessor = AlbertQuestionAnswererPreprocessor(
            word_tokenizer, doc_stride=4, max_question_length=4, sequence_length=16, max_sequence_length=16
        )
        return AlbertQuestionAnswerer(small_backbone(dtype=dtype), preprocessor, head=head, **options)

    return make_answerer


def trained(answerer: AlbertQuestionAnswerer, epochs: int = 25) -> AlbertQuestionAnswerer:
    answerer.compile(keras.optimizers.Adam(3e-3))
    answerer.fit(QUESTIONS, ANSWERS, epochs=epochs, batch_size=4, verbose=0)
    return answerer


@pytest.mark.parametrize("head", HEADS)
def test_training_on_text_learns_the_answers(make, head):
    answerer = trained(make(head))
    answers = answerer.predict(QUESTIONS, batch_size=4, verbose=0)
    assert [answer.text for answer in answers] == [answer["text"] for answer in ANSWERS]
    assert all(
        context[answer.start : answer.end] == answer.text
        for (_, context), answer in zip(QUESTIONS, answers, strict=True)
    )
    figures = answerer.evaluate(QUESTIONS, ANSWERS, batch_size=4, verbose=0, return_dict=True)
    assert figures["start_accuracy"] == figures["end_accuracy"] == 1.0
    assert ("unanswerable_accuracy" in figures) == (head == "verifier")


def test_verifier_learns_what_is_unanswerable(make):
    answerer = make("verifier", null_threshold=0.0)
    x = [*QUESTIONS, *[("who is old?", context) for _, context in QUESTIONS]]
    answerer.compile(keras.optimizers.Adam(3e-3))
    answerer.fit(x, [*ANSWERS, None, [], None, []], epochs=40, batch_size=4, verbose=0)
    answers = answerer.predict(x, batch_size=4, verbose=0)
    assert [answer.is_answered for answer in answers] == [True] * 4 + [False] * 4
    assert all(answer.n_best[0].text for answer in answers)


@pytest.mark.parametrize("head", HEADS)
def test_loss_is_googles(make, head, rng):
    answerer = make(head)
    x, y = answerer.preprocessor(QUESTIONS, ANSWERS)
    outputs = {name: ops.convert_to_numpy(value) for name, value in answerer(x).items()}
    rows = np.arange(len(ROWS))

    def entropy(name: str) -> float:
        logits = outputs[name].astype("float64")
        return float(np.mean(np.log(np.exp(logits).sum(-1)) - logits[rows, y[name]]))

    expected = 0.5 * (entropy("start") + entropy("end"))
    if head == "verifier":
        expected += 0.5 * float(np.mean(np.log1p(np.exp(outputs["unanswerable"]))))  # all are answerable
    figures = answerer.evaluate(QUESTIONS, ANSWERS, batch_size=4, verbose=0, return_dict=True)
    assert figures["loss"] == pytest.approx(expected, abs=1e-5)


# A constant on all scores leaves a softmax as it is: these have no gradient but rounding.
WITHOUT_GRADIENT = ("key/bias", "span_head/dense/bias", "verifier_head/start/bias", "verifier_head/end/bias")


@pytest.mark.parametrize("head", HEADS)
def test_one_step_changes_every_trainable_weight(make, head):
    answerer = make(head)
    answerer.compile(keras.optimizers.SGD(1.0))
    before = {weight.path: ops.convert_to_numpy(weight).copy() for weight in answerer.trainable_variables}
    assert not any("pooler" in path for path in before)
    answerer.fit(QUESTIONS, ANSWERS, batch_size=4, verbose=0)
    unmoved = [
        weight.path
        for weight in answerer.trainable_variables
        if np.array_equal(ops.convert_to_numpy(weight), before[weight.path])
    ]
    assert [path for path in unmoved if not path.endswith(WITHOUT_GRADIENT)] == []


@untrained
@pytest.mark.parametrize("head", HEADS)
def test_answers_come_in_the_order_of_the_questions(make, head):
    answerer = make(head)
    x = [*QUESTIONS, ("who?", ""), ("who sang?", "the old . " * 5), ("who?", "bob")]
    with pytest.warns(UserWarning, match="empty context"):
        answers = answerer.predict(x, batch_size=4, verbose=0)
    assert len(answers) == len(x)
    for (_, context), answer in zip(x, answers, strict=True):
        assert isinstance(answer, QuestionAnswer)
        assert context[answer.start : answer.end] == answer.text
        assert answer.is_answered == bool(context)
    one = answerer.answer(*QUESTIONS[2])
    assert (one.text, one.start) == (answers[2].text, answers[2].start)
    assert one.score == pytest.approx(answers[2].score, abs=1e-4)


@untrained
def test_predicting_one_set_after_another_answers_each_once(make):
    answerer = make()
    assert len(answerer.predict(QUESTIONS, batch_size=4, verbose=0)) == 4
    assert len(answerer.predict(QUESTIONS[:3], batch_size=4, verbose=0)) == 3
    assert len(answerer.predict(QUESTIONS[3:], batch_size=4, verbose=0)) == 1


@untrained
@pytest.mark.parametrize("head", HEADS)
def test_lengths_that_differ_from_batch_to_batch_give_the_same_answers(head, word_tokenizer):
    backbone = small_backbone()
    x = [QUESTIONS[0], ("who ran?", "bob ran. " * 6)]  # rows of 12 and 24 tokens
    keras.utils.set_random_seed(4)
    answers, weights = [], None
    for sequence_length in (40, None):
        preprocessor = AlbertQuestionAnswererPreprocessor(
            word_tokenizer, max_question_length=4, sequence_length=sequence_length, max_sequence_length=40
        )
        answerer = AlbertQuestionAnswerer(backbone, preprocessor, head=head)
        head_layer = getattr(answerer, answerer.head_names[0])
        weights = weights or head_layer.get_weights()
        head_layer.set_weights(weights)
        predicted = answerer.predict(x, batch_size=1, verbose=0)
        answers.append([(answer.text, answer.start) for answer in predicted])
    assert answers[0] == answers[1]


def test_untrained_head_warns(make):
    answerer = make()
    with pytest.warns(UserWarning, match="span_head was never trained or loaded"):
        answerer.answer(*QUESTIONS[0])


@pytest.mark.parametrize("head", HEADS)
def test_preset_and_keras_file_keep_everything(make, head, tmp_path):
    answerer = trained(make(head, max_answer_length=5, n_best_size=7), epochs=2)
    answerer.null_threshold = 1.5
    expected = answerer.predict(QUESTIONS, batch_size=4, verbose=0)
    answerer.save_to_preset(tmp_path / "preset")
    answerer.save(tmp_path / "model.keras")
    for loaded in (
        AlbertQuestionAnswerer.from_preset(tmp_path / "preset"),
        keras.saving.load_model(tmp_path / "model.keras"),
    ):
        assert loaded.predict(QUESTIONS, batch_size=4, verbose=0) == expected
        assert (loaded.head, loaded.null_threshold) == (head, 1.5)
        assert (loaded.max_answer_length, loaded.n_best_size) == (5, 7)
        assert loaded.preprocessor.doc_stride == 4


@pytest.mark.parametrize("head", HEADS)
def test_half_precision_trains_and_answers(make, head):
    answerer = trained(make(head, dtype="mixed_float16"), epochs=2)
    answers = answerer.predict(QUESTIONS, batch_size=4, verbose=0)
    assert all(np.isfinite([answer.score, answer.null_score]).all() for answer in answers)


def test_weights_and_validation_on_text(make):
    answerer = make()
    history = answerer.fit(
        QUESTIONS, ANSWERS, sample_weight=[1.0, 0.0, 2.0, 1.0], validation_split=0.5, batch_size=2, verbose=0
    ).history
    assert {"loss", "start_accuracy", "val_loss", "val_end_accuracy"} <= history.keys()


def test_preset_of_a_backbone_gets_a_preprocessor_that_fits(make, tmp_path):
    answerer = make()
    answerer.backbone.save_to_preset(tmp_path / "preset")
    answerer.preprocessor.tokenizer.save_to_preset(tmp_path / "preset")
    preprocessor = AlbertQuestionAnswererPreprocessor.from_preset(
        tmp_path / "preset", tokenizer=answerer.preprocessor.tokenizer
    )
    assert (preprocessor.max_sequence_length, preprocessor.max_question_length) == (40, 10)


def test_what_cannot_work_is_refused(make):
    with pytest.raises(ValueError, match=r"\['span', 'verifier'\]. Received: head='v2'"):
        make("v2")
    with pytest.raises(ValueError, match="max_answer_length=0"):
        make(max_answer_length=0)
    answerer = AlbertQuestionAnswerer(small_backbone())
    with pytest.raises(ValueError, match="needs a preprocessor"):
        answerer.answer("who?", "ann")


def test_datasets_of_text_say_what_to_pass(make):
    import tensorflow as tf

    dataset = tf.data.Dataset.from_tensor_slices((["who?"], ["ann"])).batch(1)
    with pytest.raises(ValueError, match="Pass lists of questions"):
        make().fit(dataset, verbose=0)

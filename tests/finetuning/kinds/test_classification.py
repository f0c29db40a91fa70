import json

import keras
import numpy as np
import pytest

import keras_albert
from keras_albert.finetuning.kinds.class_answers import ClassAnswers, softmax
from keras_albert.finetuning.kinds.classification import Classification
from keras_albert.finetuning.readers.examples import Examples

ROWS = Examples(["good", "bad", "so so"], labels=["yes", "no", "yes"], ids=["7", "8", "9"])
PREDICTIONS = ClassAnswers(np.array([[0.25, 0.75], [0.9, 0.1], [0.6, 0.4]]), ("no", "yes"))
SETS = Examples(["a", "b"], labels=[["x"], ["y", "z"]])
SET_PREDICTIONS = ClassAnswers(np.array([[0.9, 0.2, 0.5], [0.1, 0.8, 0.7]]), ("x", "y", "z"), multi_label=True)


@pytest.fixture(scope="module")
def small_classifier(tokenizer) -> keras_albert.AlbertClassifier:
    backbone = keras_albert.AlbertBackbone(
        400, num_layers=1, num_heads=1, hidden_dim=4, intermediate_dim=4, embedding_dim=4
    )
    preprocessor = keras_albert.AlbertClassifierPreprocessor(tokenizer, sequence_length=16)
    return keras_albert.AlbertClassifier(backbone, preprocessor=preprocessor, class_names=["no", "yes"])


def test_softmax_of_a_hand_calculation_and_of_large_numbers() -> None:
    np.testing.assert_allclose(softmax(np.log([[1.0, 3.0]])), [[0.25, 0.75]])
    np.testing.assert_allclose(softmax(np.array([[1000.0, 1000.0, -1000.0]])), [[0.5, 0.5, 0.0]])


def test_labels_are_those_of_the_largest_probability() -> None:
    assert PREDICTIONS.labels == ["yes", "no", "no"]
    assert PREDICTIONS.confidences == [0.75, 0.9, 0.6]
    assert PREDICTIONS.numbers.tolist() == [1, 0, 0]


def test_sets_of_labels_are_those_at_least_as_probable_as_not() -> None:
    assert SET_PREDICTIONS.labels == [["x", "z"], ["y", "z"]]
    assert SET_PREDICTIONS.numbers.tolist() == [[1, 0, 1], [0, 1, 1]]
    assert SET_PREDICTIONS.confidences == [0.5, 0.7]


def test_logits_become_probabilities_of_one_class_or_of_each() -> None:
    one = ClassAnswers.from_logits(np.log([[1.0, 3.0]]), ("a", "b"))
    np.testing.assert_allclose(one.probabilities, [[0.25, 0.75]])
    each = ClassAnswers.from_logits([[np.log(3.0), 0.0, -1000.0]], ("a", "b", "c"), multi_label=True)
    np.testing.assert_allclose(each.probabilities, [[0.75, 0.5, 0.0]], atol=1e-12)
    with pytest.raises(ValueError, match="infinite or no numbers"):
        ClassAnswers.from_logits([[np.nan, 0.0]], ("a", "b"))


def test_a_model_is_built_trained_and_asked_with_the_rows_classes(small_classifier) -> None:
    kind = Classification()
    assert kind.task_options(ROWS) == {"class_names": ["no", "yes"]}
    x, y = kind.training_data(ROWS, small_classifier)
    assert (x, y.tolist()) == (ROWS.texts, [1, 0, 1])
    answers = kind.answer(small_classifier, ROWS, batch_size=4)
    assert answers.class_names == ("no", "yes")
    np.testing.assert_allclose(answers.probabilities.sum(axis=-1), np.ones(3))
    logits = small_classifier.predict(["bad"], batch_size=4, verbose=0)
    np.testing.assert_allclose(np.diff(np.log(answers.probabilities[1])), np.diff(logits[0]), rtol=1e-4)


def test_class_names_of_the_kind_have_their_own_order() -> None:
    assert Classification(class_names=("yes", "no")).task_options(ROWS) == {"class_names": ["yes", "no"]}
    assert Classification(multi_label=True).task_options(SETS) == {"class_names": ["x", "y", "z"], "multi_label": True}


def test_score_has_the_main_metric_that_was_asked_for() -> None:
    assert Classification().score(ROWS, PREDICTIONS).value == pytest.approx(2 / 3)
    metrics = Classification(main_metric="f1").score(ROWS, PREDICTIONS)
    assert (metrics.main, metrics.value) == ("f1", pytest.approx(2 / 3))
    sets = Classification(multi_label=True).score(SETS, SET_PREDICTIONS)
    assert (sets.main, sets.value) == ("micro_f1", pytest.approx(6 / 7))
    assert Classification("subset_accuracy", multi_label=True).score(SETS, SET_PREDICTIONS).value == 0.5


def test_a_main_metric_that_does_not_fit_is_refused_before_training() -> None:
    with pytest.raises(ValueError, match=r"among accuracy.*main_metric='mse'"):
        Classification(main_metric="mse")
    with pytest.raises(ValueError, match=r"among micro_f1.*main_metric='accuracy'"):
        Classification(main_metric="accuracy", multi_label=True)
    with pytest.raises(ValueError, match=r"two classes for f1.*\['x', 'y', 'z'\]"):
        Classification(main_metric="f1", class_names=("x", "y", "z")).task_options(ROWS)


def test_labels_that_do_not_fit_the_kind_are_refused() -> None:
    with pytest.raises(ValueError, match="lists of names"):
        Classification(multi_label=True).score(ROWS, SET_PREDICTIONS)
    with pytest.raises(ValueError, match="one name for each row"):
        Classification().score(SETS, PREDICTIONS)
    with pytest.raises(ValueError, match="Expected labels"):
        Classification().score(Examples(["a", "b", "c"]), PREDICTIONS)


def test_table_has_the_columns_that_there_are() -> None:
    table = Classification().table(ROWS, PREDICTIONS)
    assert table == {
        "id": ["7", "8", "9"],
        "text": ROWS.texts,
        "label": ROWS.labels,
        "prediction": ["yes", "no", "no"],
        "probability": [0.75, 0.9, 0.6],
    }
    pairs = Classification().table(Examples(["a"], ["b"]), ClassAnswers(np.array([[1.0, 0.0]]), ("no", "yes")))
    assert list(pairs) == ["text", "text_pair", "prediction", "probability"]


def test_table_of_sets_of_classes_holds_json_lists() -> None:
    table = Classification(multi_label=True).table(SETS, SET_PREDICTIONS)
    assert [json.loads(cell) for cell in table["label"]] == SETS.labels
    assert [json.loads(cell) for cell in table["prediction"]] == [["x", "z"], ["y", "z"]]


def test_errors_are_0_where_right_and_else_grow_with_the_certainty() -> None:
    assert Classification().errors(ROWS, PREDICTIONS).tolist() == [0.0, 0.0, 0.6]
    np.testing.assert_allclose(Classification(multi_label=True).errors(SETS, SET_PREDICTIONS), [0.5, 0.0])


def test_a_model_of_sets_of_classes_is_trained_and_asked(tokenizer) -> None:
    backbone = keras_albert.AlbertBackbone(
        400, num_layers=1, num_heads=1, hidden_dim=4, intermediate_dim=4, embedding_dim=4
    )
    kind = Classification(multi_label=True)
    model = kind.task_class(
        backbone,
        preprocessor=kind.task_class.preprocessor_cls(tokenizer, sequence_length=16),
        **kind.task_options(SETS),
    )
    x, y = kind.training_data(SETS, model)
    assert y.tolist() == [[1, 0, 0], [0, 1, 1]]
    before = keras.ops.convert_to_numpy(model.classifier_head.kernel)
    model.fit(x, y, batch_size=4, epochs=2, verbose=0)  # the first step has a rate of 0
    assert not np.array_equal(before, keras.ops.convert_to_numpy(model.classifier_head.kernel))
    answers = kind.answer(model, SETS, batch_size=4)
    assert answers.multi_label
    assert answers.probabilities.shape == (2, 3)

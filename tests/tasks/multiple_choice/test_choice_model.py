"""The multiple-choice model: shapes, absent options, training on raw text, saving, what is refused."""

import warnings

import keras
import numpy as np
import pytest
from keras import ops

from keras_albert import AlbertMultipleChoice

NAMES = ("token_ids", "segment_ids", "padding_mask")


def arrays(*shape: int) -> dict[str, np.ndarray]:
    return {name: np.ones(shape, "int32") for name in NAMES}


def test_number_of_options_may_differ_between_calls(model):
    assert tuple(model(arrays(2, 2, 8)).shape) == (2, 2)
    assert tuple(model(arrays(2, 5, 8)).shape) == (2, 5)


def test_logits_are_those_of_each_option_alone(model, colours):
    x = model.preprocessor(colours[0])
    logits = ops.convert_to_numpy(model(x))
    rows = {name: array[:, 1] for name, array in x.items()}  # every question has a second option
    alone = model.choice_head(model.backbone(rows)["pooled_output"])
    np.testing.assert_allclose(logits[:, 1], ops.convert_to_numpy(alone)[:, 0], atol=1e-5)


@pytest.mark.parametrize("run", ["call", "predict", "fit", "evaluate"])
def test_two_axes_are_refused(model, run):
    runs = {
        "call": model,
        "predict": model.predict,
        "fit": lambda x: model.fit(x, np.array([0, 1])),
        "evaluate": lambda x: model.evaluate(x, np.array([0, 1])),
    }
    with pytest.raises(ValueError, match=r"\(examples, options, tokens\).*token_ids.shape=\(2, 8\)"):
        runs[run](arrays(2, 8))


def test_absent_option_takes_no_probability_and_gets_no_gradient(model):
    x = arrays(2, 3, 8)
    x["padding_mask"][0, 2] = 0
    logits = ops.convert_to_numpy(model(x))
    assert logits[0, 2] == -10000.0
    assert np.isfinite(logits).all()
    np.testing.assert_array_equal(ops.convert_to_numpy(ops.softmax(logits))[0, 2], 0.0)
    # As if the first example had been asked with two options.
    two = {name: array[:1, :2] for name, array in x.items()}
    np.testing.assert_allclose(logits[:1, :2], ops.convert_to_numpy(model(two)), atol=1e-6)


def test_loss_of_equal_logits_is_the_logarithm_of_their_number(model):
    loss = model.loss(np.array([2]), np.zeros((1, 4), "float32"))
    assert float(loss) == pytest.approx(np.log(4), abs=1e-6)


def test_loss_refuses_another_number_of_labels(model):
    with pytest.raises(ValueError, match="same shape"):
        model.loss(np.array([2, 1]), np.zeros((1, 4), "float32"))


def test_labels_of_arrays_that_are_no_option_are_refused(model):
    x = arrays(2, 3, 8)
    x["padding_mask"][1, 2] = 0
    with pytest.raises(ValueError, match=r"from 0 to 1, as example 1 has 2 options.*y\[1\]=2"):
        model.fit(x, np.array([2, 2]), verbose=0)
    with pytest.raises(ValueError, match=r"2 examples, y.shape=\(3,\)"):
        model.evaluate(x, np.array([0, 1, 0]), verbose=0)


def test_fit_learns_questions_with_two_to_five_options(model, colours):
    x, y = colours
    model.compile(keras.optimizers.Adam(0.003))
    learnt = keras.callbacks.LambdaCallback(
        on_epoch_end=lambda epoch, logs: setattr(model, "stop_training", logs["loss"] < 0.05)
    )
    model.fit(x, y, batch_size=16, epochs=250, callbacks=[learnt], verbose=0)
    assert model.evaluate(x, y, batch_size=16, verbose=0, return_dict=True)["accuracy"] == 1.0
    logits = model.predict(x, batch_size=16, verbose=0)
    np.testing.assert_array_equal(logits.argmax(axis=-1), y)
    choice = model.choose(x[0][5], x[1][5], x[2][5])
    assert (choice.index, choice.option) == (y[5], x[2][5][y[5]])
    assert choice.probability == max(choice.probabilities)
    assert len(choice.probabilities) == len(x[2][5])
    assert sum(choice.probabilities) == pytest.approx(1.0)


def test_predict_marks_lacking_options_and_keeps_the_order(model, colours):
    model.preprocessor.sequence_length = None
    (contexts, questions, options), _ = colours
    contexts = [context * (1 + row % 3) for row, context in enumerate(contexts)]
    x = (contexts[:10], questions[:10], options[:10])
    logits = model.predict(x, batch_size=4, verbose=0)
    assert logits.shape == (10, 5)
    assert np.isfinite(logits).sum(axis=-1).tolist() == [2, 3, 4, 5, 2, 3, 4, 5, 2, 3]
    assert set(logits[~np.isfinite(logits)]) == {-np.inf}
    features = model.preprocessor(x)
    expected = ops.convert_to_numpy(model(features))
    is_present = np.isfinite(logits)
    np.testing.assert_allclose(logits[is_present], expected[is_present], atol=1e-5)


def test_evaluation_counts_every_example_when_the_batch_size_does_not_divide_them(model, colours):
    x, y = (column[:10] for column in colours[0]), colours[1][:10]
    x = tuple(x)
    right = model.predict(x, batch_size=3, verbose=0).argmax(axis=-1)
    y = [right[0], *((label + 1) % 2 for label in right[1:])]  # one right answer, nine wrong ones
    assert model.evaluate(x, y, batch_size=3, verbose=0, return_dict=True)["accuracy"] == pytest.approx(0.1)


def test_every_form_of_examples_and_labels_is_taken(model, colours):
    x, y = (tuple(column[:4] for column in colours[0])), colours[1][:4]
    objects = [dict(zip(("context", "question", "options"), row, strict=True)) for row in zip(*x, strict=True)]
    forms = [(x, y), (objects, np.array(y)), (objects, ["ABCDE"[label] for label in y])]
    forms.append(((np.array(x[0]), np.array(x[1], dtype=object), [np.array(options) for options in x[2]]), y))
    losses = [model.evaluate(*form, verbose=0)[0] for form in forms]
    np.testing.assert_allclose(losses, losses[0], atol=1e-6)
    history = model.fit(objects, y, validation_split=0.5, verbose=0).history
    assert "val_accuracy" in history


@pytest.mark.parametrize("label", [-1, 2, "C"])
def test_label_beyond_the_options_of_its_example_is_refused(model, label):
    x = (["a", "b"], ["is it?", "is it?"], [["yes", "no"], ["yes", "no", "perhaps"]])
    first = "A" if isinstance(label, str) else 0
    with pytest.raises(ValueError, match=r"from 0 to 1, as example 0 has 2 options"):
        model.fit(x, [label, first], verbose=0)


def test_one_step_changes_every_weight(model, colours):
    model.compile(keras.optimizers.SGD(1.0))
    before = {weight.path: ops.convert_to_numpy(weight).copy() for weight in model.trainable_variables}
    model.fit(*colours, batch_size=16, verbose=0)
    unmoved = [
        weight.path
        for weight in model.trainable_variables
        # A constant on all scores leaves a softmax as it is: these two have no gradient but rounding.
        if np.array_equal(ops.convert_to_numpy(weight), before[weight.path])
        and not weight.path.endswith(("key/bias", "choice_head/bias"))
    ]
    assert unmoved == []


def test_preset_round_trip_keeps_everything(model, colours, tmp_path):
    expected = model.predict(colours[0], verbose=0)
    model.save_to_preset(tmp_path / "preset")
    loaded = AlbertMultipleChoice.from_preset(tmp_path / "preset")
    np.testing.assert_array_equal(loaded.predict(colours[0], verbose=0), expected)
    assert loaded.choice_dropout == 0.0
    assert loaded.preprocessor.max_option_length == 128


def test_keras_file_keeps_model_and_preprocessor(model, colours, tmp_path):
    model.preprocessor.max_option_length = 20
    model.fit(*colours, batch_size=16, verbose=0)
    expected = model.predict(colours[0], verbose=0)
    model.save(tmp_path / "model.keras")
    loaded = keras.saving.load_model(tmp_path / "model.keras")
    np.testing.assert_allclose(loaded.predict(colours[0], verbose=0), expected, atol=1e-6)
    assert loaded.preprocessor.max_option_length == 20


def test_mixed_precision_trains_and_keeps_absent_options_out(model, colours):
    backbone = type(model.backbone).from_config(model.backbone.get_config() | {"dtype": "mixed_bfloat16"})
    mixed = AlbertMultipleChoice(backbone, model.preprocessor)
    assert np.isfinite(mixed.fit(*colours, batch_size=16, verbose=0).history["loss"]).all()
    x = arrays(2, 3, 8)
    x["padding_mask"][0, 2] = 0
    logits = mixed(x)
    assert keras.backend.standardize_dtype(logits.dtype) == "bfloat16"
    probabilities = ops.convert_to_numpy(ops.softmax(ops.cast(logits, "float32")))
    assert probabilities[0, 2] == 0.0


def test_datasets_of_text_say_what_to_pass(model):
    import tensorflow as tf

    columns = (["a", "b"], ["c", "d"], [["yes", "no"], ["no", "yes"]])
    dataset = tf.data.Dataset.from_tensor_slices((columns,)).batch(2)
    with warnings.catch_warnings(), pytest.raises(ValueError, match="pass lists"):
        warnings.simplefilter("ignore")
        model.predict(dataset, verbose=0)


def test_choosing_without_a_preprocessor_is_refused(model):
    with pytest.raises(ValueError, match="preprocessor=None"):
        AlbertMultipleChoice(model.backbone).choose("a", "b", ["c", "d"])

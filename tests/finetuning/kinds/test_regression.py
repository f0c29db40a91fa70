import numpy as np
import pytest

import keras_albert
from keras_albert.finetuning.kinds.regression import Regression
from keras_albert.finetuning.readers.examples import Examples

ROWS = Examples(["a", "b", "c"], ["d", "e", "f"], labels=[0.0, 1.0, 5.0])


def test_a_model_is_built_trained_and_asked_with_scores(tokenizer) -> None:
    kind = Regression()
    backbone = keras_albert.AlbertBackbone(
        400, num_layers=1, num_heads=1, hidden_dim=4, intermediate_dim=4, embedding_dim=4
    )
    preprocessor = kind.task_class.preprocessor_cls(tokenizer, sequence_length=16)
    model = kind.task_class(backbone, preprocessor=preprocessor, **kind.task_options(ROWS))
    x, y = kind.training_data(ROWS, model)
    assert (x, y.dtype, y.tolist()) == (ROWS.inputs, "float32", [0, 1, 5])
    answers = kind.answer(model, ROWS, batch_size=4)
    assert answers.shape == (3,)
    np.testing.assert_allclose(answers, np.ravel(model.predict(ROWS.inputs, batch_size=4, verbose=0)), rtol=1e-6)


def test_score_table_and_errors_of_a_hand_calculation() -> None:
    answers = np.array([1.0, 2.0, 3.0])
    metrics = Regression().score(ROWS, answers)
    assert (metrics.main, metrics.value) == ("pearson", pytest.approx(5 / np.sqrt(28)))
    assert Regression("spearman").score(ROWS, answers).main == "spearman"
    assert Regression().table(ROWS, answers) == {
        "text": ROWS.texts,
        "text_pair": ROWS.pairs,
        "label": ROWS.labels,
        "prediction": [1.0, 2.0, 3.0],
    }
    assert Regression().errors(ROWS, answers).tolist() == [1, 1, 2]


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="main_metric='mse'"):
        Regression(main_metric="mse")
    with pytest.raises(ValueError, match=r"Expected numbers as labels in dev.*'yes'"):
        Regression().score(Examples(["a"], labels=["yes"], source="dev.tsv"), np.array([1.0]))
    with pytest.raises(ValueError, match="Expected labels in the rows"):
        Regression().training_data(Examples(["a"]), None)  # type: ignore[arg-type]

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from labelled_remarks import remarks

from keras_albert import AlbertClassifier
from keras_albert.finetuning import Examples, FineTuned, evaluate, predict
from keras_albert.finetuning.inference import load_fine_tuned, predict_with


@pytest.mark.parametrize("below", ["", "model"])
def test_figures_of_a_saved_model_are_those_of_its_run(finished: FineTuned, below: str) -> None:
    metrics = evaluate(Path(finished.settings.output) / below, remarks(32), batch_size=16)
    assert metrics.accuracy == finished.metrics.accuracy
    assert metrics.class_names == ("no", "yes")
    np.testing.assert_array_equal(metrics.confusion, finished.metrics.confusion)


def test_predictions_are_in_the_order_of_the_texts(finished: FineTuned) -> None:
    texts = remarks(32).texts
    predictions = predict(finished.settings.output, texts, batch_size=16)
    assert predictions.labels == finished.predictions.labels
    np.testing.assert_allclose(predictions.probabilities, finished.predictions.probabilities, atol=1e-6)
    np.testing.assert_allclose(predictions.probabilities.sum(-1), 1.0)


def test_labels_must_be_classes_of_the_model(finished: FineTuned) -> None:
    with pytest.raises(ValueError, match=r"Expected labels among \['no', 'yes'\] in other\.tsv"):
        evaluate(finished.settings.output, Examples(["a"], labels=["1"], source="other.tsv"))
    with pytest.raises(ValueError, match="at least one text"):
        predict(finished.settings.output, [])


def test_a_preset_without_a_classifier_is_refused(tiny_preset: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"which holds none.*keras-albert finetune"):
        load_fine_tuned(tiny_preset)
    shutil.copytree(tiny_preset, tmp_path / "pretrainer")
    (tmp_path / "pretrainer" / "task.json").write_text(json.dumps({"registered_name": "keras_albert>AlbertPretrainer"}))
    with pytest.raises(ValueError, match="which holds none"):
        load_fine_tuned(tmp_path / "pretrainer")
    with pytest.raises(ValueError, match="Expected a preset's name"):
        load_fine_tuned(tmp_path / "nothing")


def test_outputs_that_are_no_numbers_are_refused(
    small_classifier: AlbertClassifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: AlbertClassifier, texts: list[str], **kwargs: Any) -> np.ndarray:
        return np.full((len(texts), 2), np.nan)

    monkeypatch.setattr(AlbertClassifier, "predict", broken)
    with pytest.raises(ValueError, match=r"no numbers.*float32"):
        predict_with(small_classifier, ["a"], 32)


def test_a_release_that_google_fine_tuned(shared: Path, tmp_path: Path) -> None:
    release = tmp_path / "release"
    shutil.copytree(shared / "golden" / "model" / "finetuned_mrpc", release)
    release.chmod(0o755)
    shutil.copy(shared / "golden" / "model" / "albert_tiny_g1" / "30k-clean.model", release)
    classifier = load_fine_tuned(release)
    outputs = np.load(shared / "golden" / "model" / "finetuned_mrpc_outputs.npz")
    inputs = np.load(shared / "golden" / "model" / "albert_tiny_g1_outputs.npz")
    features = {
        "token_ids": inputs["input_ids"],
        "segment_ids": inputs["segment_ids"],
        "padding_mask": inputs["input_mask"],
    }
    classifier.preprocessor = None
    predictions = predict_with(classifier, features, batch_size=3)
    np.testing.assert_allclose(predictions.probabilities, outputs["probabilities"], atol=2e-5)
    assert predictions.numbers.tolist() == outputs["predictions"].tolist()
    assert predictions.class_names == ("0", "1")

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from labelled_remarks import remarks

from keras_albert.finetuning import Examples, FineTuned, Trained
from keras_albert.finetuning.inference import run_configuration


@pytest.mark.parametrize("below", ["", "model"])
def test_figures_of_a_saved_model_are_those_of_its_run(finished: FineTuned, below: str) -> None:
    trained = Trained.load(Path(finished.settings.output) / below)
    metrics = trained.evaluate(remarks(32), batch_size=16)
    assert metrics.value == finished.metrics.value
    assert metrics.class_names == ("no", "yes")
    np.testing.assert_array_equal(metrics.confusion, finished.metrics.confusion)
    assert trained.kind == finished.kind


def test_answers_are_in_the_order_of_the_texts(finished: FineTuned) -> None:
    answers = Trained.load(finished.settings.output).answer(Examples(remarks(32).texts), batch_size=16)
    assert answers.labels == finished.answers.labels
    np.testing.assert_allclose(answers.probabilities, finished.answers.probabilities, atol=1e-6)


def test_labels_must_be_classes_of_the_model(finished: FineTuned) -> None:
    with pytest.raises(ValueError, match=r"Expected labels among \['no', 'yes'\] in other\.tsv"):
        Trained.load(finished.settings.output).evaluate(Examples(["a"], labels=["1"], source="other.tsv"))


def test_the_configuration_is_found_from_the_run_and_from_its_models(finished: FineTuned, tiny_preset: Path) -> None:
    run = Path(finished.settings.output)
    for folder in (run, run / "model", run / "last"):
        assert run_configuration(folder)["batch_size"] == 16
    assert run_configuration(tiny_preset) == {}


def test_a_preset_without_a_trained_head_is_refused(tiny_preset: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"which holds none.*keras-albert finetune"):
        Trained.load(tiny_preset)
    shutil.copytree(tiny_preset, tmp_path / "pretrainer")
    (tmp_path / "pretrainer" / "task.json").write_text(json.dumps({"registered_name": "keras_albert>AlbertPretrainer"}))
    with pytest.raises(ValueError, match="which holds none"):
        Trained.load(tmp_path / "pretrainer")
    with pytest.raises(ValueError, match="Expected a preset's name"):
        Trained.load(tmp_path / "nothing")


def test_a_release_that_google_fine_tuned(shared: Path, tmp_path: Path) -> None:
    release = tmp_path / "release"
    shutil.copytree(shared / "golden" / "model" / "finetuned_mrpc", release)
    release.chmod(0o755)
    shutil.copy(shared / "golden" / "model" / "albert_tiny_g1" / "30k-clean.model", release)
    trained = Trained.load(release)
    outputs = np.load(shared / "golden" / "model" / "finetuned_mrpc_outputs.npz")
    inputs = np.load(shared / "golden" / "model" / "albert_tiny_g1_outputs.npz")
    features = {
        "token_ids": inputs["input_ids"],
        "segment_ids": inputs["segment_ids"],
        "padding_mask": inputs["input_mask"],
    }
    trained.model.preprocessor = None

    class Packed(Examples):
        inputs = features

    answers = trained.answer(Packed(["packed already"]), batch_size=3)
    np.testing.assert_allclose(answers.probabilities, outputs["probabilities"], atol=2e-5)
    assert answers.numbers.tolist() == outputs["predictions"].tolist()
    assert answers.class_names == ("0", "1")

import json
from pathlib import Path

import numpy as np
import pytest
from labelled_remarks import remarks

from keras_albert.finetuning import Classification, FineTuning, Trained, finetune_with_seeds
from keras_albert.finetuning import seeds as seeds_module

KIND = Classification(class_names=("no", "yes"))


@pytest.mark.filterwarnings("ignore:The model is hardly better")
def test_seeds_give_mean_and_spread_and_a_killed_run_goes_on(
    tiny_preset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = FineTuning(
        str(tiny_preset), str(tmp_path / "run"), epochs=2, batch_size=16, learning_rate=0.01, sequence_length=24, seed=5
    )
    original, trained = seeds_module.finetune, []

    def killed_at_the_second(settings: FineTuning, *arguments: object) -> object:
        if len(trained) == 1:
            raise KeyboardInterrupt
        trained.append(settings.seed)
        return original(settings, *arguments)

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(seeds_module, "finetune", killed_at_the_second)
        finetune_with_seeds(settings, 2, KIND, remarks(32), remarks(32), verbose=False)
    monkeypatch.setattr(
        seeds_module, "finetune", lambda settings, *rest: trained.append(settings.seed) or original(settings, *rest)
    )
    spread = finetune_with_seeds(settings, 2, KIND, remarks(32), remarks(32), verbose=False)
    assert trained == [5, 6]
    assert [entry.name for entry in tmp_path.iterdir()] == ["run"]
    figures = json.loads((tmp_path / "run" / "metrics.json").read_text())
    values = [json.loads((tmp_path / "run" / f"seed_{s}" / "metrics.json").read_text())["accuracy"] for s in (5, 6)]
    assert figures["values"]["accuracy"] == values
    assert figures["mean"]["accuracy"] == spread.mean == np.mean(values)
    assert figures["spread"]["accuracy"] == pytest.approx(abs(values[0] - values[1]) / np.sqrt(2))
    assert Trained.load(tmp_path / "run").evaluate(remarks(32)).value == max(values)
    assert (tmp_path / "run" / "seeds.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(ValueError, match="at least two seeds"):
        finetune_with_seeds(settings, 1, KIND, remarks(4), remarks(4))

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from keras_albert.presets import PRESETS

pytestmark = pytest.mark.any_backend


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KERAS_ALBERT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_every_name_is_listed_with_its_address(call: Callable[..., Any], cache: Path) -> None:
    outcome = call("presets")
    assert outcome.code == 0
    lines = {line.split()[0]: line.split() for line in outcome.out.splitlines()[2:] if line.strip()}
    assert lines.keys() == PRESETS.keys()
    assert lines["albert_xlarge_v1"][1:5] == ["58,724,864", "24", "2,048", "128"]
    assert lines["albert_base"][-1] == "https://storage.googleapis.com/albert_models/albert_base_v2.tar.gz"
    assert {name for name, line in lines.items() if "yes" in line} == {"albert_tiny"}
    assert "in the package" in outcome.out


def test_a_preset_in_the_cache_is_marked_under_each_of_its_names(call: Callable[..., Any], cache: Path) -> None:
    folder = cache / "presets" / "albert_base_v2"
    folder.mkdir(parents=True)
    (folder / "origin.json").write_text("{}")
    facts = json.loads(call("presets", "--json").out)
    assert {fact["name"] for fact in facts if fact["is_here"]} == {"albert_tiny", "albert_base", "albert_base_v2"}
    assert facts[0]["address"] is None
    assert facts[1]["parameter_count"] == 11_683_584
    assert facts[1]["hidden_dim"] == 768

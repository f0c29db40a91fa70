"""Variables of a checkpoint that was really trained and of one that was fine-tuned: each is accounted for."""

import ast
from collections import Counter

import numpy as np
import pytest

from keras_albert.checkpoints import read_google_config
from keras_albert.checkpoints.google_checkpoint import GoogleCheckpoint
from keras_albert.checkpoints.matching import match_checkpoint
from keras_albert.checkpoints.release import Release

pytestmark = pytest.mark.any_backend


class NamesOnly:
    """What a reader knows of a checkpoint without its values."""

    def __init__(self, path):
        lines = [line.split("\t") for line in path.read_text().splitlines() if line.strip()]
        self.shapes = {name: tuple(ast.literal_eval(shape)) for name, _, shape in lines}
        self.skipped = {}

    def read(self, name):
        return np.zeros(self.shapes[name], "float32")

    def spelled(self, name):
        return name


@pytest.mark.parametrize("folder", [".", "ft"])
def test_every_variable_is_used_or_skipped_with_a_reason(folder, shared):
    source = shared / "data" / "albert_tiny_zh_google_ckpt_meta"
    config = read_google_config(source / "albert_config_tiny_g.json")
    reader = NamesOnly(source / folder / "variables.tsv")
    checkpoint = GoogleCheckpoint(source / "albert_model.ckpt", reader=reader)
    match = match_checkpoint(checkpoint, config.backbone)
    release = Release(
        origin="real",
        backbone_config=config.backbone,
        unknown_config=config.unknown,
        defaulted_config=config.defaulted,
        config_path=source,
        vocabulary_path=None,
        checkpoint=checkpoint,
        match=match,
    )
    summary = release.summary()
    assert summary.unmapped == ()
    assert summary.used["backbone"] == 25
    used, skipped = sum(summary.used.values()), len(summary.skipped)
    assert used + skipped == summary.total == len(reader.shapes)
    slots = sum(name.endswith(("/adam_m", "/adam_v")) for name in reader.shapes)
    assert slots == 2 * used
    assert sum(Counter(summary.skipped.values()).values()) == slots + ("global_step" in reader.shapes)

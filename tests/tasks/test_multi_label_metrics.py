"""Micro F1 against counts by hand."""

import keras
import numpy as np
import pytest

from keras_albert.tasks.multi_label_metrics import MicroF1

TRUE = np.array([[1, 0, 1], [0, 0, 1], [0, 1, 0]], "float32")
LOGITS = np.array([[2.0, 0.5, -1.0], [-3.0, -0.1, 0.2], [-1.0, -1.0, -1.0]], "float32")


@pytest.mark.parametrize("dtype", ["float32", "int64", "bool"])
def test_micro_f1_counts_all_pairs_over_batches(dtype):
    true = keras.ops.convert_to_tensor(TRUE.astype(dtype))
    metric = MicroF1()
    metric.update_state(true[:2], LOGITS[:2])
    metric.update_state(true[2:], LOGITS[2:])
    # 2 hits, 1 wrong mark, 2 missed: 4 / (4 + 1 + 2)
    assert float(metric.result()) == pytest.approx(4 / 7)
    metric.reset_state()
    assert float(metric.result()) == 0.0


def test_micro_f1_weighs_rows():
    metric = MicroF1()
    metric.update_state(TRUE, LOGITS, sample_weight=np.array([1.0, 3.0, 0.0]))
    # Hits 1 + 3, one wrong mark and one missed in the first row.
    assert float(metric.result()) == pytest.approx(8 / 10)


def test_micro_f1_survives_its_config():
    metric = keras.saving.deserialize_keras_object(keras.saving.serialize_keras_object(MicroF1(name="score")))
    assert metric.name == "score"

"""The largest ALBERT takes little more memory to load than its weights have."""

import json

import numpy as np
import pytest
from safetensors.numpy import save_file

from keras_albert.checkpoints import SAFETENSORS_NAME, table_for
from keras_albert.checkpoints.google_config import parse_google_config

LOAD = """
import threading, time
import keras, keras_albert

def anonymous():  # MiB that no file stands behind
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("RssAnon")) / 1024

keras_albert.AlbertBackbone(100, 2, 2, 16, 32, embedding_dim=8)
before, peak, is_loading = anonymous(), [0.0], [True]

def watch():
    while is_loading[0]:
        peak[0] = max(peak[0], anonymous())
        time.sleep(0.005)

thread = threading.Thread(target=watch)
thread.start()
model = keras_albert.AlbertBackbone.from_preset({folder!r})
is_loading[0] = False
thread.join()
print((peak[0] - before) / (4 * model.count_params() / 2**20))
"""


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["torch", "jax", "tensorflow"])
def test_xxlarge_loads_within_little_more_than_its_weights(backend, run_under, tmp_path):
    config = parse_google_config({"vocab_size": 30000}).backbone  # Google's defaults are those of xxlarge
    rows = [row for row in table_for(config) if row.part == "backbone"]
    save_file(
        {row.google: np.full(row.google_shape(config), 0.01, "float32") for row in rows}, tmp_path / SAFETENSORS_NAME
    )
    (tmp_path / "albert_config.json").write_text(json.dumps({"vocab_size": 30000}))
    ratio = float(run_under(backend, LOAD.replace("{folder!r}", repr(str(tmp_path)))).split()[-1])
    assert 0.9 < ratio < 1.3

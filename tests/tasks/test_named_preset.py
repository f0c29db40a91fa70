"""A named preset from download to prediction: fetched once, then loaded without network and without TensorFlow."""

import functools
import http.server
import shutil
import threading

import numpy as np
import pytest

from keras_albert import AlbertClassifier, AlbertMaskedLM, AlbertTokenizer
from keras_albert.presets import DownloadError


@pytest.fixture
def mirror(golden_model, tmp_path, monkeypatch):
    """Serve a small archive from the loopback address under the name of Google's base model."""
    archive, _ = golden_model("albert_tiny_g2")
    (tmp_path / "served").mkdir()
    shutil.copy(archive, tmp_path / "served" / "albert_base_v2.tar.gz")

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *arguments):
            pass

    handler = functools.partial(Quiet, directory=str(tmp_path / "served"))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("KERAS_ALBERT_MIRROR", f"http://127.0.0.1:{server.server_port}")
        monkeypatch.setenv("KERAS_ALBERT_CACHE", str(tmp_path / "a cache"))
        yield server
        server.shutdown()


def test_name_serves_every_class_and_only_its_first_use_needs_the_network(mirror, tmp_path, monkeypatch):
    classifier = AlbertClassifier.from_preset("albert_base", num_classes=2)
    assert classifier.preprocessor.max_sequence_length == 64
    assert classifier.predict(["a fine film"], verbose=0).shape == (1, 2)
    monkeypatch.setenv("KERAS_ALBERT_MIRROR", "http://127.0.0.1:9")
    masked_lm = AlbertMaskedLM.from_preset("albert_base_v2")
    np.testing.assert_array_equal(masked_lm.backbone.get_weights()[0], classifier.backbone.get_weights()[0])
    tokenizer = AlbertTokenizer.from_preset("albert_base")
    assert tokenizer("a fine film") == classifier.preprocessor.tokenizer("a fine film")
    with pytest.raises(DownloadError, match=r"albert_large_v2\.tar\.gz"):
        AlbertClassifier.from_preset("albert_large", num_classes=2)

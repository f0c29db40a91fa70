import hashlib
import json
import logging
import shutil
import sys
import threading

import numpy as np
import pytest

from keras_albert.checkpoints import GoogleCheckpoint, open_release
from keras_albert.presets import PRESETS, CacheError, DownloadError
from keras_albert.presets import store as store_module
from keras_albert.presets.store import stored_folder

BASE = PRESETS["albert_base"]


@pytest.fixture
def served(mirror, kept_golden):
    """The mirror, with a tiny release in the place of albert_base."""
    shutil.copyfile(kept_golden / "albert_tiny_g2.tar.gz", mirror.folder / "albert_base_v2.tar.gz")
    return mirror


def left_in(folder):
    return sorted(entry.name for entry in folder.iterdir() if not entry.name.endswith(".lock"))


def test_release_is_kept_converted(served, cache, monkeypatch):
    folder = stored_folder(BASE)

    assert folder == cache / "presets" / "albert_base_v2"
    assert left_in(folder) == ["30k-clean.model", "albert_config.json", "google_variables.safetensors", "origin.json"]
    assert left_in(cache / "presets") == ["albert_base_v2"]
    assert left_in(cache / "downloads") == []
    assert len({path.stat().st_mode for path in folder.iterdir()}) == 1  # others may read the weights too
    origin = json.loads((folder / "origin.json").read_text())
    archive = (served.folder / "albert_base_v2.tar.gz").read_bytes()
    assert origin["archive_sha256"] == hashlib.sha256(archive).hexdigest()
    assert origin["address"] == f"{served.address}/albert_base_v2.tar.gz"
    assert origin["differences"]["hidden_dim"] == {"expected": 768, "received": 40}


def test_weights_are_the_archives_without_slots(served, cache, golden_model):
    shutil.copyfile(golden_model / "albert_tiny_g1.tar.gz", served.folder / "albert_base_v2.tar.gz")

    checkpoint = GoogleCheckpoint(stored_folder(BASE))

    assert checkpoint.skipped == {}
    with np.load(golden_model / "albert_tiny_g1_variables.npz") as stored:
        assert checkpoint.names == sorted(
            name for name in stored.files if "/adam_" not in name and name != "global_step"
        )
        for name in checkpoint.names:
            np.testing.assert_array_equal(checkpoint.read(name), stored[name])


def test_second_use_needs_neither_network_nor_tensorflow(served, monkeypatch):
    stored_folder(BASE)
    assert served.requests == ["/models/albert_base_v2.tar.gz"]
    served.fault = 503
    monkeypatch.setitem(sys.modules, "tensorflow", None)

    for name in ("albert_base", "albert_base_v2"):
        assert open_release(stored_folder(PRESETS[name])).heads == {"masked_lm_head", "sentence_order_head"}
    assert len(served.requests) == 1


def test_what_is_not_expected_is_logged(served, caplog):
    with caplog.at_level(logging.WARNING):
        stored_folder(BASE)

    assert "'num_heads': {'expected': 12, 'received': 5}" in caplog.text


def test_no_network_names_address_file_and_folder(mirror, cache):
    with pytest.raises(DownloadError) as raised:
        stored_folder(BASE)

    for words in (
        f"{mirror.address}/albert_base_v2.tar.gz",
        f"put it into {cache / 'downloads'} as albert_base_v2.tar.gz",
        "KERAS_ALBERT_MIRROR",
    ):
        assert words in str(raised.value)
    assert left_in(cache / "downloads") == left_in(cache / "presets") == []


def test_archive_put_there_by_hand_needs_no_network(mirror, cache, kept_golden):
    (cache / "downloads").mkdir(parents=True)
    shutil.copyfile(kept_golden / "albert_tiny_g2.tar.gz", cache / "downloads" / "albert_base_v2.tar.gz")

    folder = stored_folder(BASE)

    assert mirror.requests == []
    assert open_release(folder).backbone_config["num_heads"] == 5
    assert left_in(cache / "downloads") == []


def test_damaged_archive_put_there_by_hand_stays_and_is_named(mirror, cache):
    (cache / "downloads").mkdir(parents=True)
    archive = cache / "downloads" / "albert_base_v2.tar.gz"
    archive.write_bytes(b"\x1f\x8b damaged")

    with pytest.raises(ValueError, match=rf"damaged.*Remove {archive}"):
        stored_folder(BASE)
    assert archive.is_file()


@pytest.mark.parametrize("size", [0, 1000, 300_000])
def test_interrupted_download_leaves_nothing_and_the_second_try_succeeds(served, cache, size):
    served.fault = ("cut", size)
    with pytest.raises(DownloadError):
        stored_folder(BASE)
    assert left_in(cache / "downloads") == left_in(cache / "presets") == []

    served.fault = None
    assert open_release(stored_folder(BASE)).heads


def test_damaged_archive_from_the_server_is_not_kept(served, cache, kept_golden):
    whole = (kept_golden / "albert_tiny_g2.tar.gz").read_bytes()
    (served.folder / "albert_base_v2.tar.gz").write_bytes(whole[:200_000])
    with pytest.raises(ValueError, match=rf"truncated or damaged.*It came from {served.address}"):
        stored_folder(BASE)
    assert left_in(cache / "downloads") == left_in(cache / "presets") == []

    (served.folder / "albert_base_v2.tar.gz").write_bytes(whole)
    assert open_release(stored_folder(BASE)).heads


@pytest.mark.parametrize("error", [KeyboardInterrupt(), MemoryError()])
def test_interrupted_conversion_leaves_no_preset_and_the_second_try_succeeds(served, cache, monkeypatch, error):
    def interrupted(*args):
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(store_module, "save_file", interrupted)
        with pytest.raises(type(error)):
            stored_folder(BASE)
    assert left_in(cache / "presets") == []

    assert open_release(stored_folder(BASE)).heads
    assert len(served.requests) == 1
    assert left_in(cache / "downloads") == []


def test_full_disk_while_converting_names_the_variable(served, cache, monkeypatch):
    def full(*args):
        raise store_module.SafetensorError("No space left on device (os error 28)")

    monkeypatch.setattr(store_module, "save_file", full)
    with pytest.raises(CacheError, match=r"No space left.*KERAS_ALBERT_CACHE"):
        stored_folder(BASE)
    assert left_in(cache / "presets") == []


def test_cache_that_is_no_folder_names_the_variable(mirror, cache):
    cache.write_text("a file")

    with pytest.raises(CacheError, match="KERAS_ALBERT_CACHE"):
        stored_folder(BASE)
    assert mirror.requests == []


def test_missing_tensorflow_is_said_before_anything_is_downloaded(served, monkeypatch):
    monkeypatch.setitem(sys.modules, "tensorflow", None)

    with pytest.raises(ImportError, match=r"pip install keras-albert\[tensorflow\]"):
        stored_folder(BASE)
    assert served.requests == []


def test_what_a_killed_process_left_is_removed(served, cache):
    for leftover in ("presets/.albert_base_v2-x1/extracted", "presets/albert_base_v2"):
        (cache / leftover).mkdir(parents=True)
    (cache / "downloads").mkdir()
    (cache / "downloads" / ".albert_base_v2.tar.gz-x2.part").write_bytes(b"half")

    assert open_release(stored_folder(BASE)).heads
    assert left_in(cache / "presets") == ["albert_base_v2"]
    assert left_in(cache / "downloads") == []


def test_several_at_once_download_once(served, cache):
    folders = []
    threads = [threading.Thread(target=lambda: folders.append(stored_folder(BASE))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert folders == [cache / "presets" / "albert_base_v2"] * 4
    assert len(served.requests) == 1


def test_nothing_is_printed_without_a_terminal(served, capsys):
    stored_folder(BASE)

    assert capsys.readouterr().out == ""
    assert "Converting" not in capsys.readouterr().err

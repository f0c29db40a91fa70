"""Fixtures of the preset tests: a server on this machine that serves archives well or badly, a cache of its own."""

import http.server
import socket
import struct
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest


class Mirror:
    """A server of one folder.

    `fault` is what it does with the next requests: `None`, an HTTP status, `("cut", bytes)` to close the connection
    after that many bytes, or `("reset", bytes)` to break it.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.fault: Any = None
        self.requests: list[str] = []
        mirror = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                mirror.answer(self)

            def log_message(self, *args: Any) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}/models"

    def answer(self, request: http.server.BaseHTTPRequestHandler) -> None:
        self.requests.append(request.path)
        file = self.folder / request.path.removeprefix("/models/")
        if isinstance(self.fault, int) or not file.is_file():
            request.send_error(self.fault or 404)
            return
        content = file.read_bytes()
        request.send_response(200)
        request.send_header("Content-Length", str(len(content)))
        request.end_headers()
        kind, size = self.fault or ("whole", len(content))
        request.wfile.write(content[:size])
        request.wfile.flush()
        if kind == "reset":
            request.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder that the environment names."""
    monkeypatch.setenv("KERAS_ALBERT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("KERAS_ALBERT_MIRROR", raising=False)
    return tmp_path / "cache"


@pytest.fixture
def mirror(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: Path) -> Iterator[Mirror]:
    """A server that stands in for Google's, with an empty folder."""
    folder = tmp_path / "served"
    folder.mkdir()
    served = Mirror(folder)
    thread = threading.Thread(target=served.server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    monkeypatch.setenv("KERAS_ALBERT_MIRROR", served.address)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    yield served
    served.server.shutdown()
    served.server.server_close()
    thread.join()


@pytest.fixture
def kept_golden() -> Path:
    """The outputs and checkpoints of Google's code that are kept with the tests."""
    return Path(__file__).parents[1] / "golden" / "model"


@pytest.fixture
def golden_model(shared: Path) -> Path:
    """All of them."""
    return shared / "golden" / "model"

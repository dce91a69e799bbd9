"""A network camera for the tests: motion JPEG over HTTP, until it is switched off."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2
import numpy as np


class _Camera(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        chance = np.random.default_rng(1)
        with contextlib.suppress(OSError):
            while True:
                picture = chance.integers(0, 255, (120, 160, 3)).astype(np.uint8)
                data = cv2.imencode(".jpg", picture)[1].tobytes()
                head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
                self.wfile.write(head.encode() + data + b"\r\n")
                time.sleep(0.1)

    def log_message(self, *_: object) -> None:
        """Nothing: the tests' output is for the tests."""


@contextlib.contextmanager
def network_camera() -> Iterator[str]:
    """The address of a camera that shows something new ten times a second."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Camera)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/video.mjpg"
    finally:
        server.shutdown()
        server.server_close()


@contextlib.contextmanager
def silent_address() -> Iterator[str]:
    """An address where somebody listens and never answers."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(8)
        yield f"http://user:secret@127.0.0.1:{listening.getsockname()[1]}/video"

"""What is said of an address that gives no pictures: what it answered, and never its password."""

from __future__ import annotations

import base64
import http.server
import threading
from collections.abc import Iterator
from typing import ClassVar

import pytest

from vision.sources import SourceError, open_source
from vision.sources.unanswered import why_shut


class Answers(http.server.BaseHTTPRequestHandler):
    """``/404``: that status; ``/page``: a web page; ``/home``: one for who says the password; ``/to/PORT``: leads on to
    that port; else nothing useful. ``told`` are the passwords that were said."""

    told: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        path = self.path.strip("/")
        self.told.extend(filter(None, [self.headers.get("Authorization")]))
        if path.startswith("to/"):
            self.send_response(302)
            self.send_header("Location", f"http://localhost:{path[3:]}/page")
            self.end_headers()
            return
        known = self.headers.get("Authorization") == "Basic " + base64.b64encode(b"ann:s3cret").decode()
        status = int(path) if path.isdigit() else 401 if path == "home" and not known else 200
        self.send_response(status)
        self.send_header("Content-Type", "text/html" if path in ("page", "home") else "application/octet-stream")
        self.end_headers()

    def log_message(self, *_: object) -> None: ...


@pytest.fixture
def host() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("page", "web page"),
        ("401", "password"),
        ("403", "password"),
        ("404", "no video (404)"),
        ("500", "is it plugged in"),
        ("x", "is it plugged in"),
    ],
)
def test_what_an_address_answers_is_said(host: str, path: str, said: str) -> None:
    with pytest.raises(SourceError, match="http") as error:
        open_source(f"http://{host}/{path}")
    assert said in str(error.value)


def test_the_password_is_told_to_the_camera_alone(host: str) -> None:
    with pytest.raises(SourceError, match="web page") as error:
        open_source(f"http://ann:s3cret@{host}/home")
    assert "s3cret" not in str(error.value)
    assert "password" in why_shut(f"http://ann:wrong@{host}/home", "it")


def test_nor_to_where_the_camera_sends_us_on(host: str) -> None:
    Answers.told.clear()
    port = host.rpartition(":")[2]
    assert "web page" in why_shut(f"http://ann:s3cret@{host}/to/{port}", "it")
    assert len(Answers.told) == 1  # by the first address alone


@pytest.mark.parametrize("address", ["rtsp://127.0.0.1/x", "http://127.0.0.1:1/", "http://[::1", "http://127.0.0.1:x/"])
def test_of_what_does_not_answer_nothing_is_said(address: str) -> None:
    assert why_shut(address, "it") == ""

"""Why a stream cannot be opened, as far as its address says: OpenCV only says that it cannot."""

from __future__ import annotations

import base64
import urllib.error
import urllib.request
from http.client import HTTPException
from typing import Final
from urllib.parse import unquote, urlsplit

SECONDS: Final = 3.0
"""So long an address is given to answer."""
_NOT_HERE: Final = "; look in the camera's app for the address of its video (often it ends in /video)"


def why_shut(address: str, name: str) -> str:
    """One sentence about an ``http(s)://`` address that gave no pictures; ``name`` is what it may be called in public.
    Empty where nothing is to be said: it is no such address, or does not answer at all."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    if parts.scheme not in ("http", "https"):
        return ""
    request = urllib.request.Request(parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl())
    if parts.username is not None:
        login = f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode()
        # Wherever the address leads on to, the password is not for that.
        request.add_unredirected_header("Authorization", "Basic " + base64.b64encode(login).decode())
    # A camera is in this network: no proxy is asked.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=SECONDS) as answer:
            kind = answer.headers.get_content_type()
    except urllib.error.HTTPError as error:
        error.close()
        if error.code in (401, 403):
            return f"{name} wants a name and a password: http://name:password@ before the rest of the address"
        return f"{name} answers that there is no video ({error.code}){_NOT_HERE}" if error.code < 500 else ""
    except (OSError, HTTPException, ValueError):
        return ""
    return f"{name} answers with a web page and not with a video{_NOT_HERE}" if kind == "text/html" else ""

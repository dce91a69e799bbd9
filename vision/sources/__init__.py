"""Where pictures come from: a camera, a film, a stream, a folder of photos. One small protocol for all."""

from __future__ import annotations

from vision.sources.base import Frame, Kind, LeftOut, Source, SourceError
from vision.sources.opening import kind_of, open_source, public_name

__all__ = ["Frame", "Kind", "LeftOut", "Source", "SourceError", "kind_of", "open_source", "public_name"]

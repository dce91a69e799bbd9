"""Pictures from files: any common format to upright BGR bytes, or one sentence on why not."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Image

SUFFIXES: Final = frozenset({".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".webp", ".bmp", ".tif", ".tiff", ".avif"})
"""What is taken for a picture when a folder is read."""
LEAST_SIDE: Final = 24
"""Pixels. A card's index has to be some ten pixels high to be read at all."""
MOST_PIXELS: Final = 256_000_000
"""Three bytes a pixel are held in memory; phones make pictures of up to 200 megapixels."""
BEHIND: Final = 114
"""The grey that shows through transparent pixels: neither paper nor print."""


class ImageError(Exception):
    """A file that gives no picture: one sentence, and a stable ``code``.

    Codes: ``file-missing``, ``file-unreadable``, ``file-empty``, ``not-an-image``, ``image-broken``,
    ``image-too-small``, ``image-too-large``.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def load(path: Path) -> Image:
    """The picture in a file, turned as its EXIF data says, shape (height, width, 3). Raises ImageError."""
    try:
        if path.exists() and not path.is_file():  # a pipe would be waited for, for ever
            kind = "a folder" if path.is_dir() else "a pipe or a device"
            raise ImageError("file-unreadable", f"{path} is {kind}, not a file: name the picture's own file.")
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise ImageError("file-missing", f"{path} does not exist.") from None
    except OSError as error:
        raise ImageError("file-unreadable", f"{path} cannot be read: {error.strerror or error}.") from None
    return decode(data, str(path))


def decode(data: bytes, name: str = "The picture") -> Image:
    """The picture in the bytes of a file. Raises ImageError, whose sentence calls it ``name``."""
    if not data:
        raise ImageError("file-empty", f"{name} is empty.")
    size = announced_size(data)
    if size is not None and size[0] * size[1] > MOST_PIXELS:
        raise ImageError(
            "image-too-large",
            f"{name} has {size[0]} x {size[1]} pixels, more than {MOST_PIXELS // 1_000_000} megapixels: scale it down.",
        )
    try:
        image = _decoded(np.frombuffer(data, np.uint8))
    except cv2.error:
        image = None
    if image is None:
        if size is not None:
            raise ImageError("image-broken", f"{name} is damaged or cut off: copy or save it again.")
        raise ImageError("not-an-image", f"{name} is not a picture in a known format: save it as JPEG, PNG or WebP.")
    height, width = image.shape[:2]
    if min(height, width) < LEAST_SIDE:
        raise ImageError(
            "image-too-small", f"{name} has only {width} x {height} pixels; no card can be read below {LEAST_SIDE}."
        )
    if height * width > MOST_PIXELS:
        raise ImageError("image-too-large", f"{name} has {width} x {height} pixels: scale it down.")
    return image


def photos(paths: list[Path]) -> list[Path]:
    """The files named, and the pictures in the folders named, at any depth, in the order of their names."""
    result = []
    for path in paths:
        if path.is_dir():
            result += sorted(file for file in path.rglob("*") if file.suffix.lower() in SUFFIXES and file.is_file())
        else:
            result.append(path)
    return result


def announced_size(data: bytes) -> tuple[int, int] | None:
    """Width and height as a JPEG, PNG or WebP file's own header gives them, before anything is unpacked."""
    try:
        if data.startswith(b"\x89PNG\r\n\x1a\n"):
            return struct.unpack(">II", data[16:24])
        if data.startswith(b"\xff\xd8\xff"):
            return _jpeg_size(data)
        if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
            return _webp_size(data)
    except (struct.error, IndexError):
        return (0, 0)  # it calls itself a picture but ends within its header
    return None


def _jpeg_size(data: bytes) -> tuple[int, int]:
    at = 2
    while True:
        marker, length = data[at + 1], struct.unpack(">H", data[at + 2 : at + 4])[0]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        at += 2 + length


def _webp_size(data: bytes) -> tuple[int, int]:
    kind = data[12:16]
    if kind == b"VP8X":
        return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
    if kind == b"VP8L":
        (bits,) = struct.unpack("<I", data[21:25])
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    width, height = struct.unpack("<HH", data[26:30])
    return width & 0x3FFF, height & 0x3FFF


def _decoded(data: NDArray[np.uint8]) -> Image | None:
    unchanged, kinds, metadata = cv2.imdecodeWithMetadata(data, flags=cv2.IMREAD_UNCHANGED)
    if unchanged is None or not unchanged.size:
        return None
    if unchanged.ndim == 3 and unchanged.shape[2] == 4:
        exif = [bytes(part) for kind, part in zip(kinds, metadata, strict=True) if kind == cv2.IMAGE_METADATA_EXIF]
        return _turned(_on_grey(unchanged), orientation(exif[0]) if exif else 1)
    # OpenCV itself widens grey, narrows 16 bits and turns the picture as EXIF says, unless alpha is to be kept.
    image = cv2.imdecode(data, cv2.IMREAD_COLOR)
    return None if image is None else image.astype(np.uint8, copy=False)


def _on_grey(image: NDArray[np.generic]) -> Image:
    full = {1: 255.0, 2: 65535.0}.get(image.dtype.itemsize, 1.0)  # bytes, 16 bits, floats
    opaque = image[..., 3:].astype(np.float32) / full
    colour = image[..., :3].astype(np.float32) * (255 / full)
    return np.asarray(np.rint(colour * opaque + BEHIND * (1 - opaque)).clip(0, 255), np.uint8)


def orientation(exif: bytes) -> int:
    """The EXIF orientation, 1 to 8; 1 where it is not given."""
    start = max(exif.find(b"II*\x00"), exif.find(b"MM\x00*"))
    if start < 0:
        return 1
    order, tiff = ("<" if exif[start : start + 1] == b"I" else ">"), exif[start:]
    try:
        (first,) = struct.unpack(order + "I", tiff[4:8])
        (count,) = struct.unpack(order + "H", tiff[first : first + 2])
        for entry in range(first + 2, first + 2 + 12 * count, 12):
            tag, _, _, value = struct.unpack(order + "HHIH", tiff[entry : entry + 10])
            if tag == 0x0112 and 1 <= value <= 8:
                return int(value)
    except struct.error:
        pass
    return 1


def _turned(image: Image, how: int) -> Image:
    if how in (5, 6, 7, 8):
        image = image.transpose(1, 0, 2)
    if how in (2, 3, 6, 7):
        image = image[:, ::-1]
    if how in (3, 4, 7, 8):
        image = image[::-1]
    return np.ascontiguousarray(image)

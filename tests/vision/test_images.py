"""Loading pictures: formats, rotation, alpha, depth, size, damage."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.images import BEHIND, MOST_PIXELS, ImageError, announced_size, decode, load, orientation, photos
from vision.types import Image

# What a viewer does with each EXIF orientation, written as the standard words it (0th row and column of the file
# lie at these sides of the picture).
VIEWER: dict[int, Callable[[Image], Image]] = {
    1: lambda image: image,
    2: lambda image: image[:, ::-1],
    3: lambda image: np.rot90(image, 2),
    4: lambda image: image[::-1],
    5: lambda image: np.rot90(image[:, ::-1], 1),
    6: lambda image: np.rot90(image, -1),
    7: lambda image: np.rot90(image[:, ::-1], -1),
    8: lambda image: np.rot90(image, 1),
}


def picture(channels: int = 3, dtype: type = np.uint8, width: int = 64, height: int = 48) -> Image:
    """Smooth, without any symmetry, so that every rotation and flip shows."""
    y, x = np.mgrid[0:height, 0:width]
    planes = [x * 3 + y, x + y * 4, 255 - x * 2, np.full_like(x, 255)][:channels]
    image: Image = np.stack(planes, -1).clip(0, 255).astype(dtype)
    if dtype == np.uint16:
        image = image * 257
    return image[..., 0] if channels == 1 else image


def file_bytes(extension: str, image: Image, exif: bytes | None = None) -> bytes:
    settings = [cv2.IMWRITE_JPEG_QUALITY, 100] if extension == ".jpg" else []
    if exif is None:
        return cv2.imencode(extension, image, settings)[1].tobytes()
    kinds, parts = [cv2.IMAGE_METADATA_EXIF], [np.frombuffer(exif, np.uint8)]
    return cv2.imencodeWithMetadata(extension, image, kinds, parts, settings)[1].tobytes()


def exif_bytes(value: int, order: str = ">") -> bytes:
    head = b"MM\x00*" if order == ">" else b"II*\x00"
    return head + struct.pack(order + "IHHHIHHI", 8, 1, 0x0112, 3, 1, value, 0, 0)


@pytest.mark.parametrize("extension", [".png", ".webp", ".jpg", ".bmp", ".tiff"])
@pytest.mark.parametrize("channels", [1, 3])
def test_formats(extension: str, channels: int) -> None:
    if extension == ".webp" and channels == 1:
        pytest.skip("WebP has no greyscale")
    image = picture(channels)
    got = decode(file_bytes(extension, image))
    wanted = image if channels == 3 else np.repeat(image[..., None], 3, -1)
    assert got.shape == (48, 64, 3)
    assert got.dtype == np.uint8
    assert np.abs(got.astype(int) - wanted).mean() < 3


@pytest.mark.parametrize("channels", [1, 3, 4])
def test_sixteen_bits(channels: int) -> None:
    got = decode(file_bytes(".png", picture(channels, np.uint16)))
    assert np.abs(got.astype(int) - picture(3 if channels == 4 else channels).reshape(48, 64, -1)).max() <= 1


@pytest.mark.parametrize("extension", [".png", ".webp"])
def test_transparent_pixels_show_grey(extension: str) -> None:
    image = picture(4)
    image[:, :32, 3] = 0
    got = decode(file_bytes(extension, image))
    assert np.all(got[:, :30] == BEHIND)
    assert np.abs(got[:, 40:].astype(int) - image[:, 40:, :3]).mean() < 4


@pytest.mark.parametrize("value", range(1, 9))
@pytest.mark.parametrize("extension", [".jpg", ".png", ".webp"])
@pytest.mark.parametrize("channels", [3, 4])
def test_exif_rotation(extension: str, value: int, channels: int) -> None:
    if extension == ".jpg" and channels == 4:
        pytest.skip("JPEG has no alpha")
    image = picture(channels)
    got = decode(file_bytes(extension, image, exif_bytes(value)))
    wanted = VIEWER[value](image[..., :3])
    assert got.shape == wanted.shape
    assert np.abs(got.astype(int) - wanted).mean() < 4


@pytest.mark.parametrize("order", ["<", ">"])
def test_orientation_in_both_byte_orders(order: str) -> None:
    assert orientation(b"Exif\x00\x00" + exif_bytes(8, order)) == 8


@given(st.binary(max_size=80))
def test_any_exif_gives_an_orientation(data: bytes) -> None:
    assert 1 <= orientation(b"MM\x00*" + data) <= 8


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "file-empty"),
        (b"hello, I am a text", "not-an-image"),
        (file_bytes(".jpg", picture())[:400], "image-broken"),
        (file_bytes(".png", picture())[:200], "image-broken"),
        (file_bytes(".webp", picture())[:40], "image-broken"),
        (b"\x89PNG\r\n\x1a\n", "image-broken"),
        (b"\xff\xd8\xff", "image-broken"),
        (file_bytes(".png", picture(width=1, height=1)), "image-too-small"),
        (file_bytes(".png", picture(width=900, height=9)), "image-too-small"),
    ],
    ids=["empty", "text", "cut JPEG", "cut PNG", "cut WebP", "PNG mark", "JPEG mark", "one pixel", "a line"],
)
def test_what_gives_no_picture(data: bytes, code: str) -> None:
    with pytest.raises(ImageError) as caught:
        decode(data, "photo.jpg")
    assert caught.value.code == code
    assert str(caught.value).startswith("photo.jpg ")
    assert str(caught.value).endswith(".")


def test_a_bomb_is_refused_by_its_header_alone() -> None:
    header = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR" + struct.pack(">II", 60000, 60000)
    with pytest.raises(ImageError) as caught:
        decode(header + b"\x08\x02\x00\x00\x00", "bomb.png")
    assert caught.value.code == "image-too-large"
    assert MOST_PIXELS < 60000**2


def test_fifty_megapixels() -> None:
    image = np.zeros((6144, 8192, 3), np.uint8)
    image[100:200, 300:500] = 255
    got = decode(file_bytes(".jpg", image))
    assert got.shape == image.shape
    assert got[150, 400].tolist() == [255, 255, 255]


@pytest.mark.parametrize("extension", [".jpg", ".png", ".webp"])
@pytest.mark.parametrize("size", [(64, 48), (1, 1), (1000, 30)])
def test_announced_size(extension: str, size: tuple[int, int]) -> None:
    width, height = size
    assert announced_size(file_bytes(extension, picture(width=width, height=height))) == size
    if extension == ".webp":
        lossless = cv2.imencode(extension, picture(width=width, height=height), [cv2.IMWRITE_WEBP_QUALITY, 101])[1]
        assert announced_size(lossless.tobytes()) == size
        with_alpha = file_bytes(extension, picture(4, width=width, height=height))
        assert announced_size(with_alpha) == size


@settings(max_examples=150, deadline=None)
@given(st.sampled_from([".jpg", ".png", ".webp"]), st.data())
def test_damaged_files_give_a_picture_or_a_sentence(extension: str, data: st.DataObject) -> None:
    content = bytearray(file_bytes(extension, picture(), exif_bytes(6)))
    for _ in range(data.draw(st.integers(1, 6))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    del content[data.draw(st.integers(1, len(content))) :]
    try:
        image = decode(bytes(content), "x")
    except ImageError:
        return
    assert image.ndim == 3
    assert image.dtype == np.uint8


def test_files_and_folders(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    for name in ("z.JPG", "a.png", "b/c.webp", "notes.txt"):
        (tmp_path / name).write_bytes(file_bytes(".png", picture()))
    single = tmp_path / "notes.txt"
    names = [file.relative_to(tmp_path).as_posix() for file in photos([tmp_path, single])]
    assert names == ["a.png", "b/c.webp", "z.JPG", "notes.txt"]
    assert load(single).shape == (48, 64, 3)  # the content decides, not the name


def test_missing_and_unreadable(tmp_path: Path) -> None:
    for path, code in ((tmp_path / "no.jpg", "file-missing"), (tmp_path, "file-unreadable")):
        with pytest.raises(ImageError) as caught:
            load(path)
        assert caught.value.code == code

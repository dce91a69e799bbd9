"""What stands between a card and its picture: light, gloss, focus, motion, the sensor, JPEG."""

from __future__ import annotations

from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

Canvas = NDArray[np.float32]
"""A BGR picture in the making, 0 to 255, shape (height, width, 3)."""
Generator = np.random.Generator
EASY: Final = 0.45
"""The share of training pictures that are good ones: less than of what people take, for nets learn from the hard."""


def smooth_noise(generator: Generator, height: int, width: int, cell: float) -> NDArray[np.float32]:
    """Noise of about unit spread that varies over `cell` pixels; shape (height, width)."""
    rows, columns = max(2, round(height / cell) + 1), max(2, round(width / cell) + 1)
    coarse = generator.standard_normal((rows, columns)).astype(np.float32)
    return np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)


def light(canvas: Canvas, generator: Generator) -> None:
    """Uneven light over the whole picture: a slope, a lamp's pool, a hard shadow of something outside."""
    height, width = canvas.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    x, y = x / width - 0.5, y / height - 0.5
    gain = np.ones((height, width), np.float32)
    if generator.random() < 0.7:
        angle, slope = generator.uniform(0, 2 * np.pi), generator.uniform(0, 0.7)
        gain += slope * (np.cos(angle) * x + np.sin(angle) * y)
    if generator.random() < 0.3:
        cx, cy, spread = generator.uniform(-0.6, 0.6), generator.uniform(-0.6, 0.6), generator.uniform(0.3, 1.0)
        gain *= 0.5 + 0.8 * np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / spread**2)
    if generator.random() < 0.25:
        angle, edge = generator.uniform(0, 2 * np.pi), generator.uniform(-0.3, 0.3)
        soft = generator.uniform(0.01, 0.1)
        side = (np.cos(angle) * x + np.sin(angle) * y - edge) / soft
        gain *= 1 - generator.uniform(0.2, 0.6) / (1 + np.exp(-np.clip(side, -30, 30)))
    canvas *= np.maximum(gain / gain.mean(), 0.05)[..., None]


def glare(canvas: Canvas, generator: Generator, where: NDArray[np.bool_]) -> None:
    """A lamp mirrored in the gloss of the cards (`where` is true), washing out a patch of them."""
    height, width = canvas.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    cx, cy = generator.uniform(0, width), generator.uniform(0, height)
    angle = generator.uniform(0, np.pi)
    u = (np.cos(angle) * (x - cx) + np.sin(angle) * (y - cy)) / generator.uniform(15, 120)
    v = (-np.sin(angle) * (x - cx) + np.cos(angle) * (y - cy)) / generator.uniform(10, 60)
    patch = np.exp(-((u**2 + v**2) ** generator.uniform(0.8, 2.0))) * generator.uniform(40, 170)
    patch[~where] *= generator.uniform(0, 0.4)
    canvas += patch[..., None]


def shoot(canvas: Canvas, generator: Generator, index_height: float, easy: float = EASY) -> NDArray[np.uint8]:
    """The finished picture: exposure, colour cast, blur, sensor noise, sharpening and JPEG.

    Blur is bounded by `index_height` (pixels), so that what is labelled can still be read by a patient eye. The share
    `easy` of all pictures is good ones.
    """
    if generator.random() < easy:
        return _good(canvas, generator, index_height)
    image: NDArray[Any] = canvas
    level = float(generator.uniform(0.55, 1.2)) if generator.random() < 0.82 else float(generator.uniform(0.22, 0.55))
    cast = np.array(np.exp(generator.normal(0, 0.07, 3)), np.float32)
    if generator.random() < 0.25:
        cast = cast * np.array([0.75, 0.95, 1.1], np.float32)  # a warm lamp
    image = image * (cast * np.array(level, np.float32))
    if generator.random() < 0.5:
        image = 255 * (np.clip(image, 0, 255) / 255) ** float(generator.uniform(0.65, 1.5))
    if generator.random() < 0.3:
        image = image * float(generator.uniform(0.6, 0.95)) + float(generator.uniform(0, 50))  # haze, flare
    blur = float(generator.gamma(1.3, 0.022)) * index_height
    if blur > 0.25:
        image = cv2.GaussianBlur(image, (0, 0), min(blur, 0.055 * index_height + 0.35))
    if generator.random() < 0.2:
        image = _moved(image, float(generator.uniform(0.04, 0.2)) * index_height, float(generator.uniform(0, 180)))
    if generator.random() < 0.25 and index_height > 14:
        image = _resampled(image, float(generator.uniform(max(0.5, 11 / index_height), 1.0)), generator)
    if generator.random() < 0.3:
        soft = cv2.GaussianBlur(image, (0, 0), float(generator.uniform(0.7, 1.8)))
        image = image + float(generator.uniform(0.3, 1.6)) * (image - soft)
    strength = float(generator.gamma(1.2, 3.0))
    noise = generator.standard_normal(image.shape, np.float32) * strength
    if generator.random() < 0.4:
        noise = cv2.GaussianBlur(noise, (0, 0), 0.8) * 1.7  # as a phone's denoiser leaves it
    result: NDArray[Any] = np.clip(image + noise, 0, 255).astype(np.uint8)
    if generator.random() < 0.04:
        result = cv2.cvtColor(cv2.cvtColor(result, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    if generator.random() < 0.6:
        quality = int(generator.integers(25, 92))
        _, packed = cv2.imencode(".jpg", result, [cv2.IMWRITE_JPEG_QUALITY, quality])
        result = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR))
    return np.asarray(result, np.uint8)


def _good(canvas: Canvas, generator: Generator, index_height: float) -> NDArray[np.uint8]:
    """A picture as most cameras take it in a lit room: well exposed, a little soft, little noise."""
    cast = np.array(np.exp(generator.normal(0, 0.04, 3)) * generator.uniform(0.7, 1.15), np.float32)
    image: NDArray[Any] = 255 * (np.clip(canvas * cast, 0, 255) / 255) ** float(generator.uniform(0.75, 1.3))
    blur = float(generator.gamma(1.3, 0.012)) * index_height
    if blur > 0.25:
        image = cv2.GaussianBlur(image, (0, 0), min(blur, 0.03 * index_height + 0.3))
    if generator.random() < 0.3:
        soft = cv2.GaussianBlur(image, (0, 0), float(generator.uniform(0.7, 1.5)))
        image = image + float(generator.uniform(0.2, 1.0)) * (image - soft)
    noise = generator.standard_normal(image.shape, np.float32) * float(generator.gamma(1.2, 1.5))
    result: NDArray[Any] = np.clip(image + noise, 0, 255).astype(np.uint8)
    if generator.random() < 0.6:
        _, packed = cv2.imencode(".jpg", result, [cv2.IMWRITE_JPEG_QUALITY, int(generator.integers(60, 95))])
        result = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR))
    return np.asarray(result, np.uint8)


def _moved(image: NDArray[Any], length: float, angle: float) -> Canvas:
    """Motion blur of `length` pixels."""
    size = max(3, int(length) | 1)
    kernel = np.zeros((size, size), np.float32)
    kernel[size // 2] = 1
    turn = cv2.getRotationMatrix2D((size / 2 - 0.5, size / 2 - 0.5), angle, 1)
    turned = np.asarray(cv2.warpAffine(kernel, turn, (size, size)), np.float32)
    return np.asarray(cv2.filter2D(image, -1, turned / max(float(turned.sum()), 1e-3)), np.float32)


def _resampled(image: NDArray[Any], factor: float, generator: Generator) -> Canvas:
    """Shrunk and blown up again, as by a digital zoom."""
    height, width = image.shape[:2]
    ways = (cv2.INTER_AREA, cv2.INTER_LINEAR)
    small = cv2.resize(
        image,
        (max(8, round(width * factor)), max(8, round(height * factor))),
        interpolation=ways[int(generator.integers(2))],
    )
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)

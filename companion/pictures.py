"""What is shown of a camera's picture: the picture itself as JPEG, and what was read in it as text."""

from __future__ import annotations

from typing import Final

from vision.types import Image, ImageReading

QUALITY: Final = 80


def jpeg(image: Image, reading: ImageReading | None = None) -> bytes:
    """A picture as JPEG, with the reading drawn in where there is one."""
    import cv2

    from vision.reading.claims import claiming
    from vision.reading.overlay import draw

    drawn = draw(image, claiming(reading)) if reading is not None else image
    good, data = cv2.imencode(".jpg", drawn, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return data.tobytes() if good else b""


def named(reading: ImageReading) -> list[str]:
    """The cards of a reading in its order, as the overlay marks them: a doubtful one has a ``?``, as in ``7H?``.

    A watcher weighs readings that are more likely wrong than right; nobody is shown them.
    """
    from vision.reading.claims import claiming
    from vision.reading.overlay import SURE

    return [f"{card.card}{'' if card.score >= SURE else '?'}" for card in claiming(reading).cards]


def small_jpeg(image: Image, width: int = 480) -> bytes:
    """A picture as a small JPEG, for a list."""
    import cv2

    height = max(1, round(width * image.shape[0] / image.shape[1]))
    good, data = cv2.imencode(".jpg", cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA))
    return data.tobytes() if good else b""

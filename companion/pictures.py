"""What is shown of a camera's picture: the picture itself as JPEG, and what was read in it as text."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from companion.calls import texts
from engine.cards import Rank, Suit
from vision.types import Image, ImageReading

if TYPE_CHECKING:
    from vision.reading.overlay import Lettering

QUALITY: Final = 80


@cache
def lettering(language: str) -> Lettering:
    """The letters of ranks and suits as people of a language know them."""
    from vision.reading.overlay import Lettering

    known = texts(language)
    return Lettering(
        {rank: str(known[f"rank.{rank.letter}"]) for rank in Rank},
        {suit: str(known[f"suit-letter.{suit.value}"]) for suit in Suit},
        str(known["or"]),
        str(known["camera.back"]),
    )


def jpeg(image: Image, reading: ImageReading | None = None, language: str = "en") -> bytes:
    """A picture as JPEG, with the reading drawn in where there is one, in the letters of a language."""
    import cv2

    from vision.reading.claims import claiming
    from vision.reading.overlay import draw

    drawn = draw(image, claiming(reading), lettering(language)) if reading is not None else image
    good, data = cv2.imencode(".jpg", drawn, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return data.tobytes() if good else b""


def named(reading: ImageReading) -> list[str]:
    """The cards of a reading in its order, as the overlay marks them: a doubtful one has a ``?``, as in ``7H?``.

    A watcher weighs readings that are more likely wrong than right; nobody is shown them.
    """
    from vision.reading.claims import claiming

    return [f"{card.card}{'' if card.sure else '?'}" for card in claiming(reading).cards]


def small_jpeg(image: Image, width: int = 480) -> bytes:
    """A picture as a small JPEG, for a list."""
    import cv2

    height = max(1, round(width * image.shape[0] / image.shape[1]))
    good, data = cv2.imencode(".jpg", cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA))
    return data.tobytes() if good else b""

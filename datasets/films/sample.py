"""Films the game that comes with the program, ``companion/sample``: ``python -m datasets.films.sample``.

A whole short game of classic with two players and a deck of free art (``python -m datasets.decks`` cuts it first).
Debian's ``ffmpeg`` packs it smaller than OpenCV can; it must be installed.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import numpy as np

from companion.errors import UserError
from datasets.films.film import Film
from datasets.films.light import Sensor
from datasets.films.scenario import Scenario
from engine.shithead.rules import load

FOLDER: Final = Path(__file__).resolve().parents[2] / "companion" / "sample"
SEED: Final = 49
DECK: Final = "svg-cards"
RATE: Final = 15.0
MOST_BYTES: Final = 4_000_000


def film() -> Film:
    """The sample game's film: little noise, so that it packs well."""
    made = Film(load("classic"), 2, SEED, DECK, Scenario(nudge=0.0, cup=1.0, phone=1.0), rate=RATE)
    look = made.look
    made.sensor = Sensor(np.random.default_rng(SEED), max(0.95, look.exposure), 0.02, look.blur, 0.6)
    return made


def main() -> int:
    """Write ``sample.mp4``, ``table.toml`` and ``truth.jsonl``."""
    tool = shutil.which("ffmpeg")
    if tool is None:
        raise UserError("no-tool", "ffmpeg is missing: run `apt-get install ffmpeg` and try again.")
    FOLDER.mkdir(parents=True, exist_ok=True)
    made = film()
    path = FOLDER / "sample.mp4"
    size = f"{made.camera.width}x{made.camera.height}"
    raw = ["-f", "rawvideo", "-pix_fmt", "bgr24", "-s", size, "-r", str(RATE), "-i", "-"]
    packed = ["-c:v", "libx264", "-preset", "slow", "-crf", "30", "-pix_fmt", "yuv420p", "-movflags", "+faststart"]
    count = 0
    with subprocess.Popen([tool, "-v", "error", "-y", *raw, *packed, str(path)], stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        for frame in made.frames():
            process.stdin.write(frame.tobytes())
            count += 1
        process.stdin.close()
    if process.returncode or path.stat().st_size > MOST_BYTES:
        raise UserError("sample", f"{path} was not written, or is larger than {MOST_BYTES} bytes")
    (FOLDER / "table.toml").write_text(made.table_toml(), encoding="utf-8")
    truth = [(happened.frame / RATE, happened) for happened in made.truth]
    made.write_truth(FOLDER / "truth.jsonl", truth, {"film": {"frames": count, "rate": RATE}})
    print(f"{path}: {count} frames, {path.stat().st_size} bytes, {len(made.truth)} events", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())

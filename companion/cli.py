"""The command ``pilewatch``: finds the subcommand's module, imports that one alone, runs it.

Each subcommand is a module of ``companion/commands`` with two functions: ``add_arguments(parser)`` and
``run(args) -> int`` (the exit status). A module is imported only when its command is used, so that
``pilewatch rules`` never waits for OpenCV.
"""

from __future__ import annotations

import argparse
import errno
import importlib
import importlib.util
import io
import os
import sys
from collections.abc import Sequence

from companion.errors import UserError
from companion.terminal import complain

COMMANDS: dict[str, str] = {
    "run": "start the referee and the phone view (the default)",
    "read": "name the cards in photos",
    "watch": "follow a game from a camera, a video or a folder of photos",
    "cameras": "list the cameras, with a picture of each",
    "check": "say whether camera, light and table are good enough",
    "rules": "list the rule sets, or explain one in plain words",
    "referee": "referee for other programs: JSON lines in, JSON lines out",
    "replay": "print a recorded game move by move",
    "stats": "who lost, turns, pick-ups, burns over recorded games",
    "simulate": "let simple bots play many games",
    "deck": "teach Pilewatch your deck",
    "render": "film a made-up game at a virtual table",
    "evaluate": "judge readings or watched games against the truth",
    "bench": "measure speed",
}


def _module(command: str) -> str:
    return f"companion.commands.{command}"


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit status: 0 well, 1 not, 2 wrong usage, 130 interrupted."""
    try:
        return _main(argv)
    except KeyboardInterrupt:  # at any moment: a command's imports take a while
        return 130


def _main(argv: Sequence[str] | None) -> int:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A file's name may be no text at all, and a terminal may know few letters: neither stops a command.
            stream.reconfigure(errors="backslashreplace")
    # What OpenCV and FFmpeg say for themselves is told again, in words, by the command.
    os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    arguments = list(sys.argv[1:] if argv is None else argv)
    available = [name for name in COMMANDS if importlib.util.find_spec(_module(name)) is not None]
    if not arguments or (arguments[0].startswith("-") and arguments[0] not in ("-h", "--help", "--version")):
        arguments = ["run", *arguments]
    parser = argparse.ArgumentParser(prog="pilewatch", description="A camera referee for Shithead (Palace, Shed).")
    parser.add_argument("--version", action="version", version=_version())
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in available:
        subparser = subparsers.add_parser(name, help=COMMANDS[name], description=_sentence(COMMANDS[name]))
        if arguments[0] == name:
            importlib.import_module(_module(name)).add_arguments(subparser)
    args = parser.parse_args(arguments)
    try:
        status: int = importlib.import_module(_module(args.command)).run(args)
        sys.stdout.flush()
    except UserError as error:
        complain(args.command, error, error.code)
        return 1
    except BrokenPipeError:
        # The reader (`| head`) has gone; Python would otherwise complain again while it flushes at exit.
        sys.stderr.close()
        return 0
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG and isinstance(error.filename, str | os.PathLike):
            name = os.fspath(error.filename)
            words = f"{name[:40]}... is too long for the name of a file ({len(name)} letters); choose a shorter one"
            long = UserError("name-too-long", words)
            complain(args.command, long, long.code)
            return 1
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EIO):
            raise
        full = UserError("write-failed", f"writing failed ({error.strerror}); make room, or write somewhere else")
        complain(args.command, full, full.code)
        _leave_unwritten()
        return 1
    return status


def _leave_unwritten() -> None:
    """Python tries once more at its exit to write what the output did not take, and would complain of that too."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):  # no file behind it
        return


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."


def _version() -> str:
    from importlib.metadata import version

    return f"pilewatch {version('pilewatch')}"


if __name__ == "__main__":
    sys.exit(main())

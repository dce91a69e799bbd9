"""``pilewatch run``: the camera (or the sample game, or fingers), the referee, the record and the page, in one go."""

from __future__ import annotations

import argparse
import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion import players_argument
from companion.errors import UserError
from companion.stopping import Stopping
from companion.terminal import tell

if TYPE_CHECKING:
    from companion.room import Room

DEFAULT_PORT = 8080


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``pilewatch run``."""
    parser.add_argument("--port", type=int, default=DEFAULT_PORT, help=f"port of the page (default {DEFAULT_PORT})")
    parser.add_argument("--source", help="camera (number or name), video, stream address, or folder of photos")
    parser.add_argument("--no-camera", action="store_true", help="play by taps alone")
    parser.add_argument("--sample", action="store_true", help="show the sample game even though there is a camera")
    parser.add_argument("--rules", help="rule set: classic, palace, hostel, or with variations palace+jokers")
    parser.add_argument("--players", help="names in the order of play, with commas: Ann,Ben,Cem")
    parser.add_argument("--speak", metavar="LANGUAGE", help="this computer speaks the calls too: en, de, sv, fr or nl")
    parser.add_argument("--data", type=Path, metavar="DIR", help="where games are recorded (default: your data folder)")
    parser.add_argument("--host", metavar="ADDRESS", help="the address that the QR code holds, if the choice is wrong")
    parser.add_argument("--cert", type=Path, metavar="FILE", help="certificate (PEM), to serve https")
    parser.add_argument("--key", type=Path, metavar="FILE", help="its private key (PEM)")
    parser.add_argument("--new-links", action="store_true", help="forget all devices; links and QR codes become new")


def run(args: argparse.Namespace) -> int:
    """Start everything and serve until interrupted."""
    with Stopping() as stopping:
        host = _check(args)
        _run(args, host, stopping)
    return 0


def _check(args: argparse.Namespace) -> str | None:
    """Tell what is wrong with the options before anything is started. Returns the host for the links. Raises
    UserError."""
    from companion.starting import check_certificate, check_host, check_source

    if args.key and not args.cert:
        raise UserError("certificate", "--key needs --cert with it")
    if args.no_camera and (args.source is not None or args.sample):
        raise UserError("usage", "--no-camera leaves no camera to watch: drop it, or --source and --sample")
    if args.source is not None and args.sample:
        raise UserError("usage", "--sample and --source are two things to watch: drop one of them")
    host = check_host(args.host) if args.host is not None else None
    if args.cert:
        check_certificate(args.cert, args.key)
    if args.source is not None:
        check_source(args.source)
    return host


def _run(args: argparse.Namespace, host: str | None, stopping: Stopping) -> None:
    # Imported here: the web server takes a second to import, and a wrong option should be told at once.
    from companion.address_book import AddressBook
    from companion.eyes import Eyes
    from companion.people import People
    from companion.room import Room
    from companion.server.app import create_app
    from companion.server.serving import bind, serve
    from companion.session import Session
    from companion.starting import listens_at
    from companion.storage import DataFolder, default_folder
    from companion.voice import Voice, program

    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    listening = bind(listens_at(host), args.port)
    port = int(listening.getsockname()[1])
    with listening, DataFolder.open(args.data or default_folder()) as folder:
        session = Session(folder)
        _agree(session, args)
        people = People(folder, renew=args.new_links)
        addresses = AddressBook(port, scheme="https" if args.cert else "http", forced=host)
        eyes = Eyes.choose(session, source=args.source, off=args.no_camera, sample=args.sample)
        voice = Voice(program())
        room = Room(session, people, addresses, eyes, voice)
        app = create_app(room)
        _greet(room, args)
        try:
            eyes.start()
            serve(app, listening, stopping, args.cert, args.key)
        finally:
            stopping.closing()
            voice.close()
            # Python must not end in the middle of a net's work: the process would be aborted.
            rests = eyes.stop(patience=20, hurried=lambda: stopping.hurried)
            session.close()
            if not rests:
                stopping.leave()


def _greet(room: Room, args: argparse.Namespace) -> None:
    """Say in the terminal where the phones find the table, and what is watched."""
    from companion import network

    url, addresses, voice = room.join_url(), room.addresses, room.voice
    code = network.qr_terminal(url) if sys.stdout.isatty() else ""
    print(code, end="")
    print(f"Phones: {'scan the code, or open' if code else 'open'} {url}")
    if not addresses.offers():
        print("No network is found: phones reach this computer once it is in a Wi-Fi, or opens one itself.")
    print(f"Host, on this computer: {addresses.scheme}://localhost:{addresses.port}/j/{room.people.host_token}")
    if args.speak or room.session.set_up.voice:
        print(voice.sentence())
    if room.eyes.mode == "phone" and not args.cert:
        print("Phones give their camera to https alone: start with --cert for that.")
    folder = room.session.folder.root
    tell(f"{room.eyes.sentence()} Games are kept in {folder}. Stop with Ctrl+C.")


def _agree(session: Any, args: argparse.Namespace) -> None:
    """Take rules and players from the command line into the set-up."""
    from companion.refusals import RefusalError

    fields: dict[str, object] = {}
    if args.rules:
        fields |= {"rules": args.rules, "options": {}}
    if args.speak:
        fields |= {"voice": True, "language": args.speak}
    if args.players:
        fields["players"] = players_argument.names(args.players)
    if not fields:
        return
    try:
        session.agree(fields)
    except RefusalError as refusal:
        raise UserError(refusal.code, refusal.words) from None
    faults = session.set_up.faults()
    if args.players and faults:
        raise UserError("faulty-set-up", "; ".join(fault["words"] for fault in faults))

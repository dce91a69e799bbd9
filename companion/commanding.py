"""What a phone may ask for, and the gates that each command passes, in this order:

the message is understood, the command exists, the device may give it, it was not given before (the first answer is
given again then), it was based on what is so now; only then is it done. Each gate has its own stable code.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from companion.people import Device, Role
from companion.refusals import RefusalError
from companion.set_up import clean_name

if TYPE_CHECKING:
    from companion.room import Room

log = logging.getLogger(__name__)

PLAYS: Final = frozenset(
    {
        "laid",
        "pick-up",
        "burn",
        "turned",
        "flipped",
        "drawn",
        "pass",
        "exchange",
        "start",
        "take-back",
        "play",
    }
)
"""Events that say what was played: they are for whoever sits at the table."""
RULINGS: Final = frozenset({"stand", "answer", "call", "deal", "upcards", "stock", "downcards"})
"""Events that settle something: they are for the host and the deciders, and for the moment they were made in."""
EDITS: Final = frozenset({"correct", "insert", "undo", "back"})
"""Events that change what happened earlier."""
NAMED: Final = frozenset({"correct", "insert"})
"""Those that name the one play they change, so that they may be based on an older state. The others take whatever came
since, and nobody takes back what he has not seen."""
INSISTED: Final = frozenset({"laid", "turned", "flipped"})
"""Plays that a person may insist on where the cards as they are known speak against them: then they are added."""
REMEMBERED: Final = 1000
"""Answers kept, so that a repeated command is answered alike."""
ID_LENGTH: Final = 64


@dataclass(frozen=True, slots=True)
class Command:
    """One command, understood."""

    id: str
    based_on: int
    name: str
    fields: Mapping[str, Any]


def understand(message: Mapping[str, object]) -> Command:
    """Raises RefusalError ``bad-message``, ``unknown-command``."""
    match message:
        case {"id": str(identifier), "based_on": int(based_on), "name": str(name)} if not isinstance(based_on, bool):
            fields = message.get("fields", {})
        case _:
            raise RefusalError("bad-message", 'a command is {"id", "based_on", "name", "fields"}')
    if not 1 <= len(identifier) <= ID_LENGTH or not identifier.isprintable():
        raise RefusalError("bad-message", f"a command's id has 1 to {ID_LENGTH} printable characters")
    if not isinstance(fields, Mapping):
        raise RefusalError("bad-message", "fields must be an object")
    return Command(identifier, based_on, name, fields)


class Desk:
    """Takes the commands of a room, one at a time (the caller holds the session's lock)."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self._answers: OrderedDict[tuple[str, str], dict[str, Any]] = OrderedDict()
        self._others: dict[str, tuple[Role, Callable[[Device, Mapping[str, Any]], None]]] = {
            "flag": (Role.PLAYER, self._flag),
            "unflag": (Role.PLAYER, self._unflag),
            "sit": (Role.PLAYER, self._sit),
            "name": (Role.VIEWER, self._name),
            "set-up": (Role.HOST, lambda _, fields: self.room.session.agree(fields)),
            "new-game": (Role.HOST, lambda _, fields: self._start(fields, self.room.session.new_game)),
            "rematch": (Role.HOST, lambda _, fields: self._start(fields, self.room.session.rematch)),
            "end-game": (Role.HOST, self._end),
            "hand-over": (Role.HOST, self._hand_over),
            "decider": (Role.HOST, self._decider),
            "role": (Role.HOST, self._role),
            "by-hand": (Role.HOST, lambda _, fields: self.room.session.set_by_hand(_flag(fields, "on"))),
            "camera": (Role.HOST, self._camera),
            "address": (Role.HOST, lambda _, fields: self.room.addresses.choose(_text(fields, "url"))),
        }

    @property
    def names(self) -> frozenset[str]:
        """Every command that there is."""
        return PLAYS | RULINGS | EDITS | frozenset(self._others)

    def answer(self, device: Device, message: Mapping[str, object]) -> dict[str, Any]:
        """Do what a message asks and return the message ``answer``. Never raises."""
        identifier = message.get("id")
        try:
            command = understand(message)
            known = self._answers.get((device.id, command.id))
            if known is not None:
                return known
            result = self._do(device, command)
            answer = {"type": "answer", "id": command.id, "ok": True, **self._now(), **result}
        except RefusalError as refusal:
            sound = isinstance(identifier, str) and len(identifier) <= ID_LENGTH and identifier.isprintable()
            shown = identifier if sound else None
            error = refusal.as_json()
            if refusal.code == "stale":
                error["table"] = self.room.table()
            return {"type": "answer", "id": shown, "ok": False, **self._now(), "error": error}
        except Exception:
            log.exception("the command %.40r failed", message.get("name"))
            error = RefusalError("internal", "something went wrong inside Pilewatch; the game is safe").as_json()
            return {"type": "answer", "id": None, "ok": False, **self._now(), "error": error}
        self._answers[device.id, command.id] = answer
        while len(self._answers) > REMEMBERED:
            self._answers.popitem(last=False)
        return answer

    def _now(self) -> dict[str, int]:
        return {"seq": self.room.session.seq, "v": self.room.version}

    def _do(self, device: Device, command: Command) -> dict[str, Any]:
        if command.name not in self.names:
            raise RefusalError("unknown-command", f"there is no command {command.name[:40]!r}")
        if command.name in self._others:
            needed, do = self._others[command.name]
            self._need(device, needed)
            do(device, command.fields)
            self.room.changed()
            return {}
        return self._event(device, command)

    def _need(self, device: Device, needed: Role) -> None:
        order = list(Role)
        if order.index(self.room.people.role(device)) < order.index(needed):
            who = {Role.HOST: "only the host", Role.PLAYER: "only who plays", Role.VIEWER: "nobody"}[needed]
            raise RefusalError("not-allowed", f"{who} may do this")

    # Events of the game

    def _event(self, device: Device, command: Command) -> dict[str, Any]:
        session = self.room.session
        self._need(device, Role.PLAYER)
        decides = self.room.people.may_decide(device)
        if command.name not in PLAYS and not decides:
            raise RefusalError("not-allowed", "the host decides this; you can flag it")
        game = session.playing()
        if command.name in PLAYS and not decides:
            self._may_tap(device, command)
        key = f"{device.id}:{command.id}"
        if key in game.keys:
            return {"ruling": game.ruling_of(key), "repeated": True}
        # A correction names what it changes, so it survives new plays; it does not survive another correction.
        oldest = game.edited_at if command.name in NAMED else game.news_at
        if not oldest <= command.based_on <= game.seq:
            raise RefusalError("stale", "the game has gone on since; look again", seq=game.seq)
        if set(command.fields) & {"event", "id", "source", "confidence", "at"}:
            raise RefusalError("bad-value", "event, id, source, confidence and at are not for a phone to say")
        fields = dict(command.fields)
        insist = fields.pop("insist", False)
        if not isinstance(insist, bool):
            raise RefusalError("bad-value", "insist must be true or false")
        if insist and not decides:
            raise RefusalError("not-allowed", "the host decides whether that is so; you can flag it")
        event: dict[str, Any] = {**fields, "event": command.name}
        if insist and command.name in INSISTED:
            event = {"event": "insert", "before": game.seq + 1, "with": event}
        if command.name == "play":
            _only(command.fields)
            starts = game.starts
            if starts is not None and "player" not in starts:
                raise RefusalError("event-refused", "nobody can tell who begins: say who", reason="claim-first")
            # Once somebody plays, the referee itself says why nobody starts any more.
            event = {"event": "start", "seat": (starts or {}).get("player", game.players[0])}
        ruling = session.tell(event, key=key, careful=True, insist=insist)
        return {"ruling": {name: value for name, value in ruling.items() if name != "view"}}

    def _may_tap(self, device: Device, command: Command) -> None:
        session = self.room.session
        taps = session.set_up.taps
        if taps == "host":
            raise RefusalError("not-allowed", "at this table the host enters the plays")
        if taps == "own":
            seat = self.room.you(device)["seat"]
            if seat is None:
                raise RefusalError("not-allowed", "take a seat first: at this table everybody enters the own plays")
            players = self.room.players
            game = session.playing()
            first = (game.starts or {}).get("player") if command.name == "play" else game.turn
            meant = command.fields.get("seat", first)
            meant = players.index(meant) if isinstance(meant, str) and meant in players else meant
            if meant != seat:
                raise RefusalError("not-allowed", "at this table everybody enters the own plays")

    # Everything else

    def _flag(self, device: Device, fields: Mapping[str, Any]) -> None:
        _only(fields, "seq", "words")
        seq = fields.get("seq")
        if seq is not None and (
            not isinstance(seq, int) or isinstance(seq, bool) or not 0 <= seq <= self.room.session.seq
        ):
            raise RefusalError("bad-value", "seq is the number of a play")
        self.room.session.flag(seq, self._called(device), clean_name(fields.get("words", ""), "words", 200))

    def _unflag(self, device: Device, fields: Mapping[str, Any]) -> None:
        _only(fields, "flag", "flags")
        named = fields.get("flags", [fields.get("flag")])
        if len(fields) != 1 or not isinstance(named, list) or not all(isinstance(one, str) for one in named):
            raise RefusalError("bad-value", "flag is the id of a flag, flags a list of such")
        flags = [flag for flag in self.room.session.flags if flag["id"] in named]
        if not self.room.people.may_decide(device) and any(flag["by"] != self._called(device) for flag in flags):
            raise RefusalError("not-allowed", "the host settles this")
        self.room.session.unflag(*named)

    def _called(self, device: Device) -> str:
        return self.room.people.called(device, self.room.players)

    def _sit(self, device: Device, fields: Mapping[str, Any]) -> None:
        _only(fields, "seat", "device")
        if "device" in fields:
            self._need(device, Role.HOST)
            device = self.room.people.device(fields["device"])
        seat, players = fields.get("seat"), self.room.players
        if seat is None:
            self.room.people.sit(device, None)
        elif isinstance(seat, int) and not isinstance(seat, bool) and 0 <= seat < len(players):
            self.room.people.sit(device, players[seat])
        else:
            raise RefusalError("unknown-seat", "there is no such seat")

    def _name(self, device: Device, fields: Mapping[str, Any]) -> None:
        self.room.people.rename(device, _text(fields, "name"))

    def _hand_over(self, _: Device, fields: Mapping[str, Any]) -> None:
        self.room.people.hand_over(self.room.people.device(_text(fields, "device")))

    def _decider(self, _: Device, fields: Mapping[str, Any]) -> None:
        _only(fields, "device", "on")
        self.room.people.set_decider(self.room.people.device(fields.get("device")), _flag(fields, "on", "device"))

    def _role(self, _: Device, fields: Mapping[str, Any]) -> None:
        _only(fields, "device", "role")
        role = fields.get("role")
        if role not in (Role.PLAYER, Role.VIEWER):
            raise RefusalError("bad-value", "role is player or viewer")
        self.room.people.set_role(self.room.people.device(fields.get("device")), Role(role))

    def _camera(self, _: Device, fields: Mapping[str, Any]) -> None:
        _only(fields, "source")
        source = fields.get("source")
        if source is not None and (not isinstance(source, str) or not source or len(source) > 300):
            raise RefusalError("bad-value", "source is the name or number of a camera")
        self.room.eyes.watch(source)

    def _start(self, fields: Mapping[str, Any], start: Callable[[], object]) -> None:
        _only(fields)
        start()
        self.room.eyes.game_began()

    def _end(self, _: Device, fields: Mapping[str, Any]) -> None:
        _only(fields)
        self.room.session.end_game()


def _only(fields: Mapping[str, Any], *names: str) -> None:
    unknown = sorted(str(name)[:40] for name in set(fields) - set(names))
    if unknown:
        raise RefusalError("bad-value", f"this command has no field {', '.join(unknown[:3])}")


def _text(fields: Mapping[str, Any], name: str) -> str:
    _only(fields, name)
    value = fields.get(name)
    if not isinstance(value, str):
        raise RefusalError("bad-value", f"{name} must be a text")
    return value


def _flag(fields: Mapping[str, Any], name: str, *others: str) -> bool:
    _only(fields, name, *others)
    value = fields.get(name)
    if not isinstance(value, bool):
        raise RefusalError("bad-value", f"{name} must be true or false")
    return value

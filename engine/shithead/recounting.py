"""The table as it may be where the counting has gone wrong: hands, stock and turn other than they were told.

A squared set hides cards, a play may go unseen: then a hand is smaller or larger than it is counted to be, or it is
somebody else's turn. These are the states that put that right; no card is lost or made by any of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.cards import Card, Rank
from engine.shithead.play import next_seat
from engine.shithead.state import Phase, Player, State
from engine.zones import EMPTY, Zone, without


def at_turn(state: State, seat: int) -> State:
    """The state in which it is this seat's turn."""
    return replace(state, turn=seat, follow=None)


def emptied(state: State, seat: int) -> State:
    """The state in which this hand and the stock have run out: their cards were laid with others, and not counted."""
    player = state.players[seat]
    state = _laid_aside(state, player.hand.size + state.stock.size)
    return _with(replace(state, stock=EMPTY), seat, Player(EMPTY, player.up, player.down))


def stock_of(state: State, number: int) -> State | None:
    """The state in which so many cards are left in the stock; None where they are not to be had. Sets were larger than
    they were counted, and more was drawn; or they were smaller, and less was."""
    while state.stock.size < number:
        found = _one_less(replace(state, stock=EMPTY), -1)
        if found is None:
            return None
        state = replace(found, stock=Zone(state.stock.known, state.stock.unknown + 1))
    more = state.stock.size - number
    if not more:
        return state
    known = state.stock.known[more - state.stock.unknown :] if more > state.stock.unknown else state.stock.known
    stock = Zone(known, max(0, state.stock.unknown - more))
    return replace(_laid_aside(state, more), stock=stock)


def with_downcards(state: State, seat: int, left: int) -> Iterator[State]:
    """The states in which so many downcards are left before a seat: as many as were turned went with others, and the
    hand and the upcards with them; or the hand has been picked up since."""
    player = state.players[seat]
    if left > player.down.size:
        for _ in range(left - player.down.size):
            found = _one_less(state, seat)
            if found is None:
                return
            state = found
        state = _with(state, seat, state.players[seat]._replace(down=Zone((), left)))
        yield replace(state, out=tuple(one for one in state.out if one != seat))
        return
    turned = player.down.size - left
    if not player.up.size and player.hand.size and turned:
        yield _with(_laid_aside(state, turned), seat, player._replace(down=Zone((), left)))
    other = _with(_laid_aside(state, player.size - left), seat, Player(EMPTY, EMPTY, Zone((), left)))
    yield other if left or seat in state.out else gone_out(other, seat)


def on_last_card(state: State, seat: int) -> State:
    """The state in which this hand has come to its last card, whichever it is, and the stock has run out."""
    player = state.players[seat]
    state = _laid_aside(state, player.hand.size - 1 + state.stock.size)
    return _with(replace(state, stock=EMPTY), seat, Player(Zone((), 1), player.up, player.down))


def gone_out(state: State, seat: int) -> State:
    """The state in which a seat that has nothing left but a hand has played it unseen, and is out."""
    state = emptied_hand(state, seat)
    out = (*state.out, seat)
    if len(state.players) - len(out) <= 1:
        return replace(state, out=out, phase=Phase.OVER, turn=-1, lead=0, follow=None)
    turn = next_seat(state, seat, out=out) if state.turn == seat else state.turn
    return replace(state, out=out, turn=turn, follow=None)


def emptied_hand(state: State, seat: int) -> State:
    """The state in which this hand has run out."""
    player = state.players[seat]
    return _with(_laid_aside(state, player.hand.size), seat, Player(EMPTY, player.up, player.down))


def enlarged(state: State, seat: int, number: int) -> State | None:
    """The state in which this hand holds so many cards more than were counted; None where there are none to be had.

    They come from where cards were only counted: sets that were smaller than they were taken for. A seat that was
    counted out is in again.
    """
    for _ in range(number):
        found = _one_less(state, seat)
        if found is None:
            return None
        player = found.players[seat]
        hand = Zone(player.hand.known, player.hand.unknown + 1)
        state = _with(found, seat, player._replace(hand=hand))
    if seat not in state.out:
        return state
    out = tuple(other for other in state.out if other != seat)
    turn = seat if state.phase is Phase.OVER else state.turn
    return replace(state, out=out, phase=Phase.PLAY, turn=turn, follow=None)


def played_unseen(state: State) -> State | None:
    """The state in which the seat on turn has laid a hand card that nobody saw; None where it has none.

    The pile is covered by it, so that nothing of it asks for anything: all of it is only counted.
    """
    seat = state.turn
    player = state.players[seat]
    if not player.hand.size:
        return None
    if not player.hand.unknown:
        player = player._replace(hand=Zone((), player.hand.size), shown=())  # any of them
    hand, stock = Zone(player.hand.known, player.hand.unknown - 1), state.stock
    if stock.unknown and hand.size < state.rules.hand_size:
        hand, stock = Zone(hand.known, hand.unknown + 1), Zone(stock.known, stock.unknown - 1)
    player = player._replace(hand=hand)
    out = state.out if player.size else (*state.out, seat)
    if len(state.players) - len(out) <= 1:
        return None
    pile = Zone((), state.pile.size + 1)
    turn = next_seat(state, seat, out=out)
    covered = replace(state, stock=stock, pile=pile, turn=turn, out=out, lead=0, turned_first=False, follow=None)
    return _with(covered, seat, player)


def displaced(state: State, seat: int, cards: Sequence[Card], number: int = 0) -> State | None:
    """The state in which these cards, and ``number`` of their rank, may be in the hand of this seat although they were
    thought to be elsewhere, burnt or in a hand, or the hand to be others; None where nothing speaks against them."""
    changed = False
    for card in cards:
        if card in state.burnt.known:
            changed, state = True, replace(state, burnt=_unsure(state.burnt, card))
        for other, player in enumerate(state.players):
            if other != seat and card in player.hand.known:
                shown = without(player.shown, (card,)) if card in player.shown else player.shown
                changed, state = (
                    True,
                    _with(state, other, player._replace(hand=_unsure(player.hand, card), shown=shown)),
                )
    rank = cards[0].rank if cards and number else None
    while rank is not None and _room(state, seat, rank) < number:
        freed = _one_unsure(state, seat, rank)
        if freed is None:
            break
        changed, state = True, freed
    player = state.players[seat]
    if player.hand.known and not player.hand.may_hold(cards):
        changed, state = True, _with(state, seat, player._replace(hand=Zone((), player.hand.size), shown=()))
    return state if changed else None


def _room(state: State, seat: int, rank: Rank) -> int:
    """How many cards of a rank may be in a hand, by what is known to be elsewhere."""
    known = [state.pile, state.burnt, state.stock]
    for other, player in enumerate(state.players):
        known += [player.up, player.down] if other == seat else [player.hand, player.up, player.down]
    return 4 * state.rules.decks - sum(card.rank is rank for zone in known for card in zone.known)


def _one_unsure(state: State, seat: int, rank: Rank) -> State | None:
    """The state in which one card of a rank is no longer known to be burnt, or in another hand."""
    burnt = [card for card in state.burnt.known if card.rank is rank]
    hands = [
        (card, other)
        for other, player in enumerate(state.players)
        for card in player.hand.known
        if other != seat and card.rank is rank
    ]
    if hands:
        card, other = min(hands, key=lambda pair: pair[0].suit is not None)
        player = state.players[other]
        shown = without(player.shown, (card,)) if card in player.shown else player.shown
        return _with(state, other, player._replace(hand=_unsure(player.hand, card), shown=shown))
    if burnt:
        return replace(state, burnt=_unsure(state.burnt, min(burnt, key=lambda card: card.suit is not None)))
    return None


def _unsure(zone: Zone, card: Card) -> Zone:
    return Zone(without(zone.known, (card,)), zone.unknown + 1)


def uncovered(after: State, before: State) -> State:
    """``after`` a play on a covered pile, with what was known of the pile ``before`` known again."""
    known = before.pile.known
    if after.pile.unknown >= len(known) and after.pile.size:
        return replace(after, pile=Zone(known + after.pile.known, after.pile.unknown - len(known)))
    if not after.pile.size and after.burnt.size > before.burnt.size and after.burnt.unknown >= len(known):
        return replace(after, burnt=Zone(after.burnt.known + known, after.burnt.unknown - len(known)))
    return after


def _laid_aside(state: State, number: int) -> State:
    if not number:
        return state
    if state.burnt.size or not state.pile.size:
        return replace(state, burnt=state.burnt.add((), number))
    return replace(state, pile=state.pile.add((), number))


def _one_less(state: State, seat: int) -> State | None:
    """The state without one card that is only counted, wherever it lies (but in this hand); its owner is the caller."""
    burnt, pile = _without_one(state.burnt), _without_one(state.pile)
    if burnt is not None:
        return replace(state, burnt=burnt)
    if pile is not None and pile.size:
        return replace(state, pile=pile)
    if state.stock.unknown:
        return replace(state, stock=Zone(state.stock.known, state.stock.unknown - 1))
    others = [other for other, player in enumerate(state.players) if other != seat and player.hand.unknown]
    largest = max(others, key=lambda other: state.players[other].hand.size, default=None)
    if largest is None or state.players[largest].size < 2:
        return None
    player = state.players[largest]
    hand = Zone(player.hand.known, player.hand.unknown - 1)
    return _with(state, largest, player._replace(hand=hand))


def _without_one(zone: Zone) -> Zone | None:
    """The zone without a card of which nothing but its rank is known, at most."""
    if zone.unknown:
        return Zone(zone.known, zone.unknown - 1)
    for index, card in enumerate(zone.known[:-1]):
        if card.suit is None and card.rank is not Rank.JOKER:
            return Zone(zone.known[:index] + zone.known[index + 1 :])
    return None


def _with(state: State, seat: int, player: Player) -> State:
    return replace(state, players=(*state.players[:seat], player, *state.players[seat + 1 :]))

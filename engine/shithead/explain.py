"""A rule set in plain words, made from the very data that is enforced.

What goes on what is read from the rule set's table of legal ranks, not from a description of it; every option that
matters to a rule set has its sentence, and one that cannot matter (what a 7 does below an invisible card where nothing
is invisible) has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from engine.cards import Rank
from engine.shithead.options import LIMITS, Power
from engine.shithead.rules import RuleSet
from engine.shithead.table import ranks_in
from engine.shithead.words import RANK_WORDS, listed


class Section(NamedTuple):
    """A heading and its sentences."""

    title: str
    sentences: tuple[str, ...]


def explain(rules: RuleSet) -> list[str]:
    """All sentences of a rule set, in order, without headings."""
    return [sentence for section in sections(rules) for sentence in section.sentences]


def sections(rules: RuleSet) -> list[Section]:
    """The rule set under headings; a heading without anything to say is left out."""
    parts = (
        ("The deal", _deal),
        ("Who starts", _start),
        ("A turn", _turn),
        ("Special cards", _specials),
        ("What goes on what", _on_what),
        ("Burning the pile", _burning),
        ("Picking up", _picking_up),
        ("Upcards and downcards", _table_cards),
        ("The end", _end),
    )
    found = [Section(title, tuple(part(rules))) for title, part in parts]
    return [section for section in found if section.sentences]


def a(rank: Rank) -> str:
    """``a 7``, ``an 8``, ``an ace``."""
    return f"{'an' if rank in (Rank.EIGHT, Rank.ACE) else 'a'} {RANK_WORDS[rank]}"


def _names(ranks: Iterable[Rank], last: str = "and") -> str:
    return listed([RANK_WORDS[rank] for rank in ranks], last)


def _cards(ranks: Iterable[Rank]) -> str:
    return listed([a(rank) for rank in ranks], "or")


def having(rules: RuleSet, *powers: Power) -> list[Rank]:
    """The ranks with one of these powers, those only that are in the deck."""
    return [rank for rank in in_deck(rules) if rules.powers[rank] in powers]


def in_deck(rules: RuleSet) -> list[Rank]:
    return [rank for rank in Rank if rank is not Rank.JOKER or rules.jokers]


def free_ranks(rules: RuleSet) -> list[Rank]:
    """The ranks that go on anything (but perhaps on a limit)."""
    return [rank for rank in in_deck(rules) if rules.table.fixed >> rank & 1]


def _deal(rules: RuleSet) -> Iterator[str]:
    packs = "one deck of 52 cards" if rules.decks == 1 else f"{rules.decks} decks of 52 cards"
    jokers = f" and {rules.decks * rules.jokers} joker{'s' * (rules.decks * rules.jokers > 1)}" if rules.jokers else ""
    most = "2 players" if rules.max_players == 2 else f"2 to {rules.max_players} players"
    yield f"{most} with {packs}{jokers}."
    if rules.deal == "six-up":
        yield "Everybody gets 3 downcards in a row and 6 cards face up, and chooses 3 of these as upcards, 3 as hand."
    else:
        hand = "1 card" if rules.hand_size == 1 else f"{rules.hand_size} cards"
        yield f"Everybody gets 3 downcards in a row, 3 upcards on top of them and a hand of {hand}."
    yield "The rest is the stock."
    if rules.turned:
        yield "One card is turned from the stock and begins the pile; the first player answers it by its rank."
        acting = having(rules, Power.SKIP, Power.REVERSE, Power.BURNS)
        if acting and rules.first_card_acts:
            yield f"Turned like this, {_cards(acting)} acts as if somebody had played it."
        elif acting:
            yield f"Turned like this, {_cards(acting)} does nothing special."
        if rules.four_burns and not rules.first_card_counts:
            yield "The turned card does not count towards four of a kind."
    if rules.deal != "six-up":
        yield "Before the first play everybody may exchange hand cards with their own upcards, any number."


def _start(rules: RuleSet) -> Iterator[str]:
    first = ""
    if rules.last_game != "none":
        yield f"The last game's {rules.last_game} plays first."
        first = "In a first game: "
    if rules.starts == "left-of-dealer":
        yield f"{first}The player to the left of the dealer starts."
    else:
        yield (
            f"{first}Whoever was dealt a 3 as an upcard starts; with two of them, the one dealt first. Without one, "
            "the first to claim a 3 in hand; then the same with 4, and so on. Exchanging changes nothing about it."
        )
    dealer = "The loser deals next." if rules.deals_next == "loser" else "The deal passes clockwise."
    yield dealer


def _turn(rules: RuleSet) -> Iterator[str]:
    alone = [f"{RANK_WORDS[rank]}s" for rank in in_deck(rules) if rules.table.most[rank] == 1]
    if rules.sets == "one":
        yield "Play one card that equals or beats the pile, or pick the pile up. Suits never matter."
    else:
        yield (
            "Play one card, or several of the same rank together, that equals or beats the pile, or pick the pile up. "
            "Suits never matter."
        )
        if alone:
            yield f"{listed(alone).capitalize()} are played one at a time."
    yield f"After playing from the hand, draw back up to {rules.hand_size} while the stock lasts."
    if rules.forgotten_draw == "penalty":
        yield "Who forgets to draw before the next player has played still draws, and takes a penalty."
    if rules.follow_up:
        yield "A card just drawn may follow at once if it has the rank just played, until somebody else moves."
    if rules.four_out_of_turn and rules.four_burns:
        yield (
            "Whoever holds all that is missing to four of a kind on top of the pile may add it out of turn: the pile "
            "burns and that player leads."
        )


def _specials(rules: RuleSet) -> Iterator[str]:
    for rank in in_deck(rules):
        power = rules.powers[rank]
        if rank is Rank.JOKER:
            yield f"Joker: goes on anything, alone, and turns the direction of play. {_after_joker(rules)}"
        elif power is not Power.PLAIN:
            yield f"{RANK_WORDS[rank].capitalize()}: {_power(rules, rank)}"
    if having(rules, Power.SKIP) and not rules.skip_self:
        yield "Nobody skips themself: skipping counts only the other players."
    elif having(rules, Power.SKIP):
        yield "Skipping counts only players still in, and may come round to the player themself, who then plays again."
    if having(rules, Power.REVERSE):
        two = "changes nothing" if rules.reverse_for_two == "no-change" else "skips the other player"
        yield f"With two players left, turning the direction {two}."


def _power(rules: RuleSet, rank: Rank) -> str:
    same = f"{'another' if rank is not Rank.ACE else 'a further'} {RANK_WORDS[rank]}"
    anything = "goes on anything" if rules.acting == "free" else "must itself beat the pile"
    answer = {
        Power.RESETS: "goes on anything, and anything may follow.",
        Power.INVISIBLE: "goes on anything and is looked through: the next player answers the card below.",
        Power.UNDER: f"{anything}; the next card must be lower than {a(rank)}.",
        Power.AT_MOST: f"{anything}; the next card must be {a(rank)} or lower.",
        Power.SKIP: f"{anything}; each one skips one player.",
        Power.REVERSE: f"{anything}; each one turns the direction of play.",
        Power.BURNS: "goes on anything; the pile leaves the game and the same player plays again.",
        Power.SHOOTING: f"is answered only by {same} or by a card that goes on anything.",
    }
    return answer.get(rules.powers[rank], "")


def _after_joker(rules: RuleSet) -> str:
    return "Then the card below it is answered." if rules.joker_answer == "below" else "Then anything may follow."


def _on_what(rules: RuleSet) -> Iterator[str]:
    """The table of legal ranks itself: the rule in general, and each rank that differs from it."""
    deck, free = in_deck(rules), free_ranks(rules)
    if free:
        yield f"On an ordinary card: the same rank or higher, and always {_names(free)}."
    else:
        yield "On an ordinary card: the same rank or higher."
    for top in deck:
        power = rules.powers[top]
        may = [rank for rank in ranks_in(rules.table.on[top]) if rank in deck]
        usual = [rank for rank in deck if rank in free or (top <= rank < Rank.JOKER)]
        if top is Rank.JOKER or power is Power.INVISIBLE or (power is Power.BURNS and not rules.turned):
            continue  # never the card to be answered
        if may == deck:
            yield f"On {a(top)}: anything."
        elif may != usual:
            yield f"On {a(top)}: {_names(may)}."
    yield from _looking_through(rules)
    if rules.lead_after_ten == "at-least":
        for rank in having(rules, Power.BURNS):
            may = [other for other in ranks_in(rules.table.lead[rank]) if other in deck]
            yield f"Whoever burns with {a(rank)} leads {_names(may, 'or')}, or passes."


def _looking_through(rules: RuleSet) -> Iterator[str]:
    invisible, limits = having(rules, Power.INVISIBLE), having(rules, *LIMITS)
    if invisible:
        alone = "nothing" if rules.invisible_alone == "nothing" else "its own rank"
        yield f"With nothing below it, {_cards(invisible)} asks for {alone}."
    if limits and (invisible or (rules.jokers and rules.joker_answer == "below")):
        through = [*invisible, *([Rank.JOKER] if rules.jokers and rules.joker_answer == "below" else [])]
        holds = "still holds" if rules.seven_through_invisible else "holds no longer"
        yield f"The limit of {_cards(limits)} {holds} below {_cards(through)}."


def _burning(rules: RuleSet) -> Iterator[str]:
    tens = having(rules, Power.BURNS)
    if tens:
        yield f"{_cards(tens).capitalize()} burns the pile, and itself: all of it is out of the game."
    if not rules.four_burns:
        yield "Four of a kind do not burn."
        return
    more = "Four or more" if rules.decks > 1 else "Four"
    yield f"{more} of a kind on top of the pile burn it, whoever laid them; whoever completes them plays again."
    special = [rank for rank in in_deck(rules) if rules.powers[rank] is not Power.PLAIN and rank is not Rank.JOKER]
    special = [rank for rank in special if rules.powers[rank] is not Power.BURNS]
    if special and not rules.four_specials:
        yield f"Four of a special card ({_names(special)}) do not burn."
    elif special:
        yield f"That holds for special cards too ({_names(special)}); burning wins over all else that they do."
    invisible = having(rules, Power.INVISIBLE)
    if invisible:
        verb = "breaks" if rules.invisible_breaks_four else "does not break"
        yield f"{_cards(invisible).capitalize()} lying in between {verb} the four."
    if rules.jokers:
        yield f"A joker lying in between {'breaks' if rules.joker_breaks_four else 'does not break'} the four."
    if rules.lead_after_four == "higher":
        resets = [f"four {RANK_WORDS[rank]}s" for rank in having(rules, Power.RESETS) if rules.four_specials]
        but = f" After {listed(resets, 'or')}, anything." if resets else ""
        yield f"Whoever burns with four of a kind leads a higher rank, or passes.{but}"
    if rules.lead_after_four == "higher" or (rules.lead_after_ten == "at-least" and tens):
        free = free_ranks(rules)
        if free and rules.lead_specials:
            yield f"{_names(free).capitalize()} may always be led."
        yield "If that player is out with the burn, the next one leads anything."


def _picking_up(rules: RuleSet) -> Iterator[str]:
    if rules.voluntary_pick_up:
        yield "Who cannot or will not play takes the whole pile into the hand."
    else:
        yield "Who cannot play takes the whole pile into the hand; who can play must."
    if rules.pick_up_with == "upcard":
        yield "Picking up while playing from the upcards takes one upcard of your choice along."
    leads = "The next player leads" if rules.after_pick_up == "next" else "The same player then leads"
    yield f"{leads} anything."
    if rules.flip_stock:
        yield (
            "Instead of picking up, the top card of the stock may be turned onto the pile: if it fits it is played, "
            "if not it is taken with the pile."
        )


def _table_cards(rules: RuleSet) -> Iterator[str]:
    yield "Hand first; the upcards only when hand and stock are empty; the downcards only when the upcards are gone."
    if rules.sets == "any" and not rules.upcard_sets:
        yield "Upcards are played one at a time."
    if rules.join_last_card:
        yield "The very last hand card may be played together with upcards of its rank."
    yield (
        "Downcards are turned unseen, one at a time: one that fits is played, one that does not is taken into the hand "
        "with the pile."
    )


def _end(rules: RuleSet) -> Iterator[str]:
    if rules.play_for == "winner":
        yield "Whoever is first without cards wins; the others play on for the loser."
    yield "Who has no card left is out. The last one with cards loses and is the shithead."
    if rules.forfeit:
        yield f"The loser owes: {rules.forfeit.rstrip('.')}."
    yield f"After {rules.turn_limit} turns the table may call the game: most cards loses."

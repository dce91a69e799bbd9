// The referee's view in the shape that screens draw: seats as numbers, the pile as a list, what may be played as a phrase.
import { state } from "./store.js";
import { has, list, message, playerName, rankLetter, rankName, t } from "./words.js";

export const ORDER = "3456789TJQKA";
export const ALL_RANKS = "23456789TJQKA";

export function seatNumber(view, seat) {
  if (seat === null || seat === undefined) return null;
  if (typeof seat === "number") return seat;
  const found = view ? view.players.map((player) => player.name).indexOf(seat) : -1;
  return found < 0 ? null : found;
}

/** The pile, lowest first, whether the referee lists cards or counts them; unknown cards are "??". */
export function pileCards(view) {
  const pile = view.pile;
  if (Array.isArray(pile)) return pile;
  const cards = (pile && (pile.cards || pile.known)) || [];
  const count = pileCount(view);
  const unknown = [];
  for (let i = cards.length; i < count; i += 1) unknown.push("??");
  return unknown.concat(cards);
}

export function pileCount(view) {
  const pile = view.pile;
  if (Array.isArray(pile)) return pile.length;
  if (typeof pile === "number") return pile;
  if (!pile) return 0;
  return pile.count !== undefined ? pile.count : (pile.cards || []).length + (pile.unknown || 0);
}

export function count(zone) {
  if (typeof zone === "number") return zone;
  if (Array.isArray(zone)) return zone.length;
  if (!zone) return 0;
  if (zone.count !== undefined) return zone.count;
  return (zone.cards || zone.known || []).length + (zone.unknown || 0);
}

export function cards(zone) {
  if (Array.isArray(zone)) return zone;
  return (zone && (zone.cards || zone.known)) || [];
}

/** The card that must be answered: its text form, or "" on an empty pile. */
export function answered(view) {
  const top = view.top;
  if (!top) return "";
  const text = typeof top === "string" ? top : top.card || top.rank || "";
  return text.length === 1 ? text + "?" : text;
}

/** The topmost cards of the pile; `through` are those that are looked through to reach what must be answered. */
export function topOfPile(view) {
  const all = pileCards(view);
  const top = answered(view);
  if (!all.length) return { through: [], answer: top, under: [] };
  let index = all.length - 1;
  if (top) while (index >= 0 && all[index].charAt(0) !== top.charAt(0)) index -= 1;
  else index = -1;
  if (index < 0) return { through: top ? [] : all.slice(-3), answer: top, under: top ? all : [] };
  return { through: all.slice(index + 1), answer: all[index], under: all.slice(0, index) };
}

export function legalRanks(view) {
  return view.legal && view.legal.ranks ? view.legal.ranks.slice() : [];
}

// The longest run that reaches an end of the order is said as "9 or higher" or "6 or lower"; the rest one by one.
function split(ranks, because) {
  const plain = ORDER.split("").filter((rank) => ranks.indexOf(rank) >= 0);
  if (plain.length === ORDER.length) return { kind: "any", rest: [] };
  const rest = (from, to) => ALL_RANKS.split("").filter((rank) => ranks.indexOf(rank) >= 0 && !within(rank, from, to));
  // The rank that is answered bounds the run: on a jack it is "J or higher", though a 10 is allowed as well.
  const bound = because && because.other_rank ? ORDER.indexOf(because.other_rank) : -1;
  const all = (from, to) => to > from && ORDER.slice(from, to).split("").every((rank) => ranks.indexOf(rank) >= 0);
  if (bound >= 0 && (because.code === "at-least" || because.code === "lead-at-least") && all(bound, ORDER.length)) {
    return { kind: "higher", rank: ORDER[bound], rest: rest(bound, ORDER.length) };
  }
  const end = because && because.code === "at-most" ? bound + 1 : bound;
  if (bound >= 0 && (because.code === "below" || because.code === "at-most") && all(0, end)) {
    return { kind: "lower", rank: ORDER[end - 1], rest: rest(0, end) };
  }
  let low = 0;
  while (low < ORDER.length && ranks.indexOf(ORDER[low]) >= 0) low += 1;
  let high = ORDER.length;
  while (high > 0 && ranks.indexOf(ORDER[high - 1]) >= 0) high -= 1;
  const up = ORDER.length - high;
  if (up >= 2 && up >= low) return { kind: "higher", rank: ORDER[high], rest: rest(high, ORDER.length) };
  if (low >= 2) return { kind: "lower", rank: ORDER[low - 1], rest: rest(0, low) };
  return { kind: "only", rest: ALL_RANKS.split("").filter((rank) => ranks.indexOf(rank) >= 0) };
}

function within(rank, from, to) {
  const place = ORDER.indexOf(rank);
  return place >= from && place < to;
}

/** What may be played, in words: {headline, also, because}. With `spoken`, ranks are named in full. */
export function legalPhrase(view, spoken) {
  const legal = view.legal || {};
  const named = spoken ? rankName : rankLetter;
  const ranks = legalRanks(view).filter((rank) => rank !== "X");
  const joker = legalRanks(view).indexOf("X") >= 0;
  const because = reason(legal.because, spoken);
  if (legal.from === "draw") return { headline: t("legal.draw"), also: "", because: "" };
  if (legal.turn_down) return { headline: t("legal.turn"), also: ranks.length ? phrase() : "", because: because };
  if (!ranks.length && !joker) return { headline: t("legal.none"), also: "", because: because };
  if (legal.sure && legal.from === "up") {
    // All upcards are known, so the very cards can be named.
    const own = ALL_RANKS.split("").concat("X").filter((rank) => (legal.cards || []).some((card) => card.charAt(0) === rank));
    return { headline: own.length ? list(own.map(named), "or") : t("legal.none"), also: "", because: because };
  }
  const parts = split(ranks, legal.because);
  const headline =
    parts.kind === "any"
      ? t("legal.any")
      : parts.kind === "higher"
        ? parts.rank === "A" ? named("A") : t("legal.higher", { rank: parts.rank }, spoken)
        : parts.kind === "lower"
          ? t("legal.lower", { rank: parts.rank }, spoken)
          : list(parts.rest.map(named), "or");
  const others = parts.kind === "only" || parts.kind === "any" ? [] : parts.rest.map(named);
  if (joker && parts.kind !== "any") others.push(named("X"));
  // "Any card, because the 4 must be beaten" would be true and silly.
  const silly = parts.kind === "any" && legal.because && legal.because.code === "at-least";
  return { headline: headline, also: others.length ? t("legal.also", { what: list(others) }) : "", because: silly ? "" : because };

  function phrase() {
    const inner = split(ranks, legal.because);
    if (inner.kind === "any") return "";
    return t("legal.fits", {
      what: inner.kind === "only" ? list(inner.rest.map(named), "or") : t("legal." + inner.kind, { rank: inner.rank }, spoken),
    });
  }
}

function reason(because, spoken) {
  if (!because) return "";
  if (typeof because === "string") return because;
  const all = Array.isArray(because) ? because : [because];
  return all
    .map((one) => {
      if (!one || !one.code) return String(one);
      const through = one.through_rank || one.through;
      return message(one, spoken) + (through ? ", " + t("legal.through", { through: through }, spoken) : "");
    })
    .join("; ");
}

/** The players still in, from the one to move, in the direction of play. */
export function comingOrder(view) {
  const turn = seatNumber(view, view.turn);
  if (turn === null) return [];
  const step = Number(view.direction) < 0 || view.direction === "counter" ? -1 : 1;
  const size = view.players.length;
  const order = [];
  for (let i = 0; i < size; i += 1) {
    const seat = (turn + step * i + size * size) % size;
    if (!isOut(view.players[seat])) order.push(seat);
  }
  return order;
}

export const isOut = (player) => player.out !== null && player.out !== undefined && player.out !== false;

// The order in which the referee said that players are out; who went out before the log that is kept here comes first.
function calledOut(view) {
  const order = [];
  const log = (state.table && state.table.log) || [];
  log.forEach((entry) => {
    if (entry.state && entry.state !== "valid") return;
    (entry.messages || []).forEach((said) => {
      const seat = said.code === "goes-out" || said.code === "wins" ? seatNumber(view, said.player) : null;
      if (seat !== null && isOut(view.players[seat]) && order.indexOf(seat) < 0) order.push(seat);
    });
  });
  return order;
}

/** The players who are out, in order, as seat numbers. */
export function outInOrder(view) {
  const named = view.outcome && view.outcome.out;
  if (named && named.length) return named.map((seat) => seatNumber(view, seat)).filter((seat) => seat !== null);
  const out = view.out ? view.out.map((seat) => seatNumber(view, seat)) : calledOut(view);
  const rest = view.players.map((player, seat) => seat).filter((seat) => isOut(view.players[seat]) && out.indexOf(seat) < 0);
  return rest.concat(out);
}

export function loser(view) {
  return view.outcome ? seatNumber(view, view.outcome.loser) : null;
}

/** An event in a line: who did what. `seat` as the referee settled it; the event's own otherwise. */
export function eventWords(event, seat, spoken) {
  const who = seat !== null && seat !== undefined ? seat : event.seat;
  const known = who !== null && who !== undefined;
  const faces = cardsOf(event);
  const parameters = { player: known ? playerName(who) : "", cards: faces, card: faces[0], count: event.count };
  const key = "play." + event.event;
  return t(known || !has(key + ".nobody") ? key : key + ".nobody", parameters, spoken);
}

export const playWords = (entry, spoken) => eventWords(entry.event, entry.seat, spoken);

const EDITS = { correct: true, insert: true, undo: true, back: true, answer: true, show: true };

/** The log as what happened at the table, oldest first: what was added later stands where it belongs. How the camera saw
 * the stock or downcards lie is no play. */
export function playsInOrder(log) {
  return eventsInOrder(log).filter((entry) => !entry.evidence);
}

/** The same, with what was only evidence. */
export function eventsInOrder(log) {
  const plays = log.filter((entry) => !EDITS[entry.event.event]);
  log.forEach((entry) => {
    if (entry.event.event !== "insert") return;
    const place = plays.map((one) => one.seq).indexOf(entry.event.before);
    const added = Object.assign({}, entry, { event: entry.event.with, seat: null, added: true });
    // Added at the end, or before a play that is too long ago to be listed here.
    const end = entry.event.before === entry.seq ? plays.length : 0;
    plays.splice(place < 0 ? end : place, 0, added);
  });
  return plays;
}

/** The cards that an event laid, as text forms, most likely ones where the referee kept likelihoods. */
export function cardsOf(event) {
  const given = event.cards || (event.card !== undefined ? [event.card] : []);
  const faces = given.map((one) => {
    if (typeof one === "string") return one;
    return Object.keys(one).sort((a, b) => one[b] - one[a])[0] || "??";
  });
  let wanted = event.count;
  if (wanted && typeof wanted === "object") wanted = Number(Object.keys(wanted).sort((a, b) => event.count[b] - event.count[a])[0]);
  if (wanted > faces.length && faces.length) {
    const more = faces.slice();
    while (more.length < wanted) more.push(faces[0].charAt(0) + "?");
    return more;
  }
  return faces;
}

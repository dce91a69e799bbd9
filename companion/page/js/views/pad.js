// The pad of ranks: shows what may be played, and says what was played with two taps, rank and count.
import { html, useEffect, useState } from "../../vendor/htm-preact.js";
import { state } from "../store.js";
import { act, lay } from "../act.js";
import { ALL_RANKS, cards, legalRanks, pileCount, seatNumber } from "../model.js";
import { cardName, rankLetter, rankName, suitLetter, t } from "../words.js";
import { Card, Pip } from "../cards.js";
import { Button, Sheet } from "../parts.js";
import { CardSheet } from "./cardsheet.js";

export const SUITS = ["S", "H", "C", "D"];

function jokers() {
  const options = (state.table.set_up && state.table.set_up.options) || {};
  return Number(options.jokers) > 0 || (state.table.view ? legalRanks(state.table.view).indexOf("X") >= 0 : false);
}

/** How many cards of one rank one play may be: four of each deck, as far as a hand lays them. */
export const mostOfRank = () => Math.min(8, 4 * (Number((state.table.set_up.options || {}).decks) || 1));

/** The ranks in a grid. legal: which are marked as allowed (all, if null); choose(rank), or null to only show. */
export function Ranks(props) {
  const shown = ALL_RANKS.slice(1) + "2" + (props.jokers ? "X" : "");
  return html`<div class=${"ranks" + (props.jokers ? " with-joker" : "")} role="group" aria-label=${t("ranks")}>
    ${shown.split("").map((rank) => {
      const allowed = !props.legal || props.legal.indexOf(rank) >= 0;
      const look = "rank" + (allowed ? " allowed" : " forbidden") + (props.chosen === rank ? " chosen" : "");
      const words = rankName(rank) + (props.legal ? ", " + t(allowed ? "rank.allowed" : "rank.forbidden") : "");
      return props.choose
        ? html`<button type="button" key=${rank} class=${look} aria-label=${words} onClick=${() => props.choose(rank)}>${rank === "X" ? "★" : rankLetter(rank)}</button>`
        : html`<span key=${rank} class=${look} role="img" aria-label=${words}>${rank === "X" ? "★" : rankLetter(rank)}</span>`;
    })}
  </div>`;
}

export function Suits(props) {
  return html`<div class="suits" role="group" aria-label=${t("suit")}>
    ${SUITS.map(
      (suit) => html`<button type="button" key=${suit} class=${"suit suit-" + suit} aria-pressed=${String(props.chosen === suit)} aria-label=${t("suit." + suit)} onClick=${() => props.choose(props.chosen === suit ? "" : suit)}>
        <${Pip} suit=${suit} /><small>${suitLetter(suit)}</small>
      </button>`,
    )}
  </div>`;
}

export function Counts(props) {
  const most = props.most || 4;
  const all = [];
  for (let i = 1; i <= most; i += 1) all.push(i);
  return html`<div class="times" role="group" aria-label=${t("how-many")}>
    ${all.map((number) => html`<button type="button" key=${number} class=${"time" + (props.chosen === number ? " chosen" : "")} onClick=${() => props.choose(number)}>×${number}</button>`)}
  </div>`;
}

export function Pad(props) {
  const view = props.view;
  const [rank, setRank] = useState("");
  const [suit, setSuit] = useState("");
  const turning = Boolean(view.legal && view.legal.turn_down);
  // What was begun belongs to the table as it was: a new play clears it.
  useEffect(() => {
    setRank("");
    setSuit("");
  }, [state.seq]);
  const send = (count) => {
    const card = rank === "X" ? "XX" : rank + (suit || "?");
    if (turning) act("turned", { card: card });
    else lay(rank, count, suit);
    setRank("");
    setSuit("");
  };
  return html`<section class=${"pad" + (rank ? " second" : "")} aria-label=${t("pad")}>
    <${Ranks} legal=${legalRanks(view)} jokers=${jokers()} chosen=${rank} choose=${props.open ? (one) => setRank(rank === one ? "" : one) : null} />
    ${rank &&
    html`<div class="pad-second">
      <button type="button" class="pad-back" aria-label=${t("back")} onClick=${() => setRank("")}>✕</button>
      <b class="pad-rank">${rank === "X" ? "★" : rankLetter(rank)}</b>
      ${turning || rank === "X"
        ? html`<${Button} kind="main" onClick=${() => send(1)}>${t(turning ? "pad.turned" : "pad.lay", { rank: rank })}<//>`
        : html`<${Counts} most=${mostOfRank()} choose=${send} />`}
      ${rank !== "X" && html`<${Suits} chosen=${suit} choose=${setSuit} />`}
    </div>`}
  </section>`;
}

/** What else may be said now: picked up, burnt, take back, let it stand, pass. */
export function Actions(props) {
  const [along, setAlong] = useState(false);
  const [turning, setTurning] = useState(false);
  const view = props.view;
  const may = state.table.may || [];
  const legal = view.legal || {};
  const can = (name) => may.indexOf(name) >= 0;
  const turn = view.turn !== null && view.turn !== undefined;
  const list = [];
  // What lies there against the rules is settled first.
  if (props.open && can("take-back")) list.push({ name: "take-back", kind: "" });
  if (props.decide && can("stand")) list.push({ name: "stand", kind: "danger" });
  if (props.open && turn && (can("pick-up") || legal.pick_up)) list.push({ name: "pick-up", kind: "" });
  if (props.open && (can("burn") || (props.decide && turn && pileCount(view) > 0))) list.push({ name: "burn", kind: "" });
  if (props.open && (can("pass") || legal.pass)) list.push({ name: "pass", kind: "" });
  if (props.open && legal.flip) list.push({ name: "flip", kind: "" });
  if (props.decide && can("call")) list.push({ name: "call", kind: "" });
  const seat = seatNumber(view, view.turn);
  const upcards = legal.take_upcard && seat !== null ? cards(view.players[seat].up).filter((card) => card.charAt(0) !== "?") : [];
  const run = (name) => {
    if (name === "flip") setTurning(true);
    else if (name === "pick-up" && upcards.length) setAlong(true);
    else act(name, {});
  };
  if (!list.length) return null;
  return html`<div class="actions">
    ${list.map((one) => html`<${Button} key=${one.name} kind=${one.kind} onClick=${() => run(one.name)}>${t("act." + one.name)}<//>`)}
    ${turning &&
    html`<${CardSheet} title=${t("act.flip")} close=${() => setTurning(false)} choose=${(card) => {
      setTurning(false);
      act("flipped", { card: card });
    }} />`}
    ${along &&
    html`<${Sheet} title=${t("pick-up.with")} close=${() => setAlong(false)}>
      <div class="form-cards">
        ${upcards.map((card, index) => html`<button type="button" key=${index} class="form-card" aria-label=${cardName(card)} onClick=${() => {
          setAlong(false);
          act("pick-up", { with: card });
        }}><${Card} card=${card} size="medium" hidden=${true} /></button>`)}
      </div>
      <${Button} kind="wide" onClick=${() => {
        setAlong(false);
        act("pick-up", {});
      }}>${t("pick-up.unseen")}<//>
    <//>`}
  </div>`;
}

// Says what happened, in full: what kind of play, whose, which cards. Used to correct, to add and to answer.
import { html, useState } from "../../vendor/htm-preact.js";
import { state } from "../store.js";
import { cardsOf } from "../model.js";
import { rankName, t } from "../words.js";
import { Card } from "../cards.js";
import { seatName } from "../act.js";
import { Counts, Ranks, SUITS, Suits, mostOfRank } from "./pad.js";

const KINDS = ["laid", "turned", "flipped", "pick-up", "burn", "drawn", "pass", "take-back"];
const WITH_SEAT = { laid: true, turned: true, flipped: true, "pick-up": true, drawn: true, pass: true };
const WITH_CARDS = { laid: true, turned: true, flipped: true };

export function EventForm(props) {
  const before = props.event || { event: "laid" };
  const kept = cardsOf(before);
  const first = kept[0] || "";
  const [kind, setKind] = useState(KINDS.indexOf(before.event) >= 0 ? before.event : "laid");
  const [seat, setSeat] = useState(before.seat !== undefined ? before.seat : null);
  const [rank, setRank] = useState(first && first.charAt(0) !== "?" ? first.charAt(0) : "");
  const [suits, setSuits] = useState(kept.map((card) => (SUITS.indexOf(card.charAt(1)) >= 0 ? card.charAt(1) : "")));
  const [count, setCount] = useState(Math.min(kept.length || 1, mostOfRank()));
  const [at, setAt] = useState(0);
  const players = state.table.view ? state.table.view.players : state.table.set_up.players;
  const single = kind === "turned" || kind === "flipped" || rank === "X";
  const size = single ? 1 : count;
  const cards = [];
  for (let i = 0; i < size; i += 1) cards.push(rank === "X" ? "XX" : (rank || "?") + (rank ? suits[i] || "?" : "?"));
  const ready = !WITH_CARDS[kind] || rank;
  const save = () => {
    const event = { event: kind };
    if (WITH_SEAT[kind] && seat !== null) event.seat = seatName(seat);
    if (kind === "laid") Object.assign(event, { cards: cards, count: size });
    if (kind === "turned" || kind === "flipped") event.card = cards[0];
    if (kind === "pick-up" && before.with) event.with = before.with;
    props.send(event);
  };
  const suit = (one) => {
    const next = suits.slice();
    next[at] = one;
    setSuits(next);
    if (one && at < size - 1) setAt(at + 1);
  };
  return html`<div class="event-form">
    <div class="choices" role="group" aria-label=${t("form.what")}>
      ${KINDS.map((one) => html`<button type="button" key=${one} class="choice" aria-pressed=${String(kind === one)} onClick=${() => setKind(one)}>${t("kind." + one)}</button>`)}
    </div>
    ${WITH_SEAT[kind] &&
    html`<div class="choices" role="group" aria-label=${t("form.who")}>
      <button type="button" class="choice" aria-pressed=${String(seat === null)} onClick=${() => setSeat(null)}>${t("form.to-move")}</button>
      ${players.map((player) => html`<button type="button" key=${player.name} class="choice" aria-pressed=${String(seat === player.name)} onClick=${() => setSeat(player.name)}>${player.name}</button>`)}
    </div>`}
    ${WITH_CARDS[kind] &&
    html`<div>
      <${Ranks} chosen=${rank} jokers=${true} choose=${(one) => setRank(one)} />
      ${!single && html`<${Counts} most=${mostOfRank()} chosen=${count} choose=${(n) => {
        setCount(n);
        setAt(Math.min(at, n - 1));
      }} />`}
      ${rank && rank !== "X" &&
      html`<div class="form-cards">
        ${cards.map((card, index) => html`<button type="button" key=${index} class=${"form-card" + (index === at ? " here" : "")} aria-label=${t("form.suit-of", { what: rankName(rank), count: index + 1 })} aria-pressed=${String(index === at)} onClick=${() => setAt(index)}><${Card} card=${card} size="small" hidden=${true} /></button>`)}
        <${Suits} chosen=${suits[at] || ""} choose=${suit} />
      </div>`}
    </div>`}
    <button type="button" class="button main wide" disabled=${!ready} onClick=${save}>${props.save || t("save")}</button>
  </div>`;
}

// From the deal to the first play: the upcards as read (or tapped in, or left unknown), the exchange, who begins.
import { html, useState } from "../../vendor/htm-preact.js";
import { isHost, mayDecide, mayTap, state } from "../store.js";
import { act } from "../act.js";
import { cards } from "../model.js";
import { sentences, t } from "../words.js";
import { told } from "../told.js";
import { Button } from "../parts.js";
import { Back, Card } from "../cards.js";
import { CardSheet } from "./cardsheet.js";
import { Pending } from "./hero.js";
import { Actions } from "./pad.js";

const UNKNOWN = ["??", "??", "??"];

/** Three places for upcards, each to be tapped. */
function Slots(props) {
  return html`<div class="slots">
    ${props.cards.map((card, index) => html`<button type="button" key=${index} class="slot" onClick=${() => props.open(index)} aria-label=${t("deal.slot", { name: props.name, count: index + 1, card: card }, true)}>
      <${Back} size="medium" />${card.charAt(0) !== "?" ? html`<${Card} card=${card} size="medium" hidden=${true} />` : html`<span class="slot-plus" aria-hidden="true">+</span>`}
    </button>`)}
  </div>`;
}

export function Deal() {
  const table = state.table;
  const players = table.view ? table.view.players : table.set_up.players;
  const [entered, setEntered] = useState({});
  const [open, setOpen] = useState(null);
  const [first, setFirst] = useState("");
  const camera = table.camera && table.camera.mode !== "off" && table.state !== "by hand";
  const turned = Boolean(table.view && table.view.rules && table.view.rules.options && table.view.rules.options["first-card"] === "turned") ||
    (table.set_up.options || {})["first-card"] === "turned" || (table.set_up.rules.indexOf("hostel") === 0 && (table.set_up.options || {})["first-card"] === undefined);
  const of = (name) => entered[name] || UNKNOWN;
  const fill = (name, index, card) => {
    const next = Object.assign({}, entered);
    next[name] = of(name).map((old, at) => (at === index ? card : old));
    setEntered(next);
    setOpen(index < 2 && next[name][index + 1].charAt(0) === "?" ? { name: name, index: index + 1 } : null);
  };
  const send = () => {
    const fields = { upcards: entered };
    if (first) fields.first = first;
    if (table.set_up.dealer !== null && table.set_up.dealer !== undefined) fields.dealer = table.set_up.dealer;
    act("deal", fields);
  };
  const some = Object.keys(entered).length > 0;
  return html`<div class="deal">
    <section class="block">
      <h1>${t("deal.title")}</h1>
      <p>${t(camera ? "deal.camera" : "deal.hand")}</p>
      ${camera && table.camera.words && html`<p class="small deal-lacks">${told(table.camera.words)}</p>`}
      ${!mayDecide() && html`<p class="small">${t("deal.waits")}</p>`}
      ${mayDecide() && html`<${Button} kind="main wide huge" onClick=${send}>${t(some ? "deal.done" : "deal.skip")}<//>`}
    </section>
    ${mayDecide() &&
    html`<section class="block">
      <h2>${t("deal.upcards")}</h2>
      <p class="small">${t("deal.upcards.words")}</p>
      ${turned &&
      html`<div class="deal-row"><b>${t("deal.first")}</b><div class="slots"><button type="button" class="slot" aria-label=${t("deal.first")} onClick=${() => setOpen({ name: null, index: 0 })}>
        ${first ? html`<${Card} card=${first} size="medium" hidden=${true} />` : html`<span class="slot-plus empty" aria-hidden="true">+</span>`}</button></div></div>`}
      ${players.map((player) => html`<div class="deal-row" key=${player.name}><b>${player.name}</b><${Slots} name=${player.name} cards=${of(player.name)} open=${(index) => setOpen({ name: player.name, index: index })} /></div>`)}
    </section>`}
    ${open && open.name === null && html`<${CardSheet} title=${t("deal.first")} card=${first} close=${() => setOpen(null)} choose=${(card) => {
      setFirst(card);
      setOpen(null);
    }} />`}
    ${open && open.name !== null && html`<${CardSheet} key=${open.name + open.index} title=${t("deal.card-of", { name: open.name, count: open.index + 1 })} card=${of(open.name)[open.index]} close=${() => setOpen(null)} choose=${(card) => fill(open.name, open.index, card)} />`}
    ${isHost() && html`<${Button} kind="bare wide" onClick=${() => act("end-game", {})}>${t("deal.cancel")}<//>`}
  </div>`;
}

// Who begins: the rules say it, or they say it unless somebody holds a lower card, or only the table knows.
function Starter(props) {
  const table = props.table;
  const starts = table.starts || { code: "claim-first" };
  const known = starts.player !== undefined;
  const names = table.view.players.map((player) => player.name);
  const others = names.filter((name, seat) => name !== starts.player && (mayDecide() || (starts.code !== "plays-first" && mayTap(seat))));
  const start = (name) => act("start", { seat: name });
  return html`<section class="block">
    <h2>${t("exchange.who")}</h2>
    ${table.view.pending
      ? html`<${Pending} /><${Actions} view=${table.view} open=${mayTap(state.you.seat)} decide=${mayDecide()} />`
      : html`<p>${sentences([starts])}</p>
          ${known && mayTap(names.indexOf(starts.player)) && html`<${Button} kind="main wide huge" onClick=${() => act("play", {})}>${t("exchange.ready", { player: starts.player })}<//>`}
          ${others.length > 0 && html`<p class="small">${t(known ? "exchange.other" : "exchange.choose")}</p>`}
          <div class="choices">${others.map((name) => html`<button type="button" key=${name} class=${"choice" + (known ? "" : " offered")} onClick=${() => start(name)}>${name}</button>`)}</div>`}
  </section>`;
}

export function Exchange() {
  const table = state.table;
  const view = table.view;
  const [open, setOpen] = useState(null);
  const up = (player) => {
    const known = cards(player.up).slice(0, 3);
    while (known.length < 3) known.push("??");
    return known;
  };
  const change = (seat, index, card) => {
    const player = view.players[seat];
    act("exchange", { seat: player.name, upcards: up(player).map((old, at) => (at === index ? card : old)) });
    setOpen(null);
  };
  return html`<div class="deal exchange">
    <section class="block">
      <h1>${t("exchange.title")}</h1>
      <p>${t("exchange.words")}</p>
    </section>
    <section class="block">
      ${view.players.map((player, seat) => html`<div class="deal-row" key=${player.name}>
        <b>${player.name}</b>
        ${mayTap(seat)
          ? html`<${Slots} name=${player.name} cards=${up(player)} open=${(index) => setOpen({ seat: seat, index: index })} />`
          : html`<div class="slots">${up(player).map((card, index) => html`<span class="slot" key=${index}><${Back} size="medium" /><${Card} card=${card} size="medium" /></span>`)}</div>`}
      </div>`)}
      <p class="small">${t("exchange.tap")}</p>
    </section>
    <${Starter} table=${table} />
    ${open && html`<${CardSheet} title=${t("deal.card-of", { name: view.players[open.seat].name, count: open.index + 1 })} card=${up(view.players[open.seat])[open.index]} close=${() => setOpen(null)} choose=${(card) => change(open.seat, open.index, card)} />`}
  </div>`;
}

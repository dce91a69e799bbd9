// Everybody's cards: a row for each player, and the whole table as seen from above where there is room.
import { html } from "../../vendor/htm-preact.js";
import { mayDecide, mayTap, state } from "../store.js";
import { cards, comingOrder, count, isOut, loser, outInOrder, seatNumber } from "../model.js";
import { t } from "../words.js";
import { Back, Card } from "../cards.js";
import { lay } from "../act.js";
import { Hero, Pending, Ticker } from "./hero.js";
import { Actions } from "./pad.js";
import { Pile, PileList } from "./pile.js";

function many(zone, from) {
  const list = [];
  for (let i = from; i < count(zone); i += 1) list.push(i);
  return list;
}

/** The upcards on their downcards: what lies on the table in front of a player. */
export function Laid(props) {
  const player = props.player;
  const up = cards(player.up);
  const down = count(player.down);
  const hidden = many(player.up, up.length);
  const columns = Math.max(up.length + hidden.length, down);
  const spots = [];
  for (let i = 0; i < columns; i += 1) {
    const face = i < up.length ? up[i] : i < up.length + hidden.length ? "??" : "";
    spots.push(html`<span class=${"spot" + (i < down ? " has-down" : "") + (face ? " has-up" : "")} key=${i}>
      ${i < down && html`<${Back} />`}
      ${face &&
      (props.tap && face.charAt(0) !== "?"
        ? html`<button type="button" class="card-button" aria-label=${t("lay.upcard", { card: face }, true)} onClick=${() => props.tap(face)}><${Card} card=${face} size="small" hidden=${true} /></button>`
        : html`<${Card} card=${face} size="small" />`)}
    </span>`);
  }
  return html`<span class="laid-row">${spots}</span>`;
}

function Hand(props) {
  const player = props.player;
  const total = count(player.hand);
  const fan = Math.min(5, Math.max(0, total));
  const backs = [];
  for (let i = 0; i < fan; i += 1) backs.push(html`<i key=${i}></i>`);
  return html`<span class="hand" role="img" aria-label=${t("hand.count", { count: total })}>
    <span class="hand-fan" aria-hidden="true">${backs}</span><b>${total}</b>
  </span>`;
}

export function PlayerRow(props) {
  const view = props.view;
  const player = view.players[props.seat];
  const turn = seatNumber(view, view.turn) === props.seat;
  const mine = state.you && state.you.seat === props.seat;
  const out = isOut(player);
  const place = out ? outInOrder(view).indexOf(props.seat) + 1 : 0;
  const lost = loser(view) === props.seat;
  const known = cards(player.known);
  const handOver = count(player.hand) === 0 && count(view.stock) === 0;
  const tap = !props.still && turn && handOver && mayTap(props.seat) ? (card) => lay(card.charAt(0), 1, card.charAt(1)) : null;
  return html`<li class=${"row" + (turn ? " turn" : "") + (out ? " out" : "") + (lost ? " lost" : "")} aria-current=${turn ? "true" : null}>
    <span class="row-name">
      <b>${player.name}</b>${mine && html` <small class="you">${t("you")}</small>`}
      ${player.owed > 0 && html`<small class="owed">${t("owed", { count: player.owed })}</small>`}
      ${known.length > 0 && !out && html`<small class="known">${t("known", { cards: known })}</small>`}
    </span>
    ${lost
      ? html`<span class="row-end lost-word">${t("loser")}</span>`
      : out
        ? html`<span class="row-end">${t("out.place", { count: place })}</span>`
        : html`<${Hand} player=${player} /><${Laid} player=${player} tap=${tap} />`}
  </li>`;
}

/** Where each player sits: from the set-up's places, else spread round the table; x and y from -1 to 1. */
export function places(names) {
  const kept = state.table.set_up.players;
  const all = names.length;
  const known = names.map((name) => kept.filter((one) => one.name === name && one.x !== null && one.x !== undefined)[0]);
  const angles = names.map((name, index) => {
    const seat = known[index];
    return seat && known.every(Boolean) ? Math.atan2(seat.y - 0.5, seat.x - 0.5) : Math.PI / 2 + (index * 2 * Math.PI) / all;
  });
  // Spread them evenly in the order in which they sit, so that no two panels lie on each other.
  const order = angles.map((angle, index) => ({ angle: angle, index: index })).sort((a, b) => a.angle - b.angle);
  const first = order.length ? order[0].angle : 0;
  const spots = [];
  order.forEach((one, place) => {
    const even = first + (place * 2 * Math.PI) / all;
    spots[one.index] = { x: Math.cos(even), y: Math.sin(even) };
  });
  return spots;
}

/** The table from above: players round the mat. */
export function Round(props) {
  const view = props.view;
  const spots = places(view.players.map((player) => player.name));
  const order = comingOrder(view);
  const back = Number(view.direction) < 0 || view.direction === "counter";
  return html`<div class=${"round players-" + view.players.length}>
    <div class="round-middle"><${Pile} view=${view} name="round" /></div>
    ${view.players.map((player, seat) => {
      const spot = spots[seat];
      const turn = order[0] === seat && view.phase === "play";
      const out = isOut(player);
      return html`<div
        key=${seat}
        class=${"round-seat" + (turn ? " turn" : "") + (out ? " out" : "")}
        style=${{ left: 50 + spot.x * 34 + "%", top: 50 + spot.y * 39 + "%" }}
      >
        <p class="round-name"><b>${player.name}</b>
          ${out && html`<small>${t("out.place", { count: outInOrder(view).indexOf(seat) + 1 })}</small>`}
          ${loser(view) === seat && html`<small>${t("loser")}</small>`}
          ${order.indexOf(seat) === 1 && order.length > 1 && view.phase === "play" && html`<small>${t("next")}</small>`}
        </p>
        ${!out && html`<div class="round-cards"><${Hand} player=${player} /><${Laid} player=${player} /></div>`}
        ${player.owed > 0 && !out && html`<small class="owed">${t("owed", { count: player.owed })}</small>`}
      </div>`;
    })}
    <p class="direction">${back ? "↺ " + t("direction.counter") : "↻ " + t("direction.clock")}</p>
  </div>`;
}

export function TableView() {
  const view = state.table.view;
  const order = comingOrder(view);
  const rest = outInOrder(view).filter((seat) => order.indexOf(seat) < 0);
  const back = Number(view.direction) < 0 || view.direction === "counter";
  return html`<div class="table-view">
    <${Hero} />
    <${Pending} />
    ${view.pending && html`<${Actions} view=${view} open=${mayTap(seatNumber(view, view.turn))} decide=${mayDecide()} />`}
    <div class="table-round"><${Round} view=${view} /></div>
    <div class="table-list">
      <${Pile} view=${view} name="list" />
      <${Ticker} />
      <p class="label direction-line">${back ? "↺ " + t("direction.counter") : "↻ " + t("direction.clock")}</p>
      <ol class="rows">${order.concat(rest).map((seat) => html`<${PlayerRow} key=${seat} view=${view} seat=${seat} />`)}</ol>
      <${PileList} view=${view} />
    </div>
  </div>`;
}

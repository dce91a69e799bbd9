// My seat: whose turn it is, what may be played, the pile, and the pad that says so with two taps.
import { html } from "../../vendor/htm-preact.js";
import { mayDecide, mayTap, state } from "../store.js";
import { comingOrder, isOut, seatNumber } from "../model.js";
import { t } from "../words.js";
import { Hero, Pending, Ticker } from "./hero.js";
import { Pile } from "./pile.js";
import { Actions, Pad } from "./pad.js";
import { PlayerRow } from "./board.js";

function whenMine(view, mine) {
  if (mine === null || mine === undefined || !view.players[mine]) return "";
  if (isOut(view.players[mine])) return t("mine.out");
  const place = comingOrder(view).indexOf(mine);
  if (place === 0) return "";
  return place === 1 ? t("mine.next") : t("mine.after", { count: place });
}

export function SeatView() {
  const table = state.table;
  const view = table.view;
  const turn = seatNumber(view, view.turn);
  const mine = state.you ? state.you.seat : null;
  const order = comingOrder(view);
  const rest = view.players.map((player, seat) => seat).filter((seat) => order.indexOf(seat) < 0);
  const others = order.concat(rest).filter((seat) => seat !== mine);
  // The own cards come first, whoever is to move: what a reader wants to see without scrolling.
  const rows = others.length < view.players.length ? [mine].concat(others) : others;
  const when = whenMine(view, mine);
  const actions = html`<${Actions} view=${view} open=${mayTap(turn)} decide=${mayDecide()} />`;
  return html`<div class="seat-view">
    <${Hero} />
    <${Pending} />
    ${view.pending && actions}
    <div class="seat-columns">
      <div class="seat-left">
        <${Pile} view=${view} />
        <${Ticker} />
      </div>
      <div class="seat-right">
        <${Pad} view=${view} open=${mayTap(turn)} />
        ${!view.pending && actions}
        ${when && html`<p class="when label">${when}</p>`}
        <ol class="rows" aria-label=${t("players")}>
          ${rows.map((seat) => html`<${PlayerRow} key=${seat} view=${view} seat=${seat} />`)}
        </ol>
      </div>
    </div>
  </div>`;
}

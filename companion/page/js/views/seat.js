// My seat: whose turn it is, what may be played, the pile, the own cards (a reader wants to see all this without
// scrolling, whoever is to move), and the pad that says with two taps what was played.
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
  const seated = others.length < view.players.length;
  const when = whenMine(view, mine);
  const actions = html`<${Actions} view=${view} open=${mayTap(turn)} decide=${mayDecide()} />`;
  return html`<div class="seat-view">
    <${Hero} />
    <${Pending} />
    ${view.pending && actions}
    <div class="seat-columns">
      <div class="seat-left">
        <${Pile} view=${view} />
        ${seated && html`<ul class="rows own"><${PlayerRow} view=${view} seat=${mine} /></ul>`}
        ${when && html`<p class="when label">${when}</p>`}
        <${Ticker} />
      </div>
      <div class="seat-right">
        <${Pad} view=${view} open=${mayTap(turn)} />
        ${!view.pending && actions}
        <ol class="rows" aria-label=${t("players")}>
          ${others.map((seat) => html`<${PlayerRow} key=${seat} view=${view} seat=${seat} />`)}
        </ol>
      </div>
    </div>
  </div>`;
}

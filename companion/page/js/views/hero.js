// Whose turn it is and what may be played; and what the referee said last.
import { html } from "../../vendor/htm-preact.js";
import { state } from "../store.js";
import { legalPhrase, seatNumber } from "../model.js";
import { message, playerName, t } from "../words.js";
import { Fan } from "../parts.js";
import { saidWords } from "../calls.js";

/** Whose turn it is and what may be played, as large as the screen allows. */
export function Hero(props) {
  const view = state.table.view;
  const turn = seatNumber(view, view.turn);
  const mine = turn !== null && state.you && state.you.seat === turn;
  const phrase = legalPhrase(view);
  const name = turn === null ? "" : playerName(turn);
  const long = name.length > 9;
  return html`<section class=${"hero" + (mine ? " mine" : "") + (props.tv ? " on-tv" : "")}>
    <p class="hero-turn">
      ${mine && !props.tv
        ? html`<strong class="display">${t("hero.you")}</strong>`
        : html`<strong class=${"display" + (long ? " long" : "")}>${name}</strong><span class="hero-plays">${t("hero.plays")}</span>`}
    </p>
    <p class="hero-legal"><b>${phrase.headline}</b>${phrase.also && html` <span class="hero-also">${phrase.also}</span>`}</p>
    ${phrase.because && html`<p class="hero-because">${phrase.because}</p>`}
  </section>`;
}

/** The illegal play that lies there, and why it is one; people decide what becomes of it. */
export function Pending() {
  const pending = state.table.view.pending;
  if (!pending) return null;
  const code = pending.kind === "pick-up" ? "illegal-pick-up" : pending.cards.length ? "illegal" : "illegal-other";
  const rank = pending.cards.length ? pending.cards[0].charAt(0) : "";
  return html`<section class="pending" role="alert">
    ${pending.cards.length > 0 && html`<${Fan} cards=${pending.cards} />`}
    <p><b>${message({ code: code, player: pending.player, rank: rank })}</b><span>${message(pending.because)}</span></p>
  </section>`;
}

/** What the referee said last. */
export function Ticker() {
  const said = saidWords(state.table);
  if (!said.length || state.table.view.pending) return null;
  const wrong = state.table.verdict === "illegal";
  return html`<ul class=${"ticker" + (wrong ? " wrong" : "")}>${said.slice(-3).map((words, index) => html`<li key=${index}>${words}</li>`)}</ul>`;
}

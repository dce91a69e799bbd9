// The big screen: the whole table, whose turn it is in letters for the far end of the room, and the QR code to join.
import { html } from "../../vendor/htm-preact.js";
import { prefer, state } from "../store.js";
import { canSpeak, hush, prime } from "../speech.js";
import { ALL_RANKS, legalRanks } from "../model.js";
import { gameTitle } from "../parts.js";
import { rankLetter, t } from "../words.js";
import { Sample } from "./sample.js";
import { StateChip } from "./chip.js";
import { Hero, Pending, Ticker } from "./hero.js";
import { Round } from "./board.js";
import { Ending } from "./over.js";
import { Sketch } from "./sketch.js";

function Strip(props) {
  const legal = legalRanks(props.view);
  const shown = (ALL_RANKS.slice(1) + "2").split("");
  return html`<p class="strip" aria-hidden="true">
    ${shown.map((rank) => html`<span key=${rank} class=${"rank " + (legal.indexOf(rank) >= 0 ? "allowed" : "forbidden")}>${rankLetter(rank)}</span>`)}
  </p>`;
}

export function Join(props) {
  const join = state.table.join;
  if (!join) return null;
  return html`<aside class=${"join" + (props.large ? " large" : "")}>
    <img src=${(join.qr || "/api/qr.svg") + "?for=" + encodeURIComponent(join.url)} alt=${t("join.qr")} />
    <div>
      <p class="join-words">${t("join.scan")}</p>
      <p class="join-url">${join.url.replace(/^https?:\/\//, "").replace(/\/j\/.*$/, "")}</p>
    </div>
  </aside>`;
}

export function Tv() {
  const table = state.table;
  const view = table.view;
  const playing = view && (view.phase === "play" || view.phase === "exchange");
  return html`<div class="tv">
    <header class="tv-top"><span class="brand">${gameTitle()}</span><${StateChip} />
      ${canSpeak &&
      html`<button type="button" class="icon-button tv-sound" aria-label=${t(state.primed && state.preferences.sound ? "sound.off" : "sound.on")} onClick=${() => {
        const on = !(state.primed && state.preferences.sound);
        prime();
        if (!on) hush();
        prefer({ sound: on });
      }}><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M3 9h4l6-5v16l-6-5H3z" />${state.primed && state.preferences.sound ? html`<path class="stroke" d="M16 8.500a5 5 0 0 1 0 7M18.500 5.500a9 9 0 0 1 0 13" />` : html`<path class="stroke" d="M16 9l6 6M22 9l-6 6" />`}</svg></button>`}
      ${(state.stale || state.contact === "lost") && html`<span class="tv-fault">${t("stale.words")}</span>`}
      ${table.record && table.record.ok === false && html`<span class="tv-fault">${t("record.fault")}</span>`}
      ${table.record && (table.record.unsaved || []).map((what) => html`<span class="tv-fault" key=${what}>${t("unsaved." + what)}</span>`)}
    </header>
    <${Sample} tv=${true} />
    ${!view
      ? html`<main class="tv-waiting"><div><h1>${gameTitle()}</h1><p class="tv-line">${t("tv.wait")}</p><${Join} large=${true} /></div><${Sketch} /></main>`
      : html`<main class="tv-main">
          <section class="tv-table"><${Round} view=${view} /></section>
          <section class="tv-side">
            ${view.phase === "over"
              ? html`<${Ending} tv=${true} />`
              : view.phase === "exchange"
                ? html`<section class="hero on-tv"><p class="hero-turn"><strong class="display">${t("state.exchange")}</strong></p><p class="hero-because">${t("exchange.words")}</p></section>`
                : html`<${Hero} tv=${true} />`}
            <${Pending} />
            ${playing && view.phase === "play" && html`<${Strip} view=${view} />`}
            ${table.question && html`<p class="tv-check"><b>${t("state.please-check")}</b> ${t("ask.on-phone")}</p>`}
            <${Ticker} />
            <${Join} />
          </section>
        </main>`}
  </div>`;
}

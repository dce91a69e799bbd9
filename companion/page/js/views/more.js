// The rest: the ways to people, records, camera, TV; the settings of this phone; what Pilewatch is and under which licence.
import { html } from "../../vendor/htm-preact.js";
import { isHost, prefer, state } from "../store.js";
import { act } from "../act.js";
import { Button, Switch, go } from "../parts.js";
import { canSpeak, prime, say } from "../speech.js";
import { chosenLanguage, t } from "../words.js";
import { Join } from "./tv.js";
import { Languages } from "./welcome.js";

const WAYS = ["settings", "people", "records", "statistics", "camera", "tv", "about"];

// The laptop has several networks now and then; the code must hold the one that the phones are in.
function Addresses() {
  const join = state.table.join || {};
  const offers = join.addresses || [];
  if (offers.length < 2) return null;
  return html`<details class="addresses">
    <summary>${t("join.other")}</summary>
    <p class="small">${t("join.other.words")}</p>
    <div class="choices" role="group" aria-label=${t("join.other")}>
      ${offers.map((one) => html`<button type="button" key=${one.url} class="choice" aria-pressed=${String(Boolean(one.chosen))} onClick=${() => act("address", { url: one.url })}>
        ${one.url.replace(/^https?:\/\//, "")} <small>${one.interface}</small></button>`)}
    </div>
  </details>`;
}

export function More() {
  const game = state.table.game;
  return html`<div class="more">
    <${Join} />
    ${isHost() && html`<${Addresses} />`}
    <nav class="ways">
      ${WAYS.map((way) => html`<a key=${way} class="way" href=${"#" + way}><b>${t("page." + way)}</b><small>${t("page." + way + ".words")}</small></a>`)}
    </nav>
    ${isHost() && game && html`<section class="block">
      <h2>${t("more.host")}</h2>
      <div class="stack">
        <${Switch} on=${state.table.by_hand} set=${(on) => act("by-hand", { on: on })}>${t("more.by-hand")}<//>
        <${Button} kind="danger wide" onClick=${() => window.confirm(t("more.end.sure")) && act("end-game", {})}>${t("more.end")}<//>
      </div>
    </section>`}
  </div>`;
}

export function Settings() {
  const chosen = state.preferences;
  return html`<div class="settings">
    <section class="block"><h2>${t("language")}</h2><${Languages} /></section>
    <section class="block">
      <h2>${t("settings.sound")}</h2>
      <${Switch} on=${chosen.sound} set=${(on) => {
        prime();
        prefer({ sound: on });
      }}>${t("settings.speak")}<//>
      ${canSpeak
        ? html`<${Button} disabled=${!chosen.sound} onClick=${() => {
            prime();
            say(t("settings.test"));
          }}>${t("settings.try")}<//>`
        : html`<p class="small">${t("settings.no-voice")}</p>`}
    </section>
    <section class="block">
      <h2>${t("settings.look")}</h2>
      <div class="choices" role="group" aria-label=${t("settings.look")}>
        ${["", "light", "dark"].map((look) => html`<button type="button" key=${look} class="choice" aria-pressed=${String(chosen.look === look)} onClick=${() => prefer({ look: look })}>${t("settings.look." + (look || "auto"))}</button>`)}
      </div>
      <${Switch} on=${chosen.large} set=${(on) => prefer({ large: on })}>${t("settings.large")}<//>
      <${Switch} on=${chosen.still} set=${(on) => prefer({ still: on })}>${t("settings.still")}<//>
      <${Switch} on=${chosen.rude} set=${(on) => prefer({ rude: on })}>${t("settings.rude")}<//>
    </section>
    ${isHost() &&
    html`<section class="block">
      <h2>${t("settings.laptop")}</h2>
      ${(state.table.voice || {}).able
        ? html`<${Switch} on=${state.table.voice.on} set=${(on) => act("set-up", { voice: on, language: chosenLanguage() })}>${t("settings.laptop.speak")}<//>`
        : html`<p class="small">${t("settings.laptop.none")}</p>`}
    </section>`}
    ${isHost() &&
    html`<section class="block">
      <h2>${t("settings.taps")}</h2>
      <div class="choices" role="group" aria-label=${t("settings.taps")}>
        ${["everyone", "own", "host"].map((taps) => html`<button type="button" key=${taps} class="choice" aria-pressed=${String(state.table.set_up.taps === taps)} onClick=${() => act("set-up", { taps: taps })}>${t("taps." + taps)}</button>`)}
      </div>
      <${Switch} on=${state.table.set_up.record_video} set=${(on) => act("set-up", { record_video: on })}>${t("settings.video")}<//>
      <p class="small">${t((state.table.camera || {}).filming === "disk full" ? "settings.video.full" : "settings.video.words")}</p>
    </section>`}
  </div>`;
}

export function About() {
  return html`<div class="about">
    <section class="block">
      <h2>Pilewatch ${state.server}</h2>
      <p>${t("about.words")}</p>
      <p>${t("about.cannot")}</p>
      <h3>${t("about.licence.title")}</h3>
      <p>${t("about.licence")}</p>
      <p>${t("about.source")}</p>
      <p class="small">${t("about.parts")}</p>
      <ul class="small">
        <li><a href="/static/vendor/preact-LICENSE.txt">Preact (MIT)</a></li>
        <li><a href="/static/vendor/htm-LICENSE.txt">htm (Apache-2.0)</a></li>
        <li><a href="/static/fonts/fraunces-OFL.txt">Fraunces (OFL)</a></li>
        <li><a href="/static/fonts/barlow-condensed-OFL.txt">Barlow Condensed (OFL)</a></li>
      </ul>
    </section>
  </div>`;
}

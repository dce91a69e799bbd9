// The first screen: the tap that wakes the voice, who this phone is, and the language.
import { html, useState } from "../../vendor/htm-preact.js";
import { isHost, prefer, state } from "../store.js";
import { act } from "../act.js";
import { prime } from "../speech.js";
import { Button, Mat, Notice, Took, gameTitle } from "../parts.js";
import { Card } from "../cards.js";
import { Sample } from "./sample.js";
import { LANGUAGES, chosenLanguage, isDefaultName, t } from "../words.js";

export const LANGUAGE_NAMES = { en: "English", de: "Deutsch", sv: "Svenska", fr: "Français", nl: "Nederlands" };

export function Languages() {
  return html`<div class="languages" role="group" aria-label=${t("language")}>
    ${LANGUAGES.map(
      (code) => html`<button type="button" key=${code} lang=${code} class="language" aria-pressed=${String(chosenLanguage() === code)} onClick=${() => prefer({ language: code })}>
        ${LANGUAGE_NAMES[code]}
      </button>`,
    )}
  </div>`;
}

export function Welcome() {
  const table = state.table;
  const players = table.view ? table.view.players : table.set_up.players;
  const taken = {};
  table.people.forEach((person) => {
    if (person.seat !== null && person.seat !== undefined && person.id !== state.you.id) taken[person.seat] = true;
  });
  const [seat, setSeat] = useState(state.you.seat);
  const unnamed = isDefaultName(state.you.name || "");
  const [name, setName] = useState(unnamed ? "" : state.you.name || "");
  const start = (sound) => {
    prime();
    window.scrollTo(0, 0);
    prefer({ begun: true });
    if (!sound) prefer({ sound: false });
    else if (!state.preferences.sound) prefer({ sound: true });
    if (name.trim() && name.trim() !== state.you.name) act("name", { name: name.trim() });
    // The host's own name is the first one at an empty table.
    if (isHost() && !table.view && !players.length && name.trim()) {
      act("set-up", { players: [{ name: name.trim().slice(0, 24), x: null, y: null }] }).then((answer) => answer.ok && act("sit", { seat: 0 }));
    }
    if (seat !== state.you.seat && state.you.role !== "viewer") act("sit", { seat: seat });
  };
  return html`<div class="welcome">
    <div class="welcome-top">
      <div class="welcome-mat" aria-hidden="true">
        <${Mat} title=${gameTitle()} name="welcome" />
        <div class="welcome-cards"><${Card} card="7H" size="medium" hidden=${true} /><${Card} card="TS" size="medium" hidden=${true} /></div>
      </div>
      <h1>${gameTitle()}</h1>
      <p class="welcome-line">${t("welcome.line")}</p>
    </div>
    <div class="welcome-form">
      ${state.notice && html`<${Notice} notice=${state.notice} />`}
      <${Took} />
      <${Sample} first=${true} />
      ${players.length > 0 && state.you.role !== "viewer"
        ? html`<fieldset class="seats">
            <legend class="label">${t("welcome.who")}</legend>
            <div class="seat-choices">
              ${players.map(
                (player, index) => html`<button type="button" key=${index} class="seat-choice" aria-pressed=${String(seat === index)} disabled=${Boolean(taken[index])} onClick=${() => setSeat(seat === index ? null : index)}>
                  ${player.name}
                </button>`,
              )}
              <button type="button" class="seat-choice" aria-pressed=${String(seat === null)} onClick=${() => setSeat(null)}>${t("welcome.watch")}</button>
            </div>
          </fieldset>`
        : html`<label><span class="label">${t("welcome.name")}</span>
            <input type="text" maxlength="40" autocomplete="given-name" value=${name} onInput=${(event) => setName(event.target.value)} /></label>`}
      <${Button} kind="main wide huge" onClick=${() => start(true)}>${t("welcome.start")}<//>
      <${Button} kind="bare wide" onClick=${() => start(false)}>${t("welcome.silent")}<//>
      <${Languages} />
      ${isHost() && html`<p class="small">${t("welcome.host")}</p>`}
      <p class="small">${t("app.title")}</p>
    </div>
  </div>`;
}

export function NotJoined() {
  return html`<div class="welcome not-joined">
    <div class="welcome-top"><h1>${t("app.title")}</h1></div>
    <div class="welcome-form">
      <h2>${t("not-joined")}</h2>
      <p>${t("not-joined.words")}</p>
      <${Languages} />
    </div>
  </div>`;
}

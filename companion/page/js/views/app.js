// Which screen is shown, and the frame round it: the state of the table, what is wrong, the way to the other screens.
import { html } from "../../vendor/htm-preact.js";
import { isHost, prefer, state, update } from "../store.js";
import { Notice, Took, gameTitle, go } from "../parts.js";
import { deviceName, t } from "../words.js";
import { told } from "../told.js";
import { playWords } from "../model.js";
import { canSpeak, hush, prime } from "../speech.js";
import { Welcome, NotJoined } from "./welcome.js";
import { SetUp, Waiting } from "./setup.js";
import { Deal, Exchange } from "./deal.js";
import { SeatView } from "./seat.js";
import { TableView } from "./board.js";
import { Tv } from "./tv.js";
import { Plays } from "./plays.js";
import { Over } from "./over.js";
import { Ask } from "./ask.js";
import { Doubt } from "./doubt.js";
import { More, Settings, About } from "./more.js";
import { People } from "./people.js";
import { Records, Statistics } from "./records.js";
import { Replay } from "./replay.js";
import { Camera } from "./camera.js";
import { Lens } from "./lens.js";
import { Sample } from "./sample.js";
import { StateChip } from "./chip.js";

const TABS = ["seat", "table", "plays", "more"];
const TAB_ICONS = {
  seat: "M12 12a4.5 4.5 0 1 0 0-9a4.5 4.5 0 0 0 0 9zm-8.5 9c0-4.5 3.5-7 8.5-7s8.5 2.5 8.5 7z",
  table: "M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18zM12 8a4 4 0 1 1 0 8a4 4 0 0 1 0-8z",
  plays: "M4 5h16v3H4zm0 5.5h16v3H4zM4 16h10v3H4z",
  more: "M3 12a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0-4.4 0zm6.8 0a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0-4.4 0zm6.8 0a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0-4.4 0z",
};

function TopBar(props) {
  const sound = state.preferences.sound;
  return html`<header class="top-bar">
    ${props.back
      ? html`<button type="button" class="icon-button" aria-label=${t("back")} onClick=${() => go(props.back === true ? "" : props.back)}>
          <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M15.5 4L7.5 12l8 8" class="stroke" /></svg>
        </button>`
      : null}
    <span class="brand">${props.title || gameTitle()}</span>
    ${state.table && (state.table.camera || {}).filming === "on" && html`<span class="filming" role="img" aria-label=${t("filming.on")} title=${t("filming.on")}></span>`}
    <${StateChip} />
    <button
      type="button"
      class="icon-button"
      aria-label=${t(sound ? "sound.off" : "sound.on")}
      onClick=${() => {
        prime();
        if (sound) hush();
        prefer({ sound: !sound });
      }}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M3 9h4l6-5v16l-6-5H3z" />
        ${sound ? html`<path class="stroke" d="M16 8.5a5 5 0 0 1 0 7M18.5 5.500a9 9 0 0 1 0 13" />` : html`<path class="stroke" d="M16 9l6 6M22 9l-6 6" />`}
      </svg>
    </button>
  </header>`;
}

function TabBar() {
  const chosen = state.preferences.tab;
  return html`<nav class="tab-bar" aria-label=${t("views")}>
    ${TABS.map(
      (tab) => html`<button type="button" key=${tab} class="tab" aria-current=${chosen === tab ? "page" : null} onClick=${() => {
        prefer({ tab: tab });
        window.scrollTo(0, 0);
      }}>
        <svg viewBox="0 0 24 24" aria-hidden="true"><path d=${TAB_ICONS[tab]} /></svg>${t("tab." + tab)}
      </button>`,
    )}
  </nav>`;
}

function Banners() {
  const table = state.table;
  const record = table && table.record;
  const camera = table && table.camera;
  return html`<div class="banners">
    ${(state.stale || state.contact === "lost") && html`<p class="banner bad">${t("stale.words")}</p>`}
    ${record && record.ok === false && html`<p class="banner bad big">${t("record.fault")} ${told(record.words)}</p>`}
    ${record && (record.unsaved || []).map((what) => html`<p class="banner bad" key=${what}>${t("unsaved." + what)} ${t("unsaved.do")}</p>`)}
    <${Restored} />
    <${Took} />
    ${table && table.state === "camera lost" && html`<p class="banner bad">${t("camera.lost.words")} ${camera ? told(camera.words) : ""}</p>`}
    ${table && table.flags && table.flags.length > 0 && state.preferences.tab !== "plays" &&
    html`<button type="button" class="banner flagged" onClick=${() => prefer({ tab: "plays" })}>${t("flags.open", { count: table.flags.length, by: deviceName(table.flags[0].by) })}</button>`}
    ${!state.primed && canSpeak && state.preferences.begun && state.preferences.sound && html`<button type="button" class="banner wake" onClick=${prime}>${t("sound.wake")}</button>`}
    <${Sample} />
    ${state.unanswered > 0 && html`<p class="banner bad unanswered" role="alert">${t("late.unknown")}</p>`}
    ${state.missed.length > 0 && !state.unanswered && html`<${Missed} />`}
    ${state.notice && html`<${Notice} notice=${state.notice} />`}
  </div>`;
}

// The last game's record was damaged: whoever hosts must know what is missing.
function Restored() {
  const restored = state.table && state.table.record && state.table.record.restored;
  if (!restored || !isHost() || state.preferences.restored === restored.game) return null;
  return html`<section class="banner bad" role="alert">
    <p>${t("restored." + restored.code, restored)}</p>
    <button type="button" class="button" onClick=${() => prefer({ restored: restored.game })}>${t("missed.seen")}</button>
  </section>`;
}

// What happened while the phone slept, in one card to dismiss.
function Missed() {
  const last = state.missed.slice(-4);
  const low = window.matchMedia("(max-height: 700px)").matches;
  return html`<section class="banner missed">
    <details open=${!low}><summary><strong>${t("missed", { count: state.missed.length })}</strong></summary>
      <ul>${last.map((entry) => html`<li key=${entry.seq}>${playWords(entry)}</li>`)}</ul></details>
    <button type="button" class="button" onClick=${() => update({ missed: [] })}>${t("missed.seen")}</button>
  </section>`;
}

const PAGES = {
  settings: Settings,
  about: About,
  people: People,
  records: Records,
  statistics: Statistics,
  camera: Camera,
  lens: Lens,
};

function Page(props) {
  return html`<div class="page plain-page">
    <${TopBar} back=${props.back || true} title=${props.title} />
    <${Banners} />
    <main>${props.children}</main>
  </div>`;
}

function phase() {
  const table = state.table;
  if (!table.view) return table.state === "set-up" ? "set-up" : "deal";
  if (table.view.phase === "set-up") return "deal";
  return table.view.phase;
}

let before = "";

// A new screen begins at its top; the same screen, drawn again, stays where the reader is.
function fromTheTop(screen) {
  if (screen !== before && before) window.scrollTo(0, 0);
  before = screen;
}

export function App() {
  if (state.contact === "not-joined") return html`<${NotJoined} />`;
  if (!state.table) return html`<div class="first-words"><p>${t("app.title")}</p><p class="first-small">${t("connecting")}</p></div>`;
  const route = state.route.split("/");
  if (route[0]) fromTheTop(state.route);
  if (route[0] === "tv") return html`<${Tv} />`;
  if (PAGES[route[0]]) return html`<${Page} key=${route[0]} title=${t("page." + route[0])}><${PAGES[route[0]]} /><//>`;
  if (route[0] === "game" && route[1]) {
    return html`<${Page} key="game" title=${t("page.replay")} back="records"><${Replay} key=${route[1]} game=${decodeURIComponent(route[1])} /><//>`;
  }
  if (route[0] === "set-up" && isHost()) return html`<${Page} key="set-up" title=${t("page.set-up")}><${SetUp} /><//>`;
  // Whoever reloads in mid-game wants the table; the voice wakes with the next tap.
  if (!state.primed && !(state.preferences.begun && state.table.game)) return html`<${Welcome} />`;
  const where = phase();
  fromTheTop(where);
  if (where === "set-up") return html`<div class="page"><${TopBar} /><${Banners} /><main>${isHost() ? html`<${SetUp} />` : html`<${Waiting} />`}</main></div>`;
  const tab = state.preferences.tab;
  return html`<div class=${"page with-tabs in-" + where}>
    <${TopBar} />
    <${Banners} />
    ${state.table.question && html`<${Ask} key=${state.table.question.id} question=${state.table.question} />`}
    <main>
      ${tab === "plays"
        ? html`<${Plays} />`
        : tab === "more"
          ? html`<${More} />`
          : where === "deal"
            ? html`<${Deal} />`
            : where === "exchange"
              ? html`<${Exchange} />`
              : where === "over"
                ? html`<${Over} />`
                : tab === "table"
                  ? html`<${TableView} />`
                  : html`<${SeatView} />`}
    </main>
    <${TabBar} />
    <${Doubt} />
  </div>`;
}

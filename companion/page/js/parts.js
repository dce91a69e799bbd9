// Small pieces that several screens share.
import { html, useLayoutEffect, useRef } from "../vendor/htm-preact.js";
import { state, update } from "./store.js";
import { Card } from "./cards.js";
import { t } from "./words.js";

/** A round beer mat with a scalloped rim and the game's title printed round it; what lies on it is drawn above. */
export function Mat(props) {
  const word = props.title + " · ";
  let round = "";
  while (round.length < 66) round += word;
  return html`<svg class="mat" viewBox="0 0 200 200" aria-hidden="true" focusable="false">
    <circle class="mat-rim" cx="100" cy="100" r="95" />
    <circle class="mat-board" cx="100" cy="100" r="92" />
    <circle class="mat-ring" cx="100" cy="100" r="86" />
    <circle class="mat-ring thin" cx="100" cy="100" r="69" />
    <path id=${"mat-path-" + (props.name || "a")} d="M100 100m-74.5 0a74.5 74.5 0 1 1 149 0a74.5 74.5 0 1 1 -149 0" fill="none" />
    <text class="mat-text"><textPath href=${"#mat-path-" + (props.name || "a")} textLength="462" lengthAdjust="spacing">${round}</textPath></text>
  </svg>`;
}

export function Button(props) {
  return html`<button
    type="button"
    class=${"button " + (props.kind || "")}
    disabled=${props.disabled}
    aria-pressed=${props.pressed === undefined ? null : String(props.pressed)}
    onClick=${props.onClick}
  >
    ${props.children}
  </button>`;
}

export function Switch(props) {
  return html`<button type="button" class="switch" role="switch" aria-checked=${String(Boolean(props.on))} disabled=${props.disabled} onClick=${() => props.set(!props.on)}>
    <span>${props.children}</span><span class="switch-track"></span>
  </button>`;
}

/** A sheet that rises from the bottom edge; Escape, the cross and the veil close it. */
export function Sheet(props) {
  const box = useRef(null);
  useLayoutEffect(() => { // before it is painted: a key may come at once
    const before = document.activeElement;
    if (box.current) box.current.focus();
    const key = (event) => {
      const open = document.querySelectorAll(".sheet");
      if (event.key === "Escape" && props.close && open[open.length - 1] === box.current) props.close();
    };
    document.addEventListener("keydown", key);
    return () => {
      document.removeEventListener("keydown", key);
      if (before && before.focus) before.focus({ preventScroll: true });
    };
  }, []);
  return html`<div class="veil" onClick=${(event) => event.target === event.currentTarget && props.close && props.close()}>
    <section class=${"sheet " + (props.kind || "")} role="dialog" aria-modal="true" aria-label=${props.title} tabindex="-1" ref=${box}>
      <header class="sheet-head">
        <h2>${props.title}</h2>
        ${props.close && html`<button type="button" class="cross" aria-label=${t("close")} onClick=${props.close}>✕</button>`}
      </header>
      ${props.children}
    </section>
  </div>`;
}

/** A row of cards that overlap. */
export function Fan(props) {
  return html`<span class=${"fan " + (props.size || "small")}>
    ${props.cards.map((card, index) => html`<${Card} key=${index} card=${card} size=${props.size || "small"} />`)}
  </span>`;
}

/** Tells this person something for a while. action: {label, run}, one thing that can be done about it meanwhile. */
export function tell(words, kind, action) {
  update({ notice: { words: words, kind: kind || "plain", at: Date.now(), action: action || null } });
  window.clearTimeout(tell.timer);
  tell.timer = window.setTimeout(() => update({ notice: null }), kind === "fault" || action ? 7000 : 4500);
}

/** The short answer to what this person did last; a tap sends it away. */
export function Notice(props) {
  const notice = props.notice;
  const away = () => update({ notice: null });
  const run = () => {
    away();
    notice.action.run();
  };
  return html`<div class=${"toast " + notice.kind} role=${notice.kind === "fault" ? "alert" : "status"} onClick=${away}>
    <span>${notice.words}</span>
    ${notice.action && html`<button type="button" class="button" onClick=${run}>${notice.action.label}</button>`}
  </div>`;
}

/** This device has taken the host's role from another: whoever holds it should know. */
export function Took() {
  if (!state.took) return null;
  return html`<section class="banner took" role="alert">
    <p>${t("people.took")}</p>
    <button type="button" class="button" onClick=${() => update({ took: false })}>${t("missed.seen")}</button>
  </section>`;
}

/** The title that the table chose; the rude one only where somebody asked for it on this phone or in the set-up. */
export function gameTitle() {
  if (state.preferences.rude) return t("title.rude");
  const chosen = state.table && state.table.set_up.title;
  return chosen || t("title");
}

export function go(route) {
  window.location.hash = route ? "#" + route : "#";
}

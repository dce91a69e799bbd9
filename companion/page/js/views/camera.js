// What the camera sees, with what was read drawn in: to check light and place, and to find out why something was misread.
import { html, useEffect, useRef, useState } from "../../vendor/htm-preact.js";
import { get } from "../connection.js";
import { isHost, mayPlay, state } from "../store.js";
import { act, faultWords } from "../act.js";
import { Button, Switch, go } from "../parts.js";
import { cardName, cardShort, chosenLanguage, t } from "../words.js";
import { told } from "../told.js";
import { canBeCamera } from "./lens.js";

/** Asks for the next picture when the last one has arrived, so that a slow phone never queues them. */
function Picture(props) {
  const [source, setSource] = useState("");
  const [fault, setFault] = useState("");
  const alive = useRef(true);
  const language = chosenLanguage();
  useEffect(() => {
    if (!props.there) {
      setSource("");
      setFault(t("camera.none"));
      return undefined;
    }
    alive.current = true;
    let old = "";
    let timer = null;
    const next = () => {
      fetch("/api/camera.jpg?overlay=" + (props.overlay ? "1" : "0") + "&language=" + language, { credentials: "same-origin" })
        .then((response) => (response.ok ? response.blob() : Promise.reject(new Error("no picture"))))
        .then((blob) => {
          if (!alive.current) return;
          const fresh = URL.createObjectURL(blob);
          setSource(fresh);
          setFault("");
          if (old) URL.revokeObjectURL(old);
          old = fresh;
          timer = window.setTimeout(next, 150);
        })
        .catch(() => {
          if (!alive.current) return;
          setFault(t("camera.none"));
          timer = window.setTimeout(next, 2000);
        });
    };
    next();
    return () => {
      alive.current = false;
      window.clearTimeout(timer);
      if (old) URL.revokeObjectURL(old);
    };
  }, [props.overlay, props.there, language]);
  return html`<figure class="camera-picture">
    ${source ? html`<img src=${source} alt=${t("camera.alt")} />` : html`<div class="camera-empty">${fault || t("loading")}</div>`}
    ${source && fault && html`<figcaption class="fault">${fault}</figcaption>`}
  </figure>`;
}

function SeenCard(props) {
  const doubt = /\?$/.test(props.card);
  const card = props.card.replace(/\?$/, "");
  return html`<li class=${doubt ? "doubt" : ""} data-card=${props.card}><span class="for-ears">${cardName(card)}${doubt ? "?" : ""}</span><span aria-hidden="true">${cardShort(card)}${doubt ? "?" : ""}</span></li>`;
}

/** The cards that were read in the newest picture, as text; and that nothing is refereed where no game goes on. */
export function Seen() {
  const seen = (state.table.camera || {}).seen;
  if (!seen) return null;
  return html`<div class="seen">
    <h2>${t("camera.seen")}</h2>
    ${seen.cards.length
      ? html`<ul class="seen-cards">${seen.cards.map((card, index) => html`<${SeenCard} key=${index} card=${card} />`)}</ul>`
      : html`<p>${t("camera.seen.none")}</p>`}
    ${seen.cards.some((card) => /\?$/.test(card)) && html`<p class="small">${t("camera.seen.doubt")}</p>`}
    ${seen.photo && html`<p class="small seen-photo">${seen.photo}</p>`}
    ${!state.table.game && html`<p>${t("camera.no-game")}</p>`}
  </div>`;
}

/** Whether the picture is good enough to read from, and what to move: what is wrong comes first. */
export function Findings(props) {
  const findings = (state.table.camera || {}).findings || [];
  const shown = findings.filter((one) => !one.good).concat(props.brief ? [] : findings.filter((one) => one.good));
  if (!findings.length) return null;
  if (!shown.length) return html`<p class="finding good">${t("camera.good")}</p>`;
  return html`<ul class="findings">${shown.map((one) => html`<li key=${one.code} class=${"finding" + (one.good ? " good" : "")}><span class="for-ears">${t(one.good ? "finding.good" : "finding.bad")} </span>${told(one.words)}</li>`)}</ul>`;
}

/** A small picture of a camera; opening one takes a moment. */
function Thumbnail(props) {
  const [there, setThere] = useState("");
  return html`<span class="thumbnail">
    ${there !== "broken" && html`<img src=${props.source} alt="" onLoad=${() => setThere("yes")} onError=${() => setThere("broken")} />`}
    ${there !== "yes" && html`<small>${t(there ? "camera.none" : "loading")}</small>`}
  </span>`;
}

/** The picture and the cards, small, for screens on which nothing else happens yet. */
export function Glimpse() {
  const camera = state.table.camera || {};
  if (camera.mode === "off" || camera.mode === "sample" || !camera.picture) return null;
  return html`<div class="glimpse"><${Picture} overlay=${true} there=${true} /><${Seen} /></div>`;
}

export function Camera() {
  const camera = state.table.camera || { mode: "off", state: "off" };
  const [overlay, setOverlay] = useState(true);
  const [cameras, setCameras] = useState(null);
  const [fault, setFault] = useState("");
  const search = () => get("/api/cameras").then(setCameras, (error) => setFault(faultWords(error)));
  const choose = (source) => act("camera", { source: source }).then((answer) => answer.ok && cameras && search());
  return html`<div class="camera">
    <${Picture} overlay=${overlay} there=${camera.picture} />
    <section class="block">
      <h2>${t("camera.state." + camera.state)}</h2>
      ${camera.source && html`<p class="small">${camera.source}</p>`}
      ${camera.words && (state.table.game || camera.state === "lost") && html`<p>${told(camera.words)}</p>`}
      ${camera.mode !== "off" && html`<${Switch} on=${overlay} set=${setOverlay}>${t("camera.overlay")}<//>`}
      ${camera.mode !== "off" && isHost() && html`<${Switch} on=${state.table.by_hand} set=${(on) => act("by-hand", { on: on })}>${t("more.by-hand")}<//>`}
    </section>
    ${camera.seen && html`<section class="block"><${Seen} /></section>`}
    <section class="block"><h2>${t("camera.check")}</h2><${Findings} />
      <ul class="plain-words">${["above", "light", "whole", "back"].map((key) => html`<li key=${key}>${t("camera.tip." + key)}</li>`)}</ul></section>
    ${!isHost() && mayPlay() && camera.mode === "phone" && canBeCamera() && html`<${Button} kind="wide" onClick=${() => go("lens")}>${t("lens.use")}<//>`}
    ${isHost() &&
    html`<section class="block">
      <h2>${t("camera.choose")}</h2>
      ${fault && html`<p class="fault">${fault}</p>`}
      ${cameras && cameras.length === 0 && html`<p>${t("camera.no-cameras")}</p>`}
      <ul class="cameras">
        ${(cameras || []).map((one) => html`<li key=${one.source}><button type="button" class="camera-choice" aria-pressed=${String(Boolean(one.watched))} onClick=${() => choose(one.source)}>
          <${Thumbnail} source=${one.picture} /><b>${one.name}</b></button></li>`)}
      </ul>
      <div class="choices"><${Button} onClick=${search}>${t("camera.search")}<//>
      ${canBeCamera() && html`<${Button} onClick=${() => act("camera", { source: "phone" }).then((answer) => answer.ok && go("lens"))}>${t("lens.use")}<//>`}</div>
      ${camera.mode !== "off" && html`<${Button} kind="bare" onClick=${() => choose(null)}>${t("camera.off")}<//>`}
    </section>`}
  </div>`;
}

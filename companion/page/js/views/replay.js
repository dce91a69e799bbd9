// A recorded game, position by position, with a slider.
import { html, useEffect, useRef, useState } from "../../vendor/htm-preact.js";
import { get } from "../connection.js";
import { faultWords } from "../act.js";
import { eventWords, legalPhrase, seatNumber } from "../model.js";
import { fill, sentences, t } from "../words.js";
import { Button } from "../parts.js";
import { PlayerRow } from "./board.js";
import { Pile, PileList } from "./pile.js";
import { when } from "./records.js";

const STEP_MS = 1400;

// The films of the game, where somebody had them recorded: the one that was running then, a moment before it.
function Films(props) {
  const film = useRef(null);
  const begun = props.videos.filter((one) => !props.at || one.began <= props.at);
  const chosen = begun.length ? begun[begun.length - 1] : props.videos[0];
  useEffect(() => {
    const seek = () => {
      if (film.current && props.at) film.current.currentTime = Math.max(0, props.at - chosen.began - 4);
    };
    if (film.current && film.current.readyState > 0 && film.current.paused) seek();
  }, [props.at, chosen.url]);
  return html`<section class="films">
    <video ref=${film} key=${chosen.url} src=${chosen.url} controls playsinline preload="metadata" aria-label=${t("replay.film")}></video>
    <p>${props.videos.map((one, index) => html`<a key=${one.url} class="button" href=${one.url} download=${"pilewatch-" + one.began + ".webm"}>${t("replay.film.download", { count: index + 1, what: Math.max(1, Math.round(one.bytes / 1e6)) })}</a> `)}</p>
  </section>`;
}

export function Replay(props) {
  const [positions, setPositions] = useState(null);
  const [at, setAt] = useState(0);
  const [running, setRunning] = useState(false);
  const [fault, setFault] = useState("");
  const [videos, setVideos] = useState([]);
  useEffect(() => {
    get("/api/games/" + encodeURIComponent(props.game) + "/positions").then(setPositions, (error) => setFault(faultWords(error)));
    get("/api/games/" + encodeURIComponent(props.game)).then((game) => setVideos(game.videos || []), () => {});
  }, [props.game]);
  useEffect(() => {
    if (!running || !positions) return undefined;
    if (at >= positions.length - 1) {
      setRunning(false);
      return undefined;
    }
    const timer = window.setTimeout(() => setAt(at + 1), STEP_MS);
    return () => window.clearTimeout(timer);
  }, [running, at, positions]);
  if (fault) return html`<p class="fault">${fault}</p>`;
  if (!positions) return html`<p class="empty">${t("loading")}</p>`;
  if (!positions.length) return html`<p class="empty">${t("plays.none")}</p>`;
  const now = positions[Math.min(at, positions.length - 1)];
  const view = now.view;
  const turn = view ? seatNumber(view, view.turn) : null;
  const phrase = view && view.phase === "play" ? legalPhrase(view) : null;
  // Names in a record are its own, not this evening's: seats are named through the view.
  const name = (seat) => (typeof seat === "number" && view ? view.players[seat].name : seat);
  const event = Object.assign({}, now.event, now.event.seat !== undefined ? { seat: name(now.event.seat) } : {});
  return html`<div class="replay">
    <div class="replay-bar">
      <input type="range" min="0" max=${positions.length - 1} value=${at} aria-label=${t("replay.place")} aria-valuetext=${eventWords(event)} onInput=${(e) => setAt(Number(e.target.value))} />
      <div class="actions">
        <${Button} disabled=${at === 0} onClick=${() => setAt(at - 1)}>${t("replay.back")}<//>
        <${Button} kind="main" onClick=${() => (at >= positions.length - 1 ? (setAt(0), setRunning(true)) : setRunning(!running))}>${t(running ? "replay.pause" : "replay.run")}<//>
        <${Button} disabled=${at >= positions.length - 1} onClick=${() => setAt(at + 1)}>${t("replay.on")}<//>
      </div>
      <p class="small">${fill("{a} / {b}", { a: at + 1, b: positions.length })}${now.at ? ", " + when(now.at) : ""}</p>
    </div>
    <p class="replay-words" aria-live="polite"><b>${eventWords(event)}</b></p>
    <p>${sentences(now.messages)}</p>
    ${videos.length > 0 && html`<${Films} videos=${videos} at=${now.at} />`}
    ${now.picture && html`<img class="ask-picture" src=${now.picture} alt=${t("ask.picture")} />`}
    ${view && view.phase !== "set-up" && html`<${Pile} view=${view} name="replay" />`}
    ${turn !== null && phrase && html`<p class="label">${t("replay.turn", { player: view.players[turn].name, what: phrase.headline + (phrase.also ? ", " + phrase.also : "") })}</p>`}
    ${view && html`<ol class="rows">${view.players.map((player, seat) => html`<${PlayerRow} key=${seat} view=${view} seat=${seat} still=${true} />`)}</ol>`}
    ${view && view.phase !== "set-up" && html`<${PileList} view=${view} />`}
  </div>`;
}

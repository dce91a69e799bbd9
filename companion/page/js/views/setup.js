// Setting up in under a minute: who sits where, which rules, what the loser owes, a look at the camera, deal.
import { html, useEffect, useState } from "../../vendor/htm-preact.js";
import { get, postJson } from "../connection.js";
import { state, update } from "../store.js";
import { act, faultWords } from "../act.js";
import { Button, go } from "../parts.js";
import { FORFEITS, chosenLanguage, english, forfeitKey, t } from "../words.js";
import { told } from "../told.js";
import { Rules, faultText } from "./rules.js";
import { Findings, Glimpse } from "./camera.js";
import { Sketch, clockwise } from "./sketch.js";

// What was typed and not yet kept, here rather than in a field: it outlives every tap, another screen too.
let drafts = {}; // by the player's place
let typed = ""; // the name of one to add
let sent = null; // the list on its way to the server: what is changed next builds on it

function setUp(fields) {
  return act("set-up", fields);
}

/** The players as they will be once the server has answered. */
function current() {
  if (sent && (sent.boot !== state.boot || (sent.v !== null && state.v >= sent.v))) sent = null;
  return sent ? sent.players : state.table.set_up.players;
}

/** The same with the names that stand in the fields. A browser need not leave a field when a button is tapped. */
function withDrafts() {
  const players = current().map((player, at) => Object.assign({}, player, (drafts[at] || "").trim() ? { name: drafts[at].trim() } : {}));
  drafts = {};
  return players;
}

function save(players) {
  const mine = { players: players, boot: state.boot, v: null };
  sent = mine;
  update({});
  return setUp({ players: players }).then((answer) => {
    if (answer.ok && answer.v !== undefined) mine.v = answer.v;
    else if (sent === mine) sent = null;
    update({});
    return answer;
  });
}

function freshName(players) {
  let number = players.length + 1;
  const taken = (name) => players.some((player) => player.name === name);
  while (taken(t("set-up.player", { count: number }))) number += 1;
  return t("set-up.player", { count: number });
}

function addTyped() {
  const players = withDrafts();
  const name = typed.trim();
  typed = "";
  // A new player joins between the last and the first; places that were not dragged spread anew.
  return save(players.concat([{ name: name || freshName(players), x: null, y: null }])).then((answer) => {
    if (!answer.ok && !typed) typed = name;
    update({});
    return answer;
  });
}

/** Keeps whatever is typed; resolves with an answer. */
function saveTyped() {
  if (typed.trim()) return addTyped();
  return Object.keys(drafts).length || sent ? save(withDrafts()) : Promise.resolve({ ok: true });
}

function NameField(props) {
  const at = props.at;
  const change = (event) => {
    drafts[at] = event.target.value;
    update({});
  };
  return html`<input type="text" dir="auto" maxlength="24" aria-label=${t("set-up.name", { count: at + 1 })} value=${drafts[at] === undefined ? props.name : drafts[at]} onInput=${change} onChange=${() => {
    const name = (drafts[at] || "").trim();
    if (name && name !== props.name) save(withDrafts());
    else {
      delete drafts[at]; // an emptied field shows the name that is kept
      update({});
    }
  }} />`;
}

function Players() {
  const players = current();
  const dealer = state.table.set_up.dealer === undefined ? null : state.table.set_up.dealer;
  const add = (event) => {
    event.preventDefault();
    addTyped();
  };
  const swap = (index, by) => {
    const list = withDrafts();
    const other = index + by;
    const one = list[index];
    const two = list[other];
    list[index] = Object.assign({}, two, { x: one.x, y: one.y });
    list[other] = Object.assign({}, one, { x: two.x, y: two.y });
    save(list);
  };
  const move = (index, x, y) => {
    const all = withDrafts();
    // Once somebody is dragged, everybody's place counts.
    spreadAll(all);
    all[index].x = x;
    all[index].y = y;
    save(clockwise(all));
  };
  return html`<section class="block">
    <h2>${t("set-up.who")}</h2>
    <p class="small">${t("set-up.who.words")}</p>
    ${players.length > 1 && html`<${Sketch} move=${move} players=${players} />`}
    <ol class="names">
      ${players.map(
        (player, index) => html`<li key=${index}>
          <${NameField} at=${index} name=${player.name} />
          <button type="button" class="icon-button" aria-label=${t("set-up.up", { name: player.name })} disabled=${index === 0} onClick=${() => swap(index, -1)}><svg viewBox="0 0 24 24" aria-hidden="true"><path class="stroke" d="M5 15l7-7l7 7" /></svg></button>
          <button type="button" class="icon-button" aria-label=${t("set-up.down", { name: player.name })} disabled=${index === players.length - 1} onClick=${() => swap(index, 1)}><svg viewBox="0 0 24 24" aria-hidden="true"><path class="stroke" d="M5 9l7 7l7-7" /></svg></button>
          <button type="button" class="icon-button" aria-label=${t("set-up.remove", { name: player.name })} onClick=${() => save(withDrafts().filter((one, at) => at !== index))}><svg viewBox="0 0 24 24" aria-hidden="true"><path class="stroke" d="M6 6l12 12M18 6L6 18" /></svg></button>
        </li>`,
      )}
    </ol>
    <form class="add" onSubmit=${add}>
      <input type="text" maxlength="24" aria-label=${t("set-up.new-name")} placeholder=${t("set-up.new-name")} value=${typed} onInput=${(event) => {
        typed = event.target.value;
        update({});
      }} />
      <button type="submit" class="button">${t("set-up.add")}</button>
    </form>
    ${players.length > 0 &&
    html`<p class="label field">${t("welcome.who")}</p>
      <div class="choices" role="group" aria-label=${t("welcome.who")}>
        ${players.map((player, index) => html`<button type="button" key=${index} class="choice" aria-pressed=${String(state.you.seat === index)} onClick=${() => act("sit", { seat: state.you.seat === index ? null : index })}>${player.name}</button>`)}
      </div>`}
    ${players.length > 1 &&
    html`<label class="field"><span class="label">${t("set-up.dealer")}</span>
      <select value=${dealer === null ? "" : String(dealer)} onChange=${(event) => setUp({ dealer: event.target.value === "" ? null : Number(event.target.value) })}>
        <option value="">${t("set-up.dealer.any")}</option>
        ${players.map((player, index) => html`<option key=${index} value=${String(index)} selected=${dealer === index}>${player.name}</option>`)}
      </select></label>`}
  </section>`;
}

function spreadAll(players) {
  players.forEach((player, index) => {
    if (player.x !== null && player.x !== undefined) return;
    const angle = Math.PI / 2 + (index * 2 * Math.PI) / players.length;
    player.x = Math.round(1000 * (0.5 + 0.4 * Math.cos(angle))) / 1000;
    player.y = Math.round(1000 * (0.5 + 0.4 * Math.sin(angle))) / 1000;
  });
}

function Forfeit() {
  const chosen = state.table.set_up.forfeit || "";
  const offered = forfeitKey(chosen);
  return html`<section class="block">
    <h2>${t("set-up.forfeit")}</h2>
    <div class="choices" role="group" aria-label=${t("set-up.forfeit")}>
      ${FORFEITS.map((key) => {
        // Kept in English, so that every phone says it in its own language.
        const kept = offered === key ? "" : english()["forfeit." + key];
        return html`<button type="button" key=${key} class="choice" aria-pressed=${String(offered === key)} onClick=${() => setUp({ forfeit: kept })}>${t("forfeit." + key)}</button>`;
      })}
    </div>
    <input type="text" maxlength="80" aria-label=${t("set-up.forfeit.own")} placeholder=${t("set-up.forfeit.own")} value=${offered ? "" : chosen} onChange=${(event) => setUp({ forfeit: event.target.value.trim() })} />
  </section>`;
}

function CameraCheck() {
  const camera = state.table.camera || { mode: "off" };
  return html`<section class="block">
    <h2>${t("set-up.camera")}</h2>
    <p>${camera.mode === "off" ? t("set-up.camera.off") : (camera.state === "lost" && told(camera.words)) || t("camera.state." + camera.state)}</p>
    <${Glimpse} />
    <${Findings} brief=${true} />
    <${Button} onClick=${() => go("camera")}>${t("set-up.camera.look")}<//>
  </section>`;
}

export function SetUp() {
  const table = state.table;
  const chosen = table.set_up;
  const [catalogue, setCatalogue] = useState(null);
  const [check, setCheck] = useState(null);
  const [fault, setFault] = useState("");
  const language = chosenLanguage();
  useEffect(() => {
    get("/api/rules?language=" + language).then(setCatalogue, (error) => setFault(faultWords(error)));
  }, [language]);
  const names = chosen.players.map((player) => player.name);
  useEffect(() => {
    if (names.length < 2) return setCheck(null);
    postJson("/api/rules/check", { rules: chosen.rules, options: chosen.options, players: names.length }).then(setCheck, () => setCheck(null));
    return undefined;
  }, [chosen.rules, JSON.stringify(chosen.options), names.join("\n")]);
  const faults = (chosen.faults && chosen.faults.length ? chosen.faults : (check && check.faults) || []).filter((one) => names.length > 1 || one.code !== "players");
  const ready = names.length > 1 && !faults.length;
  const start = () =>
    saveTyped()
      .then((kept) => (kept.ok ? act("new-game", {}) : kept))
      .then((answer) => answer.ok && go(""));
  return html`<div class="set-up">
    <${Players} />
    <section class="block">
      <h2>${t("set-up.rules")}</h2>
      ${fault && html`<p class="fault">${fault}</p>`}
      ${catalogue && html`<${Rules} catalogue=${catalogue} chosen=${chosen} change=${setUp} words=${check && check.ok ? check.words : []} />`}
    </section>
    <${Forfeit} />
    <${CameraCheck} />
    <div class="go">
      ${faults.map((one, index) => html`<p class="fault" role="alert" key=${index}>${faultText(one)}</p>`)}
      ${names.length < 2 && html`<p class="small">${t("set-up.two")}</p>`}
      <${Button} kind="main wide huge" disabled=${!ready} onClick=${start}>${t("set-up.deal")}<//>
    </div>
  </div>`;
}

/** What everybody but the host sees until the deal. */
export function Waiting() {
  const players = state.table.set_up.players;
  const mine = state.you.seat;
  return html`<div class="waiting">
    <h1>${t("waiting.title")}</h1>
    <p>${t("waiting.words")}</p>
    <${Glimpse} />
    ${players.length > 1 && html`<${Sketch} />`}
    ${state.you.role !== "viewer" && players.length > 0 &&
    html`<div class="seat-choices" role="group" aria-label=${t("welcome.who")}>
      ${players.map((player, index) => html`<button type="button" key=${index} class="seat-choice" aria-pressed=${String(mine === index)} onClick=${() => act("sit", { seat: mine === index ? null : index })}>${player.name}</button>`)}
    </div>`}
  </div>`;
}

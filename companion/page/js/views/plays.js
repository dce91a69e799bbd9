// What was played, newest first. Every play can be opened: corrected, removed, preceded by a missed one, gone back to, flagged.
import { html, useState } from "../../vendor/htm-preact.js";
import { mayDecide, mayPlay, state } from "../store.js";
import { act } from "../act.js";
import { cardsOf, eventWords, playWords, playsInOrder } from "../model.js";
import { deviceName, sentences, t } from "../words.js";
import { Fan, Sheet, tell } from "../parts.js";
import { EventForm } from "./eventform.js";

// These are no play that was taken for another one: they can be removed, not corrected into one.
const FIXED = { deal: true, exchange: true, start: true, stock: true, downcards: true, stand: true, call: true };

const MOST_UNASKED = 1; // plays that are taken back without a question

const counts = (entry) => !entry.state || entry.state === "valid" || entry.state === "corrected";

function Entry(props) {
  const entry = props.entry;
  const now = entry.now || entry.event;
  const cards = cardsOf(now);
  // An answer that says what was read anyway changes nothing that a reader would see.
  const changed = entry.now && eventWords(now) !== playWords(entry);
  const watched = (state.table.camera || {}).mode !== "off"; // where all is by hand, nobody need say so
  const gone = entry.state === "removed" || entry.state === "undone";
  const notes = entry.now ? "" : sentences(entry.messages);
  // "Ann draws two cards" says all of it.
  const drew = now.event === "drawn" && notes && entry.messages.length === 1;
  return html`<li class=${"entry" + (gone ? " gone" : "") + (entry.verdict === "illegal" ? " illegal" : "")}>
    <button type="button" onClick=${props.open} disabled=${!mayPlay()}>
      <span class="entry-cards">${cards.length > 0 ? html`<${Fan} cards=${cards} />` : html`<i class=${"entry-icon icon-" + now.event}></i>`}</span>
      <span class="entry-words">
        <b>${drew ? notes.replace(/\.$/, "") : entryWords(entry)}</b>
        ${changed && html`<small><s>${playWords(entry)}</s></small>`}
        ${notes && !drew && html`<small>${notes}</small>`}
        ${entry.state && entry.state !== "valid" && (entry.state !== "corrected" || changed) && html`<small class="mark">${t("entry." + entry.state)}</small>`}
        ${entry.added && html`<small class="mark">${t("play.insert")}</small>`}
        ${!gone && entry.doubtful && html`<small class="mark doubt">${t("entry.doubtful")}</small>`}
        ${entry.source === "person" && watched && html`<small class="mark">${t("entry.person")}</small>`}
      </span>
    </button>
  </li>`;
}

// As they stand in the list, whenever they were told.
const standAfter = (valid, seq) => valid.slice(valid.map((one) => one.seq).indexOf(seq) + 1);

const offered = (offer) => eventWords(offer.event, offer.seat);

const putBack = (offer) => act("undo", { to: offer.to }, t("plays.redone"));

/** Sends what takes plays back, and says what it took, with the way to put it back. */
function takeBack(name, fields, words) {
  const run = () => (state.table.redo ? putBack(state.table.redo) : tell(t("fault.stale"), "fault"));
  return act(name, fields, () => tell(words, "plain", { label: t("plays.redo"), run: run }));
}

const tookWords = (plays) => (plays.length === 1 ? t("plays.undone", { what: entryWords(plays[0]) }) : t("plays.undone.more", { count: plays.length }));

const entryWords = (entry) => eventWords(entry.now || entry.event, entry.now ? null : entry.seat);

/** The question before much is lost at one tap. */
function Sure(props) {
  return html`<${Sheet} kind="doubt" title=${t("plays.sure")} close=${props.close}>
    <p>${props.words}</p>
    <div class="stack">
      <button type="button" class="button main wide" onClick=${props.close}>${t("back")}</button>
      <button type="button" class="button danger wide" onClick=${props.go}>${t("plays.sure.go")}</button>
    </div>
  <//>`;
}

function Open(props) {
  const entry = props.entry;
  const [step, setStep] = useState("");
  const seq = entry.seq;
  const close = props.close;
  const run = (name, fields) => act(name, fields, t("done")).then((answer) => answer.ok && close());
  const decide = mayDecide();
  const valid = counts(entry);
  const now = entry.now || entry.event;
  if (step === "correct") {
    return html`<${Sheet} title=${t("plays.correct")} close=${() => setStep("")}>
      <${EventForm} event=${now} send=${(event) => run("correct", { seq: seq, with: event })} />
    <//>`;
  }
  if (step === "insert") {
    return html`<${Sheet} title=${t("plays.insert")} close=${() => setStep("")}>
      <p class="small">${t("plays.insert.words", { what: playWords(entry) })}</p>
      <${EventForm} send=${(event) => run("insert", { before: seq, with: event })} />
    <//>`;
  }
  if (step === "flag") {
    return html`<${Sheet} title=${t("plays.flag")} close=${() => setStep("")}><${FlagForm} seq=${seq} close=${close} /><//>`;
  }
  const after = standAfter(props.valid, seq);
  const later = after.length;
  const deal = now.event === "deal";
  const ask = later > MOST_UNASKED || (deal && later > 0);
  const closes = (answer) => answer.ok && close();
  const goBack = () => takeBack("back", { to: seq }, tookWords(after)).then(closes);
  const remove = () => takeBack("correct", { seq: seq, with: null }, tookWords([entry])).then(closes);
  if (step === "back") return html`<${Sure} words=${t("plays.sure.back", { count: later })} go=${goBack} close=${() => setStep("")} />`;
  if (step === "remove") return html`<${Sure} words=${t("plays.sure.deal", { count: later })} go=${remove} close=${() => setStep("")} />`;
  return html`<${Sheet} title=${entryWords(entry)} close=${close}>
    ${entry.picture && html`<img class="ask-picture" src=${entry.picture} alt=${t("ask.picture")} />`}
    <p>${sentences(entry.messages)}</p>
    <div class="stack">
      ${decide && valid && !FIXED[now.event] && html`<button type="button" class="button main wide" onClick=${() => setStep("correct")}>${t("plays.correct")}</button>`}
      ${decide && valid && html`<button type="button" class="button wide" onClick=${() => setStep("insert")}>${t("plays.insert")}</button>`}
      ${decide && valid && html`<button type="button" class="button wide" onClick=${() => (ask ? setStep("back") : goBack())}>${t("plays.back-to")}</button>`}
      ${decide && valid && html`<button type="button" class="button danger wide" onClick=${() => (deal && ask ? setStep("remove") : remove())}>${t("plays.remove")}</button>`}
      <button type="button" class="button wide" onClick=${() => setStep("flag")}>${t("plays.flag")}</button>
    </div>
  <//>`;
}

function FlagForm(props) {
  const [words, setWords] = useState("");
  return html`<div class="stack">
    <p>${t("flag.words")}</p>
    <input type="text" maxlength="200" aria-label=${t("flag.note")} placeholder=${t("flag.note")} value=${words} onInput=${(event) => setWords(event.target.value)} />
    <button type="button" class="button main wide" onClick=${() => act("flag", { seq: props.seq, words: words }, t("flag.sent")).then((answer) => answer.ok && props.close())}>${t("flag.send")}</button>
  </div>`;
}

export function Plays() {
  const table = state.table;
  const [open, setOpen] = useState(null);
  const [adding, setAdding] = useState(false);
  const entries = playsInOrder(table.log);
  const valid = entries.filter(counts);
  const opened = open === null ? null : entries.filter((entry) => entry.seq === open)[0];
  const decide = mayDecide();
  const flags = table.flags || [];
  // Which play it is about, where it still counts.
  const about = (flag) => {
    const entry = valid.filter((one) => one.seq === flag.seq)[0];
    return entry ? html`<small class="flag-about">${entryWords(entry)}</small>` : "";
  };
  // Those that are listed here, not what somebody flags meanwhile.
  const settleAll = () => window.confirm(t("flags.settle.sure", { count: flags.length })) && act("unflag", { flags: flags.map((one) => one.id) }, t("done"));
  return html`<div class="plays">
    ${decide && flags.length > 1 && html`<button type="button" class="button wide" onClick=${settleAll}>${t("flags.settle", { count: flags.length })}</button>`}
    ${flags.map(
      (one) => html`<p class="banner flagged" key=${one.id}>
        <span>${t("flag.by", { by: deviceName(one.by), what: one.words || "" })}${about(one)}</span>
        ${decide && html`<button type="button" class="button" onClick=${() => act("unflag", { flag: one.id })}>${t("flag.settle")}</button>`}
      </p>`,
    )}
    <div class="actions">
      ${decide && table.undo && html`<button type="button" class="button" onClick=${() => takeBack("back", { to: table.undo.to }, t("plays.undone", { what: offered(table.undo) }))}>${t("plays.undo", { what: offered(table.undo) })}</button>`}
      ${decide && table.redo && html`<button type="button" class="button" onClick=${() => putBack(table.redo)}>${table.redo.count === 1 ? t("plays.redo.one", { what: offered(table.redo) }) : t("plays.redo.more", { count: table.redo.count })}</button>`}
      ${mayPlay() && html`<button type="button" class="button" onClick=${() => setAdding(true)}>${t("plays.add")}</button>`}
      ${!decide && mayPlay() && html`<button type="button" class="button" onClick=${() => setOpen("flag")}>${t("plays.flag")}</button>`}
    </div>
    ${entries.length === 0 && html`<p class="empty">${t("plays.none")}</p>`}
    <ol class="entries">${entries.slice().reverse().map((entry) => html`<${Entry} key=${entry.seq} entry=${entry} open=${() => setOpen(entry.seq)} />`)}</ol>
    ${opened && html`<${Open} key=${opened.seq} entry=${opened} valid=${valid} close=${() => setOpen(null)} />`}
    ${open === "flag" && html`<${Sheet} title=${t("plays.flag")} close=${() => setOpen(null)}><${FlagForm} close=${() => setOpen(null)} /><//>`}
    ${adding &&
    html`<${Sheet} title=${t("plays.add")} close=${() => setAdding(false)}>
      <${EventForm} send=${(event) => {
        const name = event.event;
        delete event.event;
        act(name, event, t("done")).then((answer) => answer.ok && setAdding(false));
      }} />
    <//>`}
  </div>`;
}

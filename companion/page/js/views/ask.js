// "Please check": the referee is in doubt and asks. The candidates in order, large; or something else; or how many.
import { html, useState } from "../../vendor/htm-preact.js";
import { mayDecide, state } from "../store.js";
import { act } from "../act.js";
import { cardsOf, eventWords } from "../model.js";
import { has, sentences, t } from "../words.js";
import { Fan, Sheet } from "../parts.js";
import { EventForm } from "./eventform.js";

// What lies there if a candidate is true: with the cards of its set that were laid before it and since.
function asLies(one) {
  return one.play && one.play.length ? Object.assign({}, one.event, { cards: one.play }) : one.event;
}

// Where all candidates are the same cards in different numbers, the question is only "how many".
function onlyCounts(candidates) {
  const ranks = candidates.map((one) => (one.event.event === "laid" ? cardsOf(asLies(one)).map((card) => card.charAt(0)) : null));
  if (candidates.length < 2 || ranks.some((list) => !list || !list.length)) return false;
  const first = ranks[0][0];
  const sizes = ranks.map((list) => list.length);
  return ranks.every((list) => list.every((rank) => rank === first)) && new Set(sizes).size === sizes.length;
}

// The heading says already that something is to be checked; a voice has no heading.
function askedWords(question) {
  if (question.asks && has("ask." + question.asks.code)) return t("ask." + question.asks.code, question.asks);
  return question.asks && question.asks.code ? sentences([question.asks]) : question.words || t("ask.words");
}

export function Ask(props) {
  const question = props.question;
  const [away, setAway] = useState(false);
  const [other, setOther] = useState(false);
  const decide = mayDecide();
  const answer = (choice) => act("answer", { question: question.id, choice: choice });
  const asked = askedWords(question);
  if (away || !decide) {
    return html`<aside class="asked" role="status">
      <p><b>${t("state.please-check")}</b> ${asked}</p>
      ${decide ? html`<button type="button" class="button main" onClick=${() => setAway(false)}>${t("ask.open")}</button>` : html`<p class="small">${t("ask.waits")}</p>`}
    </aside>`;
  }
  if (other) {
    return html`<${Sheet} title=${t("ask.other")} close=${() => setOther(false)}>
      <${EventForm} event=${question.candidates.length ? question.candidates[0].event : { event: "laid" }} send=${answer} save=${t("ask.say")} />
    <//>`;
  }
  const counts = onlyCounts(question.candidates);
  return html`<${Sheet} kind="ask" title=${t("state.please-check")} close=${() => setAway(true)}>
    <p class="ask-words">${asked}</p>
    ${question.picture && html`<img class="ask-picture" src=${question.picture} alt=${t("ask.picture")} />`}
    <div class=${"candidates" + (counts ? " numbers" : "")}>
      ${question.candidates.map((one, index) => {
        const lies = asLies(one);
        const cards = cardsOf(lies);
        return html`<button type="button" key=${index} class=${"candidate" + (index === 0 ? " first" : "")} onClick=${() => answer(one.choice !== undefined ? one.choice : index)}>
          ${counts ? html`<b class="candidate-count">×${cards.length}</b><${Fan} cards=${cards} />` : cards.length > 0 && html`<${Fan} cards=${cards} />`}
          ${counts ? html`<span class="for-ears">${eventWords(lies)}</span>` : html`<span class="candidate-words">${eventWords(lies)}${one.legal === false && html`<small>${t("ask.illegal")}</small>`}</span>`}
          ${one.p !== undefined && html`<span class="candidate-p"><i style=${{ width: Math.round(100 * one.p) + "%" }}></i></span>`}
        </button>`;
      })}
    </div>
    <button type="button" class="button wide" onClick=${() => setOther(true)}>${t("ask.other")}</button>
  <//>`;
}

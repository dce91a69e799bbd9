// The pile on its mat: the card that must be answered, what is looked through, what lies under it, how many.
import { html } from "../../vendor/htm-preact.js";
import { state } from "../store.js";
import { count, pileCards, pileCount, topOfPile } from "../model.js";
import { cardShort, t } from "../words.js";
import { Card } from "../cards.js";
import { Fan, Mat, gameTitle } from "../parts.js";

const FLAME =
  "M20 51C8 51 2 43 2 34c0-8 5-12 8-18c1 4 2 6 4 7c0-9 2-16 9-22c-1 7 2 11 6 15c5 5 9 10 9 18c0 10-7 17-18 17zm0-5c5 0 8-3 8-8c0-4-2-6-4-9c-1 3-2 4-4 5c0-3 0-5-1-8c-5 4-7 8-7 12c0 5 3 8 8 8z";
const TILT = [" tilt-a", " tilt-b", " tilt-c", " tilt-d"];

export function Pile(props) {
  const view = props.view;
  const total = pileCount(view);
  const top = topOfPile(view);
  const seen = top.under.slice(-2);
  const burnt = (state.table.said || []).some((said) => said.code === "burns" || said.code === "burns-four");
  const looked = top.through.length > 0 && top.answer !== "" && view.phase === "play";
  return html`<section class="pile" aria-label=${t("pile")}>
    <div class=${"pile-mat" + (looked ? " looked-through" : "")}>
      <${Mat} title=${gameTitle()} name=${props.name || "pile"} />
      <div class="pile-stack">
        ${total === 0 && html`<span class="pile-empty">${burnt && html`<svg class="flame" viewBox="0 0 40 52" aria-hidden="true"><path d=${FLAME} /></svg>`}${view.phase === "play" ? t("pile.empty") : ""}</span>`}
        ${seen.map((card, index) => html`<span class=${"laid under" + TILT[(total + index) % 4]} key=${"u" + index}><${Card} card=${card} size="large" hidden=${true} /></span>`)}
        ${total > 0 && top.answer && html`<span class="laid answer" key="answer"><${Card} card=${top.answer} size="large" /></span>`}
        ${top.through.slice(-3).map((card, index) => html`<span class=${looked ? "laid through n" + index : "laid answer"} key=${"t" + index}><${Card} card=${card} size="large" ghost=${looked} /></span>`)}
      </div>
      ${looked && html`<p class="pile-note">${t("pile.answer", { card: top.answer })}</p>`}
    </div>
    <dl class="counts">
      <div><dt>${t("pile")}</dt><dd>${total}</dd></div>
      <div><dt>${t("stock")}</dt><dd>${count(view.stock)}</dd></div>
      <div><dt>${t("burnt")}</dt><dd>${count(view.burnt)}</dd></div>
    </dl>
  </section>`;
}

/** The whole pile in a row, lowest first, for those who want to see what they would pick up. */
export function PileList(props) {
  const cards = pileCards(props.view);
  if (!cards.length) return null;
  return html`<section class="pile-list">
    <h3 class="label">${t("pile.all", { count: cards.length })}</h3>
    <p class="for-ears">${cards.map(cardShort).join(" ")}</p>
    <${Fan} cards=${cards} />
  </section>`;
}

// The pile on its mat: the card that must be answered, what is looked through, what lies under it, how many.
import { html } from "../../vendor/htm-preact.js";
import { count, pileCards, pileCount, topOfPile } from "../model.js";
import { cardShort, t } from "../words.js";
import { Card } from "../cards.js";
import { Fan, Mat, gameTitle } from "../parts.js";

const TILT = [" tilt-a", " tilt-b", " tilt-c", " tilt-d"];

export function Pile(props) {
  const view = props.view;
  const total = pileCount(view);
  const top = topOfPile(view);
  const seen = top.under.slice(-2);
  const looked = top.through.length > 0 && top.answer !== "" && view.phase === "play";
  return html`<section class="pile" aria-label=${t("pile")}>
    <div class=${"pile-mat" + (looked ? " looked-through" : "")}>
      <${Mat} title=${gameTitle()} name=${props.name || "pile"} />
      <div class="pile-stack">
        ${total === 0 && html`<span class="pile-empty">${t("pile.empty")}</span>`}
        ${seen.map((card, index) => html`<span class=${"laid under" + TILT[(total + index) % 4]} key=${"u" + index}><${Card} card=${card} size="large" hidden=${true} /></span>`)}
        ${total > 0 && top.answer && html`<span class="laid answer" key="answer"><${Card} card=${top.answer} size="large" /></span>`}
        ${top.through.slice(-3).map((card, index) => html`<span class=${"laid through n" + index} key=${"t" + index}><${Card} card=${card} size="large" ghost=${looked} /></span>`)}
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

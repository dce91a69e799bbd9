// Asks for one card: its rank, and its suit where somebody knows it.
import { html, useState } from "../../vendor/htm-preact.js";
import { rankName, t } from "../words.js";
import { Button, Sheet } from "../parts.js";
import { Ranks, Suits } from "./pad.js";

/** One card, by rank and, if wanted, suit. */
export function CardSheet(props) {
  const before = props.card && props.card.charAt(0) !== "?" ? props.card : "";
  const [rank, setRank] = useState(before ? before.charAt(0) : "");
  const choose = (suit) => props.choose(rank === "X" ? "XX" : rank + (suit || "?"));
  return html`<${Sheet} title=${props.title} close=${props.close}>
    <${Ranks} chosen=${rank} jokers=${true} choose=${(one) => (one === "X" ? props.choose("XX") : setRank(one))} />
    ${rank && html`<p class="label">${t("deal.suit", { what: rankName(rank) })}</p>
      <${Suits} chosen=${before.charAt(1)} choose=${choose} />
      <${Button} kind="main wide" onClick=${() => choose("")}>${t("deal.no-suit")}<//>`}
  <//>`;
}

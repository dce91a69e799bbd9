// The end: who lost, what that costs, who went out in which order, and one tap to play again.
import { html } from "../../vendor/htm-preact.js";
import { isHost, state } from "../store.js";
import { act } from "../act.js";
import { loser, outInOrder } from "../model.js";
import { forfeitWords, playerName, t } from "../words.js";
import { Button, go } from "../parts.js";

export function Ending(props) {
  const view = state.table.view;
  const lost = loser(view);
  const forfeit = state.table.set_up.forfeit;
  const rude = state.preferences.rude;
  const out = outInOrder(view).filter((seat) => seat !== lost);
  return html`<section class=${"ending" + (props.tv ? " on-tv" : "")}>
    <p class="label">${t("over.title")}</p>
    ${lost === null
      ? html`<h1>${t("over.nobody")}</h1>`
      : html`<h1>${t(rude ? "over.lost.rude" : "over.lost", { player: playerName(lost) })}</h1>`}
    ${lost !== null && forfeit && html`<p class="forfeit">${t("over.forfeit", { player: playerName(lost), what: forfeitWords(forfeit) })}</p>`}
    <ol class="places">
      ${out.map((seat, index) => html`<li key=${seat}><i>${index + 1}</i><b>${playerName(seat)}</b></li>`)}
      ${lost !== null && html`<li class="lost"><i>${out.length + 1}</i><b>${playerName(lost)}</b><span>${t("loser")}</span></li>`}
    </ol>
  </section>`;
}

export function Over() {
  const table = state.table;
  return html`<div class="over">
    <${Ending} />
    <div class="stack">
      ${isHost() && table.rematch && html`<${Button} kind="main wide huge" onClick=${() => act("rematch", {})}>${t("over.rematch")}<//>`}
      ${isHost() && html`<${Button} kind="wide" onClick=${() => go("set-up")}>${t("over.new")}<//>`}
      ${!isHost() && html`<p class="small">${t("over.waits")}</p>`}
      <${Button} kind="wide" onClick=${() => go("game/" + encodeURIComponent(table.game ? table.game.id : ""))} disabled=${!table.game}>${t("over.replay")}<//>
      <${Button} kind="bare wide" onClick=${() => go("statistics")}>${t("page.statistics")}<//>
    </div>
  </div>`;
}

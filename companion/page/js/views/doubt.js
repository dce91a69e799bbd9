// What speaks against a play or a correction, before anything is recorded; whoever decides may insist.
import { html } from "../../vendor/htm-preact.js";
import { mayDecide, state, update } from "../store.js";
import { Button, Sheet } from "../parts.js";
import { sentences, t } from "../words.js";

export function Doubt() {
  const doubt = state.doubt;
  if (!doubt) return null;
  const end = (sure) => {
    update({ doubt: null });
    doubt.resolve(sure);
  };
  const may = doubt.error.insist && mayDecide();
  return html`<${Sheet} kind="doubt" title=${t("doubt.title")} close=${() => end(false)}>
    <ul class="doubt-problems">
      ${doubt.error.problems.map((one, index) => html`<li key=${index}>${sentences([one])}</li>`)}
    </ul>
    <p class="small">${t(may ? "doubt.words" : doubt.error.insist ? "doubt.host" : "doubt.first")}</p>
    <div class="stack">
      <${Button} kind="main wide" onClick=${() => end(false)}>${t("back")}<//>
      ${may && html`<${Button} kind="danger wide" onClick=${() => end(true)}>${t("doubt.insist")}<//>`}
    </div>
  <//>`;
}

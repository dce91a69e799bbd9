// Without a camera a film is shown first: every page says so, and how to play at a table of flesh and blood.
import { html } from "../../vendor/htm-preact.js";
import { isHost, state } from "../store.js";
import { act } from "../act.js";
import { Button, go } from "../parts.js";
import { t } from "../words.js";

export function Sample(props) {
  const game = state.table && state.table.game;
  if (!game || !game.sample) return null;
  const own = () =>
    act("camera", { source: null })
      .then((answer) => answer.ok && act("end-game", {}))
      .then((answer) => answer && answer.ok && go(""));
  // The big screen has room for one line.
  if (props.tv) return html`<p class="banner sample"><b>${t("sample.title")}</b> ${t("sample.how.guest")}</p>`;
  const how = t(isHost() ? "sample.how" : "sample.how.guest");
  // Beside a game the cards come first: how to play one's own is a tap away.
  const beside = !props.first && !state.route && state.preferences.tab !== "more";
  if (beside) {
    return html`<section class="banner sample slim" aria-label=${t("sample.title")}>
      <details><summary><b>${t("sample.title")}</b></summary><p>${how}</p></details>
      ${isHost() && html`<${Button} onClick=${own}>${t("sample.own")}<//>`}
    </section>`;
  }
  return html`<section class="banner sample" aria-label=${t("sample.title")}>
    <p><b>${t("sample.title")}</b> ${props.first ? t("sample.words") + " " : ""}${how}</p>
    ${isHost() && html`<${Button} onClick=${own}>${t("sample.own")}<//>`}
  </section>`;
}
